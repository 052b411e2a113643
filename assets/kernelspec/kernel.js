// Loaded by the classic Notebook when it starts this kernel. It colours the bodies of %%kernel, %%cuda and %%reduction cells as C++, and gives the
// mode that the kernel names, "typescript", to cells that are added later: CodeMirror 5 knows it by MIME type only.
define([
  "codemirror/lib/codemirror",
  "codemirror/mode/javascript/javascript",
  "codemirror/mode/clike/clike",
], (CodeMirror) => ({
  onload() {
    CodeMirror.defineMode("typescript", cellMode);
    CodeMirror.defineMIME("application/typescript", "typescript");
    for (const cell of Jupyter.notebook.get_cells()) {
      if (cell.cell_type === "code") cell.code_mirror.setOption("mode", "typescript");
    }

    // The first line decides the language of the whole cell.
    function cellMode(config) {
      const typescript = CodeMirror.getMode(config, { name: "javascript", typescript: true });
      const cpp = CodeMirror.getMode(config, "text/x-c++src");
      return {
        startState: () => ({ language: undefined, inner: undefined }),
        copyState: ({ language, inner }) => ({
          language,
          inner: language && CodeMirror.copyState(language, inner),
        }),
        token(stream, state) {
          if (state.language === undefined) {
            state.language = stream.match(/^%%(?:kernel|cuda|reduction)\b/, false) ? cpp : typescript;
            state.inner = CodeMirror.startState(state.language);
          }
          if (stream.sol() && stream.match(/^%%?\w.*/)) return "meta";
          return state.language.token(stream, state.inner);
        },
        indent: ({ language, inner }, text, line) => language?.indent?.(inner, text, line) ?? CodeMirror.Pass,
        innerMode: ({ language, inner }) => ({ mode: language ?? typescript, state: inner }),
        electricInput: typescript.electricInput,
        lineComment: "//",
        blockCommentStart: "/*",
        blockCommentEnd: "*/",
        fold: "brace",
      };
    }
  },
}));
