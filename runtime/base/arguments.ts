// Checks arguments for callers without types: each error names the function, the argument and its value.
import { types } from "node:util";
import { didYouMean, isArray, isRevoked, JitlabError, show } from "./errors.js";

/** True for an object of options, the last argument of many calls: not a tensor, a complex scalar or a list. */
export function isOptions(value: unknown): value is object {
  if (typeof value !== "object" || value === null || isRevoked(value) || Array.isArray(value)) return false;
  return !(
    "pointer" in value ||
    ArrayBuffer.isView(value) ||
    typeof (value as { re?: unknown }).re === "number"
  );
}

/**
 * The options of a call, `{}` without any; throws `bad-argument` for anything but an object of them, and `unknown-option`
 * for one that is not in `names`.
 */
export function optionsOf<T extends object>(
  what: string,
  options: T | undefined,
  names: readonly (keyof T & string)[],
): Partial<T> {
  if (options === undefined) return {};
  checkOptions(what, namedOf(what, options, names), names);
  return options;
}

/** An optional argument and the options behind it, which may stand in its place: `jl.eye(4, { dtype: "float64" })`. */
export function orOptions<A, O extends object>(
  argument: A,
  options: O | undefined,
): readonly [argument: Exclude<A, O>, options: O | undefined] {
  if (options !== undefined || !isOptions(argument)) return [argument as Exclude<A, O>, options];
  return [undefined as Exclude<A, O>, argument as object as O];
}

/** Values by name: an object that is not a tensor, a complex scalar or a list; throws `bad-argument`, with the names if they are known. */
export function namedOf<T extends object>(what: string, values: T, names: readonly string[] = []): T {
  if (isOptions(values)) return values;
  throw new JitlabError(
    "bad-argument",
    `${what}: the options are ${show(values)}.`,
    names.length === 0
      ? 'Options are an object by name, such as { dtype: "float32" }, or left out.'
      : `Options are an object by name, or left out. Its options are ${names.join(", ")}.`,
  );
}

/** Throws `unknown-option` if an object has an option that is not in `names`. */
export function checkOptions(what: string, options: object, names: readonly string[]): void {
  for (const key of Object.keys(options)) if (!names.includes(key)) throw unknownOption(what, key, names);
}

// Names of NumPy and JAX.
const otherNames: Readonly<Record<string, string>> = {
  axis: "dim",
  axes: "dim",
  keepdims: "keepdim",
  in_axes: "inDims",
  out_axes: "outDims",
};

/** The error for an option that a function does not have; it names those that exist. */
export function unknownOption(what: string, key: string, names: readonly string[]): JitlabError {
  const own = otherNames[key];
  const hint = own !== undefined && names.includes(own) ? `Did you mean "${own}"?` : didYouMean(key, names);
  const help = `${hint} Its options are ${names.join(", ")}.`.trim();
  return new JitlabError("unknown-option", `${what} has no option ${JSON.stringify(key)}.`, help);
}

/** A number; throws `bad-argument` for any other value. */
export function numberOf(what: string, name: string, value: unknown): number {
  if (typeof value === "number") return value;
  throw new JitlabError(
    "bad-argument",
    `${what}: ${name} is ${show(value)}, not a number.`,
    "Pass a number.",
  );
}

/** An integer; throws `bad-argument` for any other value. */
export function integerOf(what: string, name: string, value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new JitlabError(
    "bad-argument",
    `${what}: ${name} is ${show(value)}, not an integer.`,
    "Pass an integer.",
  );
}

/** An integer from 0 on; throws `bad-argument` for any other value. */
export function countOf(what: string, name: string, value: unknown): number {
  const count = integerOf(what, name, value);
  if (count >= 0) return count;
  throw new JitlabError("bad-argument", `${what}: ${name} is ${count}.`, "Pass a number from 0 on.");
}

/** One integer or a list of them as a list; throws `bad-argument` for any other value. */
export function integersOf(what: string, name: string, value: unknown): number[] {
  const list: unknown[] = isArray(value) ? value : [value];
  return list.map((item) => integerOf(what, name, item));
}

/** A list of two; throws `bad-argument` for any other value. */
export function pairOf<T>(what: string, name: string, value: readonly [T, T]): readonly [T, T] {
  if (isArray(value) && value.length === 2) return value;
  throw new JitlabError(
    "bad-argument",
    `${what}: ${name} is ${show(value)}, not a list of two.`,
    "Pass a list of two.",
  );
}

/** The arguments of a function that takes numbers one by one or as one list. */
export function listOf<T>(values: readonly (T | readonly T[])[]): readonly T[] {
  const [first] = values;
  return values.length === 1 && isArray(first) ? first : (values as readonly T[]);
}

/** Text; throws `bad-argument` for any other value. */
export function textOf(what: string, name: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw new JitlabError("bad-argument", `${what}: ${name} is ${show(value)}, not text.`, "Pass a string.");
}

/** The result of a function that must not be async; its error is thrown for a promise, whose rejection nobody handles then. */
export function checkSynchronous(what: string, value: unknown, code: string, help: string): void {
  if (!types.isPromise(value)) return;
  value.then(undefined, () => {});
  throw new JitlabError(code, `${what}: the function is async.`, help);
}

/** A function; throws `bad-argument` for any other value. */
export function checkFunction(what: string, name: string, value: unknown): void {
  if (typeof value === "function" && !isRevoked(value)) return;
  throw new JitlabError(
    "bad-argument",
    `${what}: ${name} is ${show(value)}, not a function.`,
    "Pass a function.",
  );
}
