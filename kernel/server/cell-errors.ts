// Errors that end a cell before it runs: type errors and misuse of magics, with places in the cell.
import type { CellError } from "../child/channel.js";
import { errorTitle, excerpt } from "../child/excerpt.js";
import type { Diagnostic } from "../language/language.js";

/** The error of an interrupted cell. */
export const interruptedError = plainError("Interrupted", "The cell was interrupted.");

/** The error of a queued cell that did not run. */
export const abortedError = plainError(
  "Aborted",
  "An earlier cell failed or was interrupted, so this one did not run.",
);

/** An error that is complete in one line. */
export function plainError(name: string, message: string): CellError {
  return { name, message, traceback: [errorTitle(name, message)] };
}

// One wrong declaration can cause thousands of errors; the rest is only counted.
const maxShown = 20;

/** The error of a cell with these diagnostics; a magic's misuse is one line, as in IPython. */
export function diagnosticsError(
  diagnostics: readonly Diagnostic[],
  code: string,
  filename: string,
): CellError {
  const usage = diagnostics.find((diagnostic) => diagnostic.code === 0);
  if (usage) return plainError("UsageError", usage.message);
  const name = "TypeScriptError";
  const shown = diagnostics.slice(0, maxShown).map((diagnostic) => describe(diagnostic, filename));
  const message = [...shown, ...theRest(diagnostics)].join("\n");
  return { name, message, traceback: diagnosticLines(diagnostics, code, filename, name) };
}

/** Warnings as text for stderr. */
export function diagnosticsText(diagnostics: readonly Diagnostic[], code: string, filename: string): string {
  return `${diagnosticLines(diagnostics, code, filename, "Warning").join("\n")}\n`;
}

function diagnosticLines(
  diagnostics: readonly Diagnostic[],
  code: string,
  filename: string,
  name: string,
): string[] {
  const shown = diagnostics
    .slice(0, maxShown)
    .flatMap((diagnostic) => [
      errorTitle(name, describe(diagnostic, filename)),
      ...excerpt(code, diagnostic),
    ]);
  return [...shown, ...theRest(diagnostics)];
}

function theRest(diagnostics: readonly Diagnostic[]): string[] {
  const count = diagnostics.length - maxShown;
  return count > 0 ? [`... and ${count} more.`] : [];
}

function describe({ line, column, code, message }: Diagnostic, filename: string): string {
  return `${filename}:${line + 1}:${column + 1} - ${code === 0 ? "" : `TS${code}: `}${message}`;
}
