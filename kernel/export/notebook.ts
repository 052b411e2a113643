// Notebooks of format 4, and their text in files. They are written as Jupyter does (one space of indentation, text as lists of
// lines), so that a diff shows only what changed.

import { JitlabError } from "../../runtime/base/errors.js";
import { wellFormedJson } from "../protocol/well-formed.js";

/** MIME type to value: text, base64 text for binary types, or JSON. */
export type Data = Readonly<Record<string, unknown>>;

/** One output of a code cell. */
export type Output =
  | { output_type: "stream"; name: "stdout" | "stderr"; text: string }
  | { output_type: "display_data"; data: Data; metadata: Data }
  | { output_type: "execute_result"; execution_count: number | null; data: Data; metadata: Data }
  | { output_type: "error"; ename: string; evalue: string; traceback: readonly string[] };

/** A cell that is not run. */
export interface TextCell {
  cell_type: "markdown" | "raw";
  id?: string;
  source: string;
  metadata: Data;
  attachments?: Readonly<Record<string, Data>>;
}

/** A cell that is run. */
export interface CodeCell {
  cell_type: "code";
  id?: string;
  source: string;
  metadata: Data;
  execution_count: number | null;
  outputs: Output[];
}

/** One cell of a notebook. */
export type Cell = TextCell | CodeCell;

/** A notebook of format 4; its texts are whole strings, whatever the file holds. */
export interface Notebook {
  cells: Cell[];
  metadata: Data;
  nbformat: 4;
  nbformat_minor: number;
}

/** Reads a notebook from text; `name` stands in error messages. */
export function parseNotebook(text: string, name: string): Notebook {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new JitlabError(
      "not-a-notebook",
      `${name} is not a notebook: it is not JSON.`,
      "Pass an .ipynb file, or a .ts file whose cells begin with // %%.",
    );
  }
  if (!isRecord(json) || json.nbformat !== 4 || !Array.isArray(json.cells)) {
    const format =
      isRecord(json) && "nbformat" in json ? `its format is ${json.nbformat}` : "it has no format";
    throw new JitlabError(
      "not-a-notebook",
      `${name} is not a notebook of format 4: ${format}.`,
      "Open and save it in JupyterLab, or run `jupyter nbconvert --to notebook` on it.",
    );
  }
  return {
    cells: json.cells.map((cell, index) => readCell(cell, `${name}, cell ${index + 1}`)),
    metadata: isRecord(json.metadata) ? json.metadata : {},
    nbformat: 4,
    nbformat_minor: typeof json.nbformat_minor === "number" ? json.nbformat_minor : 5,
  };
}

/** The text of a notebook's file. */
export function formatNotebook(notebook: Notebook): string {
  const cells = notebook.cells.map((cell) => ({
    ...cell,
    source: lines(cell.source),
    ...(cell.cell_type === "code" && { outputs: cell.outputs.map(formatOutput) }),
  }));
  return `${wellFormedJson({ ...notebook, cells }, sortedKeys, 1)}\n`;
}

function readCell(cell: unknown, name: string): Cell {
  if (isRecord(cell)) {
    const metadata = isRecord(cell.metadata) ? cell.metadata : {};
    const common = {
      ...(typeof cell.id === "string" && { id: cell.id }),
      source: joined(cell.source),
      metadata,
    };
    if (cell.cell_type === "markdown" || cell.cell_type === "raw") {
      const attachments = isRecord(cell.attachments) && {
        attachments: cell.attachments as Record<string, Data>,
      };
      return { cell_type: cell.cell_type, ...common, ...attachments };
    }
    if (cell.cell_type === "code") {
      const execution_count = typeof cell.execution_count === "number" ? cell.execution_count : null;
      const outputs = Array.isArray(cell.outputs) ? cell.outputs.map(readOutput) : [];
      return { cell_type: "code", ...common, execution_count, outputs };
    }
  }
  const type = isRecord(cell) ? JSON.stringify(cell.cell_type) : "not an object";
  throw new JitlabError("not-a-notebook", `${name}: unknown cell type ${type}.`);
}

function readOutput(output: Output): Output {
  if (output.output_type === "stream") return { ...output, text: joined(output.text) };
  if (output.output_type === "error") return output;
  const data = Object.fromEntries(
    Object.entries(output.data).map(([mime, value]) => [mime, isText(mime) ? joined(value) : value]),
  );
  return { ...output, data };
}

function formatOutput(output: Output): unknown {
  if (output.output_type === "stream") return { ...output, text: lines(output.text) };
  if (output.output_type === "error") return output;
  const data = Object.fromEntries(
    Object.entries(output.data).map(([mime, value]) => [
      mime,
      isText(mime) && typeof value === "string" ? lines(value) : value,
    ]),
  );
  return { ...output, data };
}

/** True for MIME types whose values are text that a file holds as a list of lines. */
export function isText(mime: string): boolean {
  return mime.startsWith("text/") || mime === "image/svg+xml" || mime === "application/javascript";
}

function joined(value: unknown): string {
  return Array.isArray(value) ? value.join("") : String(value ?? "");
}

function lines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

// Jupyter sorts the keys of every object.
function sortedKeys(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
