// Loaded by JupyterLab, as kernel.js is by the classic Notebook. It colors the lines of magics, and the bodies of %%kernel, %%cuda
// and %%reduction cells as C++. A prebuilt extension is a container of module federation: an object with `init` and
// `get`. This one takes what it needs from the modules that the page shares, so nothing is bundled.
(() => {
  let scope;
  const shared = async (name) => {
    const [version] = Object.values(scope[name] ?? {});
    if (version === undefined) throw new Error(`jitlab: this page shares no ${name}.`);
    return (await version.get())();
  };

  // The magic's line may be continued by backslashes.
  const header = /^(?:[^\S\n]*\n)*%%(?:kernel|cuda|reduction)\b(?:[^\n]*\\\n)*[^\n]*\n/;
  const longestHeader = 2000;

  // The body lies over the TypeScript tree of the cell, which other cells keep as it is.
  const bodiesIn = (parser) => (node, input) => {
    if (!node.type.isTop) return null;
    const found = header.exec(input.read(0, Math.min(input.length, longestHeader)));
    return found && { parser, overlay: [{ from: found[0].length, to: input.length }] };
  };

  const magicLine = /^\s*%%?[A-Za-z]/;
  const quoted = /String|Comment/;

  // TypeScript reads `%name` as the rest of a division. The mark of the highest precedence is the innermost element, whose color counts.
  const magicLines = ({ syntaxTree }, { Prec }, { Decoration, ViewPlugin }) => {
    const style = "color: var(--jp-mirror-editor-meta-color)";
    const mark = Decoration.mark({ attributes: { style } });
    const marksOf = ({ state }) => {
      const marks = [];
      let at = 0;
      let isContinued = false;
      for (const text of state.doc.iterLines()) {
        const isMagic =
          isContinued || (magicLine.test(text) && !quoted.test(syntaxTree(state).resolveInner(at, 1).name));
        if (isMagic && text !== "") marks.push(mark.range(at, at + text.length));
        isContinued = isMagic && text.endsWith("\\");
        at += text.length + 1;
      }
      return Decoration.set(marks);
    };
    const create = (view) => ({
      marks: marksOf(view),
      update(change) {
        const isNew = change.docChanged || syntaxTree(change.startState) !== syntaxTree(change.state);
        if (isNew) this.marks = marksOf(change.view);
      },
    });
    return Prec.highest(ViewPlugin.define(create, { decorations: ({ marks }) => marks }));
  };

  async function plugin() {
    const { IEditorLanguageRegistry } = await shared("@jupyterlab/codemirror");
    const language = await shared("@codemirror/language");
    const state = await shared("@codemirror/state");
    const view = await shared("@codemirror/view");
    const { parseMixed } = await shared("@lezer/common");
    return {
      id: "jitlab:languages",
      description:
        "Colors the lines of magics, and the bodies of %%kernel, %%cuda and %%reduction cells as C++.",
      autoStart: true,
      requires: [IEditorLanguageRegistry],
      activate: (_app, languages) => {
        // The registry takes no second language of this name, so the first one is extended.
        const typescript = languages.findByName("TypeScript");
        const loadPlain = typescript?.load?.bind(typescript);
        if (loadPlain === undefined) return;
        typescript.load = async () => {
          const [plain, cpp] = await Promise.all([loadPlain(), languages.getLanguage("C++")]);
          const wrap = cpp?.support && parseMixed(bodiesIn(cpp.support.language.parser));
          const mixed = wrap ? plain.language.configure({ wrap }) : plain.language;
          const marks = magicLines(language, state, view);
          typescript.support = new language.LanguageSupport(mixed, [plain.support, marks]);
          return typescript.support;
        };
      },
    };
  }

  const modules = {
    "./extension": async () => {
      const exports = { __esModule: true, default: await plugin() };
      return () => exports;
    },
  };
  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB.jitlab = {
    init(shareScope) {
      scope = shareScope;
    },
    get: (name) => modules[name]?.() ?? Promise.reject(new Error(`jitlab has no ${name}.`)),
  };
})();
