// The other inputs of a translation, and its result.
import type { AnyNode } from "acorn";
import type { PositionUse } from "../position.js";
import type { ScriptSource } from "./source.js";
import type { Type } from "./types.js";

/** The binding of a name outside of the function. */
export type Outside =
  | { readonly kind: "number" | "bool" }
  | { readonly kind: "function"; readonly source: ScriptSource }
  | { readonly kind: "operation"; readonly name: string }
  | { readonly kind: "refused"; readonly what: string; readonly help: string };

/** The names outside of a functor that it may use. */
export interface OuterNames {
  /** The binding of a name that the function does not declare; undefined if unknown. */
  outside(name: string, cell: boolean, source: ScriptSource): Outside | undefined;
}

/** A parameter of the entry. */
export interface EntryParameter {
  readonly label: string;
  readonly node: AnyNode;
  readonly type: Type;
  /** For a field of an accumulator: its name in the function. */
  readonly record?: string | undefined;
}

/** A value that the function returns: by name, as a field of an accumulator, or its single result. */
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
