// The reference of the library's functions and of tensors' methods for %help. The build writes it from their comments.
import { readFileSync } from "node:fs";
import type { Library } from "../library.js";

/** An option of a function. */
export interface DocumentedOption {
  readonly name: string;
  readonly type: string;
  readonly doc: string;
  readonly default?: string;
}

/** One overload of a function: its calls as text, its description, and an example with its result. */
export interface Form {
  readonly calls: readonly string[];
  readonly text: string;
  readonly options?: readonly DocumentedOption[];
  readonly example?: string;
  readonly gives?: string;
}

let read: Readonly<Record<string, readonly Form[]>> | undefined;

/** The forms of every function and method by its name. */
export function reference(): Readonly<Record<string, readonly Form[]>> {
  read ??= JSON.parse(readFileSync(new URL("../../runtime/reference.json", import.meta.url), "utf8"));
  return read as Readonly<Record<string, readonly Form[]>>;
}

/**
 * The forms of a function of the library or a tensor's method, by its value or, where there is none, by a name such as `jl.rand`;
 * of an object of functions by a name such as `jl.linalg.solve`.
 */
export function formsOf(jl: Library, path: readonly string[], value: unknown): readonly Form[] | undefined {
  if (path.length === 3 && path[0] === "jl") return reference()[path.slice(1).join(".")];
  const name = path.at(-1) as string;
  const isNamed = path.length === 1 || (path.length === 2 && path[0] === "jl");
  const has = (owner: object) => typeof value === "function" && Reflect.get(owner, name) === value;
  const isOurs = value === undefined ? isNamed : has(jl) || has(jl.Tensor.prototype);
  return isOurs && Object.hasOwn(reference(), name) ? reference()[name] : undefined;
}

/** An option as a line of text. */
export function optionText({ name, type, doc, default: given }: DocumentedOption): string {
  const parts = [doc.replace(/\.$/, ""), ...(given === undefined ? [] : [`default ${given}`])].filter(
    Boolean,
  );
  return `${name}: ${type}${parts.length > 0 ? `. ${parts.join("; ")}.` : ""}`;
}
