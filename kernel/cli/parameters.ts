// `jitlab run -p NAME=VALUE`: values that override a notebook's, by papermill's convention: they are in a new cell after the
// cell tagged `parameters`, or in the first cell without one.
import { JitlabError } from "../../runtime/base/errors.js";
import type { Cell, CodeCell, Notebook } from "../export/notebook.js";

const injected = "injected-parameters";

/** Values by name. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Adds `NAME=VALUE` to the parameters so far; the value is JSON, or else a text. */
export function addParameter(text: string, earlier: Parameters): Parameters {
  const [, name, value = ""] = /^([A-Za-z_$][\w$]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) {
    throw new JitlabError("usage", `-p ${text} is not a parameter.`, "It must look like -p alpha=0.5.");
  }
  return { ...earlier, [name]: parsed(value) };
}

/** Puts the cell of the parameters into a notebook, in place of one that an earlier run put there. */
export function setParameters(notebook: Notebook, parameters: Parameters): void {
  const cells = notebook.cells.filter((cell) => !isTagged(cell, injected));
  const source = Object.entries(parameters)
    .map(([name, value]) => `let ${name} = ${JSON.stringify(value)};`)
    .join("\n");
  const metadata = { tags: [injected] };
  const cell: CodeCell = { cell_type: "code", source, metadata, execution_count: null, outputs: [] };
  if (notebook.nbformat_minor >= 5) cell.id = injected;
  const place = cells.findIndex((one) => isTagged(one, "parameters")) + 1;
  notebook.cells = cells.toSpliced(place, 0, cell);
}

function isTagged({ metadata: { tags } }: Cell, tag: string): boolean {
  return Array.isArray(tags) && tags.includes(tag);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
