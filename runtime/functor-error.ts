// Compile errors of a user's functor, in the user's own lines with a caret; and the check that parses a functor before it
// is called.

import { renderCheck } from "./codegen/render.js";
import { type Diagnostic, parseLog } from "./compile/log.js";
import { compile } from "./compile/service.js";
import type { Target } from "./device/device.js";
import { dtypes } from "./dtype.js";
import { CompileError } from "./errors.js";
import type { Functor } from "./functor.js";

/** Has the target's compiler parse a functor without instantiating it; throws CompileError with the compiler's log. */
export function checkFunctor(functor: Functor, target: Target): void {
  const source = renderCheck(functor, dtypes.float32, target.dialect);
  compile(target.compiler, { source, flags: target.flags, name: functor.name });
}

/** The same failure told by the user's lines: each complaint with its line and a caret below it. */
export function explainCompileError(functor: Functor, error: CompileError): CompileError {
  const complaints = parseLog(error.log).filter((entry) => entry.severity !== "warning");
  const own = complaints.filter((entry) => entry.file === functor.name);
  if (own.length === 0) return error;
  const lines = functor.text(dtypes.float32).split("\n");
  const count = own.filter((entry) => entry.severity === "error").length;
  return new CompileError(
    `${functor.name} does not compile: ${count === 1 ? "1 error" : `${count} errors`}.`,
    own.map((entry) => excerpt(functor.name, entry, lines)).join("\n"),
    "",
    own,
  );
}

function excerpt(name: string, entry: Diagnostic, lines: readonly string[]): string {
  const text = lines[entry.line - 1];
  const head = `${name}:${entry.line}${entry.column === undefined ? "" : `:${entry.column}`}: ${entry.severity}: ${entry.message}`;
  if (text === undefined) return head;
  const number = `${entry.line}`.padStart(4);
  const column = entry.column ?? text.length - text.trimStart().length + 1;
  // Tabs before the caret stay tabs, so that it stands under its character however wide they are.
  const indent = text.slice(0, column - 1).replace(/[^\t]/g, " ");
  return `${head}\n${number} | ${text}\n     | ${indent}^`;
}
