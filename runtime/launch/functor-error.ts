// Compile errors of a user's functor, in the user's own lines with a caret; and the check that parses a functor before it
// is called.

import { cut } from "../base/cut.js";
import { dtypes } from "../base/dtype.js";
import { CompileError } from "../base/errors.js";
import { renderCheck } from "../codegen/maps/render.js";
import { type Diagnostic, parseLog } from "../compiler/log.js";
import { compile } from "../compiler/service.js";
import type { Target } from "../device/device.js";
import { uncheckedLine } from "../functor/checked-division.js";
import { dualHelp, slopesHelp } from "../functor/dual-functor.js";
import type { Functor } from "../functor/functor.js";

// A template that compiles for none of these is wrong; one may compile for some only.
const tried = [dtypes.float32, dtypes.int32, dtypes.complex64];

/** Has the target's compiler parse a functor; throws CompileError with the compiler's log. */
export function checkFunctor(functor: Functor, { compiler, dialect, flags }: Target): void {
  const calls = functor.template && !dialect.parsesTemplates;
  const failures: unknown[] = [];
  for (const compute of calls ? tried : [dtypes.float32]) {
    try {
      compile(compiler, { source: renderCheck(functor, compute, dialect), flags, name: functor.name });
      return;
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0];
}

/** A user's text in an error: its name, source position and lines. */
export type UserText = Pick<Functor, "name" | "place" | "text" | "dual">;

/** A failure of a kernel that holds users' texts, told by the lines of the one that it complains of; `types` as below. */
export function explainComposedError(
  error: CompileError,
  users: readonly { readonly functor: UserText; readonly types: string }[],
): CompileError {
  const files = [...parseLog(error.log), ...callSites(error.log)].map(({ file }) => file);
  const found = users.find(({ functor }) => files.includes(functor.name));
  return found ? explainCompileError(found.functor, error, found.types) : error;
}

/**
 * The same failure in the user's lines: each diagnostic with its line and a caret below it; `types` are the dtypes that it
 * was compiled for.
 */
export function explainCompileError(
  functor: UserText,
  error: CompileError,
  types = "",
  help = "",
): CompileError {
  const { place = { file: functor.name, line: 1 } } = functor;
  const complaints = parseLog(error.log).filter((entry) => entry.severity !== "warning");
  const lines = functor.text(dtypes.float32).split("\n");
  const own = [...complaints, ...callSites(error.log)]
    .filter((entry) => entry.file === functor.name)
    .map((entry) => ({
      ...entry,
      ...columnOf(entry, error.source),
      file: place.file,
      line: entry.line + place.line - 1,
      message: plain(entry.message),
    }));
  const count = own.filter((entry) => entry.severity === "error").length;
  // The compiler reports the generated part if the text misuses its definitions.
  const others = complaints.filter(({ file, severity }) => file !== functor.name && severity === "error");
  if (count === 0 && others.length === 0) return error;
  const excerpts = excerptsOf(own, (line) => lines[line - place.line]);
  const missing = others.flatMap(
    ({ message }) => /jl::\w+ has no derivative here: .*?(?=["'’]?$)/.exec(message) ?? [],
  );
  if (missing[0] !== undefined) {
    const name = functor.name.replace(/_grad$/, "");
    return new CompileError(`${name} cannot be differentiated: ${missing[0]}.`, excerpts, slopesHelp, own);
  }
  const outside = count > 0 ? [] : others.slice(0, 3).map(({ message }) => `error: ${plain(message)}`);
  const errors = count === 0 ? others.length : count;
  const where = count === 0 ? ", in the code that jitlab writes around it" : "";
  return new CompileError(
    `${functor.name} does not compile${types && ` for ${types}`}: ${errors === 1 ? "1 error" : `${errors} errors`}${where}.`,
    [...outside, excerpts].join("\n").trim(),
    [cudaHelp(own), standardHelp(functor, own), functor.dual ? dualHelp : "", help]
      .filter((part) => part !== "")
      .join(" "),
    own,
  );
}

// Names that are built into CUDA C++ but not into C++: coordinates, intrinsics, keywords, and PTX asm statements.
const cudaOnly =
  /^(?:__[a-z]\w*|threadIdx|blockIdx|blockDim|gridDim|warpSize|atomic[A-Z]\w*|clock(?:64)?|printf|tex[123]D\w*|surf[123]D\w*)$/;

/** The CUDA-only names among a compiler's unknown names; NVRTC knows them all. */
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

const excerptChars = 100;
const excerptCount = 20;

/** The first diagnostics; later ones usually follow from the same mistake. */
function excerptsOf(entries: readonly Diagnostic[], textOf: (line: number) => string | undefined): string {
  const shown = entries.slice(0, excerptCount).map((entry) => excerpt(entry, textOf(entry.line)));
  const more = entries.length - shown.length;
  return [...shown, ...(more > 0 ? [`... and ${more} more`] : [])].join("\n");
}

/** Converts a column of the compiled line, whose divisions may be checked, to one of the user's line. */
function columnOf({ file, line, column }: Diagnostic, source: string | undefined): { column?: number } {
  if (column === undefined) return {};
  const compiled = source?.split(`#line 1 "${file}"\n`)[1]?.split("\n")[line - 1] ?? "";
  const before = compiled.slice(0, column - 1);
  return { column: column - before.length + uncheckedLine(before).length };
}

/** Notes in which GCC and NVRTC show the context of an error elsewhere. */
function callSites(log: string): Diagnostic[] {
  const note = { severity: "note", message: "called here" } as const;
  const gcc = [...log.matchAll(/^(.+?):(\d+):(\d+):\s+required from/gm)];
  const nvrtc = [...log.matchAll(/^\s+instantiation of .* at line (\d+) of (\S+)$/gm)];
  return [
    ...gcc.map(([, file = "", line, column]) => ({
      file,
      line: Number(line),
      column: Number(column),
      ...note,
    })),
    ...nvrtc.map(([, line, file = ""]) => ({ file, line: Number(line), ...note })),
  ];
}

// The namespaces around a user's text, in the words of GCC, Clang and NVRTC.
const enclosing = /\b\w+::(?:\{anonymous\}|\(anonymous namespace\)|<unnamed>)::/g;

/** A compiler's message without the namespaces and suggestions of names from the generated part. */
function plain(message: string): string {
  const bare = message.replace(enclosing, "");
  return bare.replace(/[;,]? did you mean ['‘](?:jitlab|functions|jl)::\w+['’]\?/, "");
}

/** Says what functors have of the standard library. */
function standardHelp(functor: UserText, complaints: readonly Diagnostic[]): string {
  const lines = functor.text(dtypes.float32).split("\n");
  const { line: first = 1 } = functor.place ?? {};
  if (!complaints.some(({ line }) => /\bstd\s*::/.test(lines[line - first] ?? ""))) return "";
  return "Of the standard library a functor has C's math functions alone, such as std::max(x, y).";
}

function excerpt(entry: Diagnostic, text: string | undefined): string {
  const head = `${entry.file}:${entry.line}${entry.column === undefined ? "" : `:${entry.column}`}: ${entry.severity}: ${entry.message}`;
  if (text === undefined) return head;
  const number = `${entry.line}`.padStart(4);
  const column = entry.column ?? text.length - text.trimStart().length + 1;
  // The part of a long line around the caret.
  const from = text.length > 2 * excerptChars ? Math.max(0, column - 1 - excerptChars) : 0;
  const shown = cut(text, from, from + 2 * excerptChars);
  // Tabs before the caret stay tabs, so that it is under its character at any tab width.
  const indent = shown.slice(0, column - 1 - from).replace(/[^\t]/g, " ");
  return `${head}\n${number} | ${shown}\n     | ${indent}^`;
}
