// Decides whether a cell typed in a console is complete, from the tokens that TypeScript expects at its end and from IPython's rules
// for magics.
import type { PreparedCell } from "./context.js";
import { syntaxErrors } from "./converter.js";
import type { Completeness } from "./language.js";
import type { ts } from "./typescript.js";

// Errors of unfinished text: an unterminated template or comment, or a token expected at the end.
const unterminated = new Set([1160, 1010]);
const unterminatedString = 1002;

/** Returns the state of a cell; `parse` parses a text as a module. */
export function completeness(prepared: PreparedCell, parse: (text: string) => ts.SourceFile): Completeness {
  const { cell, text } = prepared;
  const { code } = cell;
  const [first] = cell.parts;
  if (first?.kind === "magic" && first.percents === "%%") {
    // As in IPython, a blank line ends a cell magic.
    return /\n[^\S\n]*\n?$/.test(code) && endsBlank(code)
      ? { status: "complete", indent: "" }
      : incomplete(code);
  }
  if (/\\[^\S\n]*$/.test(code) && cell.parts.at(-1)?.kind !== "code") return incomplete(code);
  if (cell.problems.length > 0) return { status: "invalid", indent: "" };
  const errors = syntaxErrors(parse(text));
  if (errors.length === 0) return { status: "complete", indent: "" };
  const end = text.trimEnd().length;
  const early = errors.some(
    (error) => unterminated.has(error.code) || (error.start >= end && error.code !== unterminatedString),
  );
  return early ? incomplete(code) : { status: "invalid", indent: "" };
}

function endsBlank(code: string): boolean {
  const lines = code.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.length > 1 && lines.at(-1)?.trim() === "";
}

// The next line's indentation: two spaces more after an opening bracket.
function incomplete(code: string): Completeness {
  const last = code.trimEnd().split("\n").at(-1) ?? "";
  const current = /^\s*/.exec(last)?.[0] ?? "";
  return {
    status: "incomplete",
    indent: /[{([]\s*(?:\/\/.*)?$|=>\s*$/.test(last) ? `${current}  ` : current,
  };
}
