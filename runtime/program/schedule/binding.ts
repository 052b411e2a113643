// The numbers by which a plan names nodes, values and scalars, and what they name in one call.

import type { PooledStorage } from "../../device/pooled-storage.js";
import type { Scalar } from "../../ops/op.js";
import type { MapNode, Node, Value } from "../operations/ir.js";
import type { Window } from "../operations/window.js";
import type { Donation } from "./donation.js";

/** Results per node: a result's number is its node's times this, plus its index. */
export const mostResults = 64;

/** A scalar of a node: an operand, or a captured parameter. */
export interface ScalarRef {
  readonly node: number;
  readonly at: number;
  readonly isParameter: boolean;
}

/** Scalars with the names of a functor's parameters. */
export type NamedScalars = readonly (readonly [name: string, scalar: ScalarRef])[];

/** A window on a value: from 0 on a result, by its node and index; below 0 a leaf. */
export interface ReadRef {
  readonly ref: number;
  readonly window: Window;
  /** True if the kernel gets the address, and reads an element for each of the window at a place that it computes. */
  readonly isSource?: boolean | undefined;
}

/** A result that a launch stores. */
export interface OutputRef {
  readonly ref: number;
  readonly window: Window;
  /** The number of the partly replaced value, and how many reads of it end with this plan. */
  readonly base: { readonly ref: number; readonly reads: number } | undefined;
  /** The number of the leaf that it may be written over if no more than so many reads of it are pending. */
  over: { readonly ref: number; readonly reads: number } | undefined;
}

/** The nodes and leaves that a plan's numbers name in one call. */
export interface Binding {
  readonly nodes: readonly Node[];
  readonly leaves: readonly Value[];
  /** The memory of values that only the plan's kernels need. */
  readonly scratch?: ReadonlyMap<number, PooledStorage>;
  /** Donated memory for results, by their numbers. */
  readonly given?: ReadonlyMap<number, PooledStorage> | undefined;
  /** The arguments that the call gave away. */
  readonly donation?: Donation | undefined;
}

/** The node with a plan's number. */
export function nodeAt({ nodes }: Binding, number: number): Node {
  return nodes[number] as Node;
}

/** The value with a plan's number. */
export function valueAt({ nodes, leaves }: Binding, ref: number): Value {
  if (ref < 0) return leaves[-ref - 1] as Value;
  return nodes[numberOf(ref)]?.made[ref % mostResults] as Value;
}

/** The memory of the value with a plan's number. */
export function memoryAt(binding: Binding, ref: number): PooledStorage {
  return binding.scratch?.get(ref) ?? valueAt(binding, ref).memory();
}

/** The number of the node that makes a value. */
export function numberOf(ref: number): number {
  return Math.floor(ref / mostResults);
}

/** A scalar of this call. */
export function scalarAt(binding: Binding, { node, at, isParameter }: ScalarRef): Scalar {
  const owner = nodeAt(binding, node) as MapNode;
  return (isParameter ? owner.parameters[at] : owner.operands[at]) as Scalar;
}

/** The scalars of this call by the names of a functor's parameters. */
export function parametersAt(binding: Binding, named: NamedScalars): Record<string, Scalar> {
  const values: Record<string, Scalar> = {};
  for (const [name, scalar] of named) values[name] = scalarAt(binding, scalar);
  return values;
}
