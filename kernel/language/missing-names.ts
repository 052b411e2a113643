// Advice for a name that a tensor or the library lacks: another library's word, or one that jitlab has in another place.
import { dtypes } from "../../runtime/base/dtype.js";
import { cast, libraryNames, tensorNames } from "./foreign-names.js";
import type { Place } from "./place.js";

const own = (table: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** `x.svd()`, `jl.no_grad()`, `jl.linalg.inverse(x)`, from TypeScript's message. */
export function missingMember(message: string, place: Place): string | undefined {
  const [, name = "", owner = ""] =
    /^Property '(\w+)' does not exist on type '(?:typeof )?(\w+)'/.exec(message) ?? [];
  const isTensor = owner === "Tensor";
  if (Object.hasOwn(dtypes, name) && (isTensor || owner === "jitlab"))
    return isTensor ? cast(name) : `A dtype is given by its name: { dtype: "${name}" }.`;
  return own(isTensor ? tensorNames : libraryNames, name) ?? elsewhere(name, message, place);
}

// TypeScript itself suggests a similar name of the same owner.
function elsewhere(name: string, message: string, { inLibrary }: Place): string | undefined {
  const path = inLibrary(name, /Did you mean/.test(message) ? "exact" : "similar");
  return path && `It is ${path} here.`;
}

/** `zeros([3])` and `vmap(f)` without `jl.`. */
export function unknownCall(name: string, { after, inLibrary }: Place): string | undefined {
  if (!/^\s*\(/.test(after)) return undefined;
  const path = inLibrary(name, "exact") ?? inLibrary(name, "similar");
  return own(libraryNames, name) ?? (path && `The library has it: ${path}.`);
}

/** `jl.fft(x)`, `x.shape()`, and `x.size(0)`, where `x.size` is the number of elements. */
export function notCallable(_: string, { text, before, type, functions }: Place): string {
  if (text === "size" && type() === "number")
    return "x.shape is the shape, x.shape[0] its first extent, x.size the number of elements.";
  const names = functions();
  if (names.length === 0) return "It is a value, not a function: leave out the parentheses.";
  const path = `${/[\w.]*$/.exec(before)?.[0] ?? ""}${text}`;
  const example = names.includes(text) ? text : names[0];
  return `It holds functions: ${path}.${example}(...).`;
}
