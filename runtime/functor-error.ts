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

/**
 * The same failure told by the user's lines: each complaint with its line and a caret below it; `types` are the dtypes that
 * it was compiled for.
 */
export function explainCompileError(
  functor: Functor,
  error: CompileError,
  types = "",
  help = "",
): CompileError {
  const { place = { file: functor.name, line: 1 } } = functor;
  const complaints = parseLog(error.log).filter((entry) => entry.severity !== "warning");
  const lines = functor.text(dtypes.float32).split("\n");
  const own = complaints
    .filter((entry) => entry.file === functor.name)
    .map((entry) => ({ ...entry, file: place.file, line: entry.line + place.line - 1 }));
  if (own.length === 0) return error;
  const count = own.filter((entry) => entry.severity === "error").length;
  return new CompileError(
    `${functor.name} does not compile${types && ` for ${types}`}: ${count === 1 ? "1 error" : `${count} errors`}.`,
    own.map((entry) => excerpt(entry, lines[entry.line - place.line])).join("\n"),
    [cudaHelp(own), help].filter((part) => part !== "").join(" "),
    own,
  );
}

// What CUDA C++ knows without headers and C++ does not: coordinates, intrinsics, keywords, and the asm statements of PTX.
const cudaOnly =
  /^(?:__[a-z]\w*|threadIdx|blockIdx|blockDim|gridDim|warpSize|atomic[A-Z]\w*|clock(?:64)?|printf|tex[123]D\w*|surf[123]D\w*)$/;

/** Names that only CUDA has among those that a compiler did not know; NVRTC knows them all and complains of none. */
function cudaHelp(complaints: readonly Diagnostic[]): string {
  const errors = complaints.filter((entry) => entry.severity === "error");
  const quoted = errors.flatMap(({ message }) =>
    [...message.matchAll(/['‘](\w+)['’]/g)].map((match) => match[1] as string),
  );
  const names = new Set(quoted.filter((name) => cudaOnly.test(name)));
  if (errors.some(({ message }) => /\b(?:in|of) .?asm\b/.test(message))) names.add("asm");
  if (names.size === 0) return "";
  const list = [...names].map((name) => `\`${name}\``).join(", ");
  return `CUDA alone has ${list}: such a functor runs on the device cuda only.`;
}

function excerpt(entry: Diagnostic, text: string | undefined): string {
  const head = `${entry.file}:${entry.line}${entry.column === undefined ? "" : `:${entry.column}`}: ${entry.severity}: ${entry.message}`;
  if (text === undefined) return head;
  const number = `${entry.line}`.padStart(4);
  const column = entry.column ?? text.length - text.trimStart().length + 1;
  // Tabs before the caret stay tabs, so that it stands under its character however wide they are.
  const indent = text.slice(0, column - 1).replace(/[^\t]/g, " ");
  return `${head}\n${number} | ${text}\n     | ${indent}^`;
}
