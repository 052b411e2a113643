// What %help shows of the library's functions and of tensors' methods: the reference that the build writes from their comments.
import { readFileSync } from "node:fs";
import type { Library } from "../library.js";

/** One way to call a function: its calls as text, what it does, and an example with what that gives. */
export interface Form {
  readonly calls: readonly string[];
  readonly text: string;
  readonly example?: string;
  readonly gives?: string;
}

let read: Readonly<Record<string, readonly Form[]>> | undefined;

/** The forms of every function and method by its name. */
export function reference(): Readonly<Record<string, readonly Form[]>> {
  read ??= JSON.parse(readFileSync(new URL("../../runtime/reference.json", import.meta.url), "utf8"));
  return read as Readonly<Record<string, readonly Form[]>>;
}

/** The forms of a function of the library or a tensor's method, by its value or, where there is none, by a name such as `jl.rand`. */
export function formsOf(jl: Library, path: readonly string[], value: unknown): readonly Form[] | undefined {
  const name = path.at(-1) as string;
  const isNamed = path.length === 1 || (path.length === 2 && path[0] === "jl");
  const has = (owner: object) => typeof value === "function" && Reflect.get(owner, name) === value;
  const isOurs = value === undefined ? isNamed : has(jl) || has(jl.Tensor.prototype);
  return isOurs && Object.hasOwn(reference(), name) ? reference()[name] : undefined;
}
