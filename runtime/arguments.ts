// Checks of arguments that TypeScript cannot make where a caller has no types: each refusal names the function, the
// argument and its value.
import { JitlabError, show } from "./errors.js";

/** The options of a call, `{}` where there are none; throws `bad-argument` for what is no object of options. */
export function optionsOf<T extends object>(what: string, options: T | undefined): Partial<T> {
  if (options === undefined) return {};
  if (typeof options === "object" && options !== null && !Array.isArray(options) && !("pointer" in options)) {
    return options;
  }
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

/** Text; throws `bad-argument` for any other value. */
export function textOf(what: string, name: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw new JitlabError("bad-argument", `${what}: ${name} is ${show(value)}, not text.`, "Pass a string.");
}

/** A function; throws `bad-argument` for any other value. */
export function functionOf(what: string, name: string, value: unknown): void {
  if (typeof value === "function") return;
  throw new JitlabError(
    "bad-argument",
    `${what}: ${name} is ${show(value)}, not a function.`,
    "Pass a function.",
  );
}
