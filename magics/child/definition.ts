// A function that a cell of %%kernel, %%cuda or %%reduction defined, as data: the kernel's main process keeps it, so that
// %history and %diff know it when the process that ran the cell has died.
import { deserialize, serialize } from "node:v8";
import type { JitFunction, JitOptions, Library, RawKernelOptions, ReductionOptions } from "../library.js";

interface Place {
  readonly file: string;
  readonly line: number;
}

/** The call of the library that makes the function. */
export type Recipe =
  | { readonly magic: "%%kernel"; readonly source: string; readonly options: JitOptions }
  | { readonly magic: "%%reduction"; readonly source: string; readonly options: ReductionOptions }
  | {
      readonly magic: "%%cuda";
      readonly source: string;
      readonly name: string;
      readonly options: RawKernelOptions;
    };

/** A definition of a name. */
export interface Definition {
  readonly name: string;
  readonly recipe: Recipe;
  readonly place: Place;
  /** When the cell ran, in milliseconds. */
  readonly at: number;
}

/** A function that a cell has defined. */
export type Defined = Pick<JitFunction, "name" | "check"> & Partial<Pick<JitFunction, "unload">>;

/** Makes the function. */
export function madeBy(jl: Library, recipe: Recipe, place: Place): Defined {
  const { magic, source } = recipe;
  if (magic === "%%kernel") return jl.jit(source, { ...recipe.options, place });
  if (magic === "%%cuda") return jl.rawKernel(source, recipe.name, { ...recipe.options, place });
  return jl.reduction(source, { ...recipe.options, place });
}

/** A definition as text; its options may hold numbers that JSON lacks. */
export function encodeDefinition(definition: Definition): string {
  return serialize(definition).toString("base64");
}

/** The definition of a text. */
export function decodeDefinition(text: string): Definition {
  return deserialize(Buffer.from(text, "base64")) as Definition;
}
