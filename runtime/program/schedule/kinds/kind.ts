// A kind of launch: which loops of nodes it computes, and the launch of such a loop.

import type { Functor } from "../../../functor/functor.js";
import type { MapNode, Node, Value } from "../../operations/ir.js";
import type { Read } from "../../operations/reads.js";
import type { Loop } from "../../passes/loop.js";
import type { NamedScalars, OutputRef, ReadRef } from "../binding.js";
import type { Launch } from "../launches.js";

/** How many reads of each partly replaced value end with the plan. */
export type EndingReads = ReadonlyMap<Value, number>;

/** A kind of launch. */
export interface Kind {
  readonly holds: (loop: Loop) => boolean;
  readonly launchOf: (planner: Planner, loop: Loop, reads: EndingReads) => Launch;
}

/** What writes launches of nodes by the numbers of one tape. */
export interface Planner {
  readonly refOf: (value: Value) => number;
  readonly numberOf: (node: Node) => number;
  /** The numbers of nodes; copies have their original's. */
  numbersOf(nodes: readonly Node[]): readonly number[];
  output(node: Node, i: number, reads: EndingReads): OutputRef;
  /** The functor of maps with the `stored` results as outputs, and its arguments; `first` are its first inputs. */
  composed(
    nodes: readonly MapNode[],
    stored: ReadonlySet<Value>,
    first: readonly Read[],
  ): {
    readonly functor: Functor;
    readonly inputs: readonly ReadRef[];
    readonly parameters: NamedScalars;
    readonly results: readonly { readonly step: number; readonly output: number }[];
  };
}
