// Puts a user's text into a kernel's, in a separate namespace, so that its names cannot clash with the generated part.
import type { DType } from "../base/dtype.js";
import { drawMacros, drawTypes } from "./draws.js";
import type { DualText, Functor } from "./functor.js";
import { constantMacros, constantsText, libraryCalls, libraryText, plainCalls } from "./library-calls.js";
import { mathCallsFile, mathForms, mathLines } from "./math-calls.js";
import { positionsOf } from "./position.js";
import { blanked, functionsOf } from "./signature.js";

/** The namespace of a user's functor. */
const space = "functor";

/** The call of a functor's entry in a kernel. */
export function calledAs(functor: Functor): string {
  return functor.user ? `${space}::${functor.entry}` : functor.entry;
}

/** A functor's text in a kernel; a user's text keeps its line numbers under the functor's name. */
export function enclosedText(functor: Functor, compute: DType): string {
  return functor.user ? enclosedTexts([{ space, functor }], compute) : functor.text(compute);
}

/** A user's functor and its namespace. */
export interface Enclosed {
  readonly space: string;
  readonly functor: Functor;
}

/** The texts of users' functors, each in a separate namespace, after the operations that they call. */
export function enclosedTexts(parts: readonly Enclosed[], compute: DType): string {
  const [first] = parts;
  const dual = parts.length === 1 ? first?.functor.dual?.(compute) : undefined;
  if (first && dual)
    return [...dual.outside, ...dual.library, spaceText(first, compute, dualLines(dual), dual)].join("\n");
  const calls = parts.flatMap(({ functor }) => libraryCalls(functor.text(compute)));
  return [
    ...libraryText([...new Set(calls)], compute),
    ...parts.map((part) => spaceText(part, compute, reaching(part.functor, compute))),
  ].join("\n");
}

/** The lines by which a text reaches the operations, which stand before it, and the math functions that it calls. */
function reaching(functor: Functor, compute: DType): string[] {
  const text = functor.text(compute);
  const library = libraryCalls(text).length > 0 ? ["namespace jl = functions;"] : [];
  if (!functor.needs(compute).includes(mathCallsFile)) return library;
  const plain = plainCalls(text);
  // WebAssembly has no fused multiplication, without which C's own functions are quicker.
  const guarded = (name: string) => [
    "#ifndef __wasm__",
    `using functions::${name};`,
    "#else",
    ...mathForms(name),
    "#endif",
  ];
  return [...library, ...mathLines(text, (name) => (plain.includes(name) ? guarded : mathForms)(name))];
}

/** The text of a functor that is composed with others, in a namespace with everything that it names. */
export function composedText(part: Enclosed, compute: DType): string {
  const { space, functor } = part;
  const text = functor.text(compute);
  if (!functor.user) return `namespace ${space} {\n${text}\n}`;
  const dual = functor.dual?.(compute);
  if (dual) {
    const own = spaceText(part, compute, [...dual.library, ...dualLines(dual)], dual);
    return [...dual.outside, own].join("\n");
  }
  const library = libraryText(libraryCalls(text), compute);
  return spaceText(part, compute, [...library, ...reaching(functor, compute)]);
}

/** The lines by which a text reaches functions of dual numbers. */
function dualLines({ library, declarations }: DualText): string[] {
  return [...(library.length > 0 ? ["namespace jl = functions;"] : []), ...declarations];
}

// In an unnamed namespace, which no other file can see: compilers inline a function of any length that is called once.
function spaceText(
  { space, functor }: Enclosed,
  compute: DType,
  library: readonly string[],
  dual?: DualText,
): string {
  const text = (functor.checked ?? functor.text)(compute);
  const macros = positionMacros(text);
  return [
    `namespace ${space} { namespace {`,
    ...library,
    ...constantsText(text, compute),
    ...drawTypes(text, compute),
    ...macros.map(([, macro]) => `#define ${macro}`),
    ...(dual?.before ?? []),
    `#line 1 "${functor.name}"`,
    text,
    `#line 1 "kernel"`,
    "}}",
    ...[...macrosOf(text), ...constantMacros(text), ...macros.map(([name]) => name)].map(
      (name) => `#undef ${name}`,
    ),
    // Behind the user's macros, which may have any names.
    ...(dual ? [`namespace ${space} { namespace {`, ...dual.after, "}}"] : []),
  ].join("\n");
}

/** The macros that a text leaves defined; the rest of a kernel may use their names. */
function macrosOf(text: string): string[] {
  const names = blanked(text).matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)/gm);
  return [...new Set([...names].map((match) => match[1] as string))];
}

/** The macros by which a C++ text names its entry's positions and draws, each after its name. */
function positionMacros(text: string): (readonly [string, string])[] {
  const functions = functionsOf(text);
  const kinds = new Set(positionsOf(text, functions).map(({ kind }) => kind));
  kinds.delete("key");
  return [
    ...[...kinds].map((kind) => [kind, `${kind}(d) ${kind}_##d`] as const),
    ...drawMacros(text, functions),
  ];
}
