// What a translation is given beside the function, and what it gives back.
import type { AnyNode } from "acorn";
import type { PositionUse } from "../position.js";
import type { ScriptSource } from "./source.js";
import type { Type } from "./types.js";

/** What a name outside the function stands for. */
export type Outside =
  | { readonly kind: "number" | "bool" }
  | { readonly kind: "function"; readonly source: ScriptSource }
  | { readonly kind: "operation"; readonly name: string }
  | { readonly kind: "refused"; readonly what: string; readonly help: string };

/** What a functor is given beside its own arguments. */
export interface Surroundings {
  /** What a name stands for that the function does not declare; undefined where nobody knows it. */
  outside(name: string, cell: boolean, source: ScriptSource): Outside | undefined;
}

/** A parameter of the entry. */
export interface EntryParameter {
  readonly label: string;
  readonly node: AnyNode;
  readonly type: Type;
  /** Where it is a field of an accumulator: what the function calls that. */
  readonly record?: string | undefined;
}

/** A value that the function returns by name, as a field of an accumulator, or the one that it returns. */
export interface ExpectedResult {
  readonly name: string;
  readonly kind: "number" | "bool" | "integer";
}

/** A translated function. */
export interface Translation {
  readonly text: string;
  /** Names of the captured numbers and booleans, in the order of the entry's parameters. */
  readonly captures: readonly {
    readonly label: string;
    readonly cell: boolean;
    readonly kind: "number" | "bool";
  }[];
  readonly positions: readonly PositionUse[];
  /** The kind of each result. */
  readonly results: readonly ("number" | "bool")[];
  /** The keys of results that are returned as an object. */
  readonly keys: readonly string[] | undefined;
}
