// What passes change: a program's nodes, and the loops that compute them.

import type { Node, Value } from "../operations/ir.js";
import type { Loop } from "./loop.js";

/** The nodes of a program in deferral order, and what runs in order. */
export interface Graph {
  readonly nodes: readonly Node[];
  /** Empty before a pass divides the nodes into loops. */
  readonly loops: readonly Loop[];
  /** The values that are needed in memory, and those that are needed as they are. */
  readonly roots: ReadonlySet<Value>;
  readonly kept: ReadonlySet<Value>;
  /** True if only the roots are needed later. */
  readonly isLast: boolean;
}

/** A pass: gives `rest`, the later passes, a changed graph, and returns what comes of it; or the best of several. */
export type Pass = (graph: Graph, rest: (graph: Graph) => Graph) => Graph;

/** A pass that makes one change. */
export function change(make: (graph: Graph) => Partial<Pick<Graph, "nodes" | "loops">>): Pass {
  return (graph, rest) => rest({ ...graph, ...make(graph) });
}

/** The loops of a graph after passes in order. */
export function loopsAfter(passes: readonly Pass[], graph: Graph): readonly Loop[] {
  const run = passes.reduceRight<(graph: Graph) => Graph>(
    (rest, pass) => (one) => pass(one, rest),
    (one) => one,
  );
  return run(graph).loops;
}
