// The translator's interface for the writers of statements and returns.
import type { AnyNode } from "acorn";
import type { Callee, Record, Scope } from "./scope.js";
import type { FunctionNode } from "./source.js";
import type { ExpectedResult } from "./translation.js";
import type { Type } from "./types.js";
import type { Value, Variable, Visitor } from "./value.js";

/** The function that is being translated. */
export interface Frame {
  /** The function's syntax tree; it owns the variables. */
  readonly owner: object;
  readonly entry: boolean;
  /** The types of the results returned so far. */
  results: Type[];
  /** The keys of results that are returned as an object. */
  keys: readonly string[] | undefined;
  /** The called function; undefined for the entry. */
  readonly callee: Callee | undefined;
}

/** The translator's interface for statements. */
export interface StatementVisitor extends Visitor {
  lines: string[];
  scope: Scope;
  frame: Frame;
  capture<R>(run: () => R): { readonly result: R; readonly lines: string[] };
  declare(node: AnyNode, label: string, constant: boolean): Variable;
  absorb(variable: Variable, type: Type, node: AnyNode): void;
  stored(value: Value, type: Type): string;
  joined(a: Type, b: Type, node: AnyNode): Type;
  effect(node: AnyNode): void;
  local(node: FunctionNode, label: string): void;
  unsupported(node: AnyNode): never;
  /** The accumulator that an expression names. */
  record(node: AnyNode): Record | undefined;
  /** The accumulator that the entry must return, if any. */
  readonly expected: readonly ExpectedResult[] | undefined;
}
