// The lines of a cell around an error, with a caret, as compilers show them. Type errors (in the parent) and runtime
// errors (in the child) look the same.
import { cut } from "../../runtime/base/cut.js";

const red = (text: string) => `\u001b[31m${text}\u001b[39m`;
// Faint, not grey: front ends' grey is unreadable in their dark themes.
const faint = (text: string) => `\u001b[2m${text}\u001b[22m`;

/** A place in a cell: zero-based line and column, and how much to mark. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

// Lines shown before the marked one, and how much of a long line.
const context = 2;
const widest = 200;
const before = 100;

/** The marked line, the two before it, and carets below the place; empty if the cell has no such line. */
export function excerpt(code: string, place: Place): string[] {
  const lines = code.split("\n");
  const marked = lines[place.line];
  if (marked === undefined) return [];
  const first = Math.max(0, place.line - context);
  const width = String(place.line + 1).length;
  const start = place.column < widest - before ? 0 : place.column - before;
  const shown = lines.slice(first, place.line + 1).map((line, i) => {
    const number = first + i;
    const gutter = `${number === place.line ? red(">") : " "} ${faint(`${String(number + 1).padStart(width)} |`)}`;
    return `${gutter} ${part(line, start)}`.trimEnd();
  });
  // Tabs are kept before the caret, so that it is under its character at any tab width.
  const indent = (start > 0 ? " " : "") + marked.slice(start, place.column).replace(/[^\t]/g, " ");
  const end = Math.min(place.column + place.length, marked.length, start + widest);
  const carets = "^".repeat(Math.max(1, end - place.column));
  return [...shown, `  ${" ".repeat(width)} ${faint("|")} ${indent}${red(carets)}`];
}

function part(line: string, start: number): string {
  const shown = cut(line, start, start + widest);
  return `${start > 0 && line !== "" ? "…" : ""}${shown}${line.length > start + widest ? "…" : ""}`;
}

/** An error's name as tracebacks show it. */
export function errorTitle(name: string, message: string): string {
  return message === "" ? red(name) : `${red(name)}: ${message}`;
}
