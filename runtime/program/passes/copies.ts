// The pass that moves views of results to operands, with copies of maps where these save a kernel or memory traffic. A copy is never
// stored: a value that would be is computed once.

import type { Node, Value } from "../graph/ir.js";
import { originOf } from "./moved-maps.js";
import type { Graph, Pass } from "./pass.js";
import { pushViews } from "./views.js";

// How often copies are tried; each time with those that would be stored left out.
const mostRounds = 4;

/** Moves views; of the graphs without and with copies, the one with fewer loops is the result. */
export const views: Pass = (graph, rest) => {
  const { nodes, kept } = graph;
  if (!isMovable(graph)) return rest(graph);
  const moved = pushViews(nodes, { kept, single: undefined });
  const plain = rest({ ...graph, nodes: moved.nodes });
  if (!moved.isPartial) return plain;
  const single = new Set<Value>();
  for (let round = 0; round < mostRounds; round++) {
    const copied = pushViews(nodes, { kept, single });
    const copies = copiesIn(copied.nodes);
    if (copies.size === 0) break;
    const found = rest({ ...graph, nodes: copied.nodes });
    const stored = found.loops.flatMap((loop) => [...loop.stored]).map(originOf);
    const failing = stored.filter((value) => copies.has(value));
    if (failing.length === 0) return found.loops.length <= plain.loops.length ? found : plain;
    for (const value of failing) single.add(value);
  }
  return plain;
};

/** Only memory of the plan itself may have a value's elements in another order; it is on one device. */
function isMovable({ nodes, isLast }: Graph): boolean {
  return isLast && nodes.every(({ slot }) => slot.device === nodes[0]?.slot.device);
}

/** The values that several nodes compute, or one whose result has more elements. */
function copiesIn(nodes: readonly Node[]): ReadonlySet<Value> {
  const seen = new Set<Value>();
  const found = new Set<Value>();
  for (const value of nodes.flatMap(({ made }) => made)) {
    const origin = originOf(value);
    if (seen.has(origin) || value.bytes > origin.bytes) found.add(origin);
    seen.add(origin);
  }
  return found;
}
