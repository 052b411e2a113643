// Notebooks as TypeScript files in Jupytext's percent format: `// %%` begins a cell, `// %% [markdown]` a text. Magics are
// comments there, so that editors and compilers read the file. Without a marker the whole file is one cell.
import type { Cell, Notebook } from "./notebook.js";

const marker = /^\/\/ ?%%(?![A-Za-z])%*(.*)$/;
const header = /^\/\/ ---\n(?:\/\/.*\n)*?\/\/ ---\n/;
const commentedCell = /^\/\/ ?%%[A-Za-z]/;
// A marker in a cell; the marks of a comment before it show that it was one in the notebook.
const innerMarker = /^(?:\/\/ )*\/\/ ?%%/;
// A line magic or a command; further marks of a comment show that it was a comment in the notebook.
const magicLine = /^(?:\/\/ )*(?:%[A-Za-z]|![\w.~/])/;

/** Reads a percent script as a notebook. */
export function parseScript(text: string): Notebook {
  const cells: Cell[] = [];
  let lines: string[] = [];
  let about = "";
  const end = () => {
    const source = lines.join("\n").replace(/^\n+|\s+$/g, "");
    if (source !== "") cells.push(cellOf(about, source));
    lines = [];
  };
  for (const line of text.replaceAll("\r\n", "\n").replace(header, "").split("\n")) {
    const found = marker.exec(line);
    if (!found) {
      lines.push(line);
      continue;
    }
    end();
    about = found[1] ?? "";
  }
  end();
  return { cells, metadata: {}, nbformat: 4, nbformat_minor: 4 };
}

/** Writes a notebook as a percent script. */
export function formatScript({ cells }: Notebook): string {
  const kernel =
    "// ---\n// jupyter:\n//   kernelspec:\n//     name: jitlab\n//     language: typescript\n// ---\n";
  return `${kernel}${cells.map((cell) => `\n${head(cell)}\n${body(cell)}\n`).join("")}`;
}

function cellOf(about: string, source: string): Cell {
  const tags = /\btags=(\[[^\]]*\])/.exec(about)?.[1];
  const metadata = tags === undefined ? {} : { tags: JSON.parse(tags) as string[] };
  const kind = /\[(markdown|raw)\]/.exec(about)?.[1];
  if (kind === "markdown" || kind === "raw") {
    return { cell_type: kind, source: uncommented(source), metadata };
  }
  const code = commentedCell.test(source)
    ? uncommented(source)
    : source.replace(/^\/\/ (.*)$/gm, (line, rest: string) =>
        magicLine.test(rest) || innerMarker.test(rest) ? rest : line,
      );
  return { cell_type: "code", source: code, metadata, execution_count: null, outputs: [] };
}

function head({ cell_type, metadata }: Cell): string {
  const kind = cell_type === "code" ? [] : [`[${cell_type}]`];
  const tags = Array.isArray(metadata.tags) ? [`tags=${JSON.stringify(metadata.tags)}`] : [];
  return ["// %%", ...kind, ...tags].join(" ");
}

function body({ cell_type, source }: Cell): string {
  const isCellMagic = /^\s*%%[A-Za-z]/.test(source);
  if (cell_type !== "code") return commented(source);
  return isCellMagic ? commented(source.trimStart()) : source.replace(/^.*$/gm, asScriptLine);
}

// Comments out lines that would be read as a marker or as a magic.
function asScriptLine(line: string): string {
  return magicLine.test(line) || innerMarker.test(line) ? `// ${line}` : line;
}

function commented(text: string): string {
  return text.replace(/^.*$/gm, (line) => `// ${line}`.trimEnd());
}

function uncommented(text: string): string {
  return text.replace(/^\/\/ ?/gm, "");
}
