// Merges loops: a loop becomes part of an earlier one whose kernel may hold it.

import { eachSource, type Makers, makersOf, type Node, type Value } from "../graph/ir.js";
import type { Loop } from "./loop.js";
import type { Graph } from "./pass.js";

/** True if `loop` may run as part of `earlier`, apart from what runs between them. */
export type MayHold = (earlier: Loop, loop: Loop, makers: Makers) => boolean;

/** The loops, with those of a kind merged. */
export function mergeLoops(
  { loops, roots }: Graph,
  isOfKind: (loop: Loop) => boolean,
  mayHold: MayHold,
): Pick<Graph, "loops"> {
  const kept = [...loops];
  const mergeable = new Set(loops.filter(isOfKind));
  if (mergeable.size < 2) return { loops };
  const makers = makersOf(loops.flatMap(({ nodes }) => nodes));
  for (let at = kept.length - 1; at > 0; at--) {
    const loop = kept[at] as Loop;
    if (!mergeable.has(loop)) continue;
    const first = kept.findIndex(
      (one, i) =>
        i < at &&
        mergeable.has(one) &&
        mayHold(one, loop, makers) &&
        !readsResults(loop, kept.slice(i + 1, at), makers),
    );
    const earlier = kept[first];
    if (earlier === undefined) continue;
    kept.splice(at, 1);
    const others = kept.filter((one) => one !== earlier);
    const read = new Set([...roots, ...others.flatMap(sourcesOf)]);
    const stored = [...earlier.stored, ...loop.stored].filter((value) => read.has(value));
    const { axes, rows } = earlier;
    const merged = { axes, rows, nodes: nodesOf(earlier, loop), stored: new Set(stored) };
    mergeable.add(merged);
    kept[first] = merged;
  }
  return { loops: kept };
}

/** The nodes of two loops, each once, in deferral order. */
export function nodesOf(a: Loop, b: Loop): Node[] {
  return [...new Set([...a.nodes, ...b.nodes])].sort((a, b) => a.id - b.id);
}

/** True if a loop reads results of others. */
function readsResults(loop: Loop, others: readonly Loop[], makers: Makers): boolean {
  const nodes = new Set(others.flatMap((other) => other.nodes));
  // Values that it computes itself may also be computed by others.
  for (const node of loop.nodes) nodes.delete(node);
  return sourcesOf(loop).some((source) => nodes.has(makers.get(source) as Node));
}

function sourcesOf({ nodes }: Loop): Value[] {
  const found: Value[] = [];
  for (const node of nodes) eachSource(node, (source) => found.push(source));
  return found;
}
