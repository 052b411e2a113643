// Checks arguments for callers without types: each error names the function, the argument and its value.
import { isArray, isRevoked, JitlabError, show } from "./errors.js";

/** True for an object of options, the last argument of many calls: not a tensor, a complex scalar or a list. */
export function isOptions(value: unknown): value is object {
  if (typeof value !== "object" || value === null || isRevoked(value) || Array.isArray(value)) return false;
  return !(
    "pointer" in value ||
    ArrayBuffer.isView(value) ||
    typeof (value as { re?: unknown }).re === "number"
  );
}

/** The options of a call, `{}` without any; throws `bad-argument` for anything else. */
export function optionsOf<T extends object>(what: string, options: T | undefined): Partial<T> {
  if (options === undefined) return {};
  if (isOptions(options)) return options;
  throw new JitlabError(
    "bad-argument",
    `${what}: the options are ${show(options)}.`,
    'Options are an object by name, such as { dtype: "float32" }, or left out.',
  );
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

/** A function; throws `bad-argument` for any other value. */
export function checkFunction(what: string, name: string, value: unknown): void {
  if (typeof value === "function" && !isRevoked(value)) return;
  throw new JitlabError(
    "bad-argument",
    `${what}: ${name} is ${show(value)}, not a function.`,
    "Pass a function.",
  );
}
