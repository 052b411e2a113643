// Merges groups: a group becomes part of an earlier one whose kernel may hold it.

import { eachSource, type Makers, makersOf, type Node, type Value } from "../graph/ir.js";
import type { Group } from "./loop.js";

/** True if `group` may run as part of `earlier`, apart from what runs between them. */
export type MayHold = (earlier: Group, group: Group, makers: Makers) => boolean;

/** The groups, in order, that compute the `roots`, with groups of a kind merged. */
export function mergeGroups(
  groups: readonly Group[],
  roots: ReadonlySet<Value>,
  isOfKind: (group: Group) => boolean,
  mayHold: MayHold,
): Group[] {
  const kept = [...groups];
  const mergeable = new Set(groups.filter(isOfKind));
  if (mergeable.size < 2) return kept;
  const makers = makersOf(groups.flatMap(({ nodes }) => nodes));
  for (let at = kept.length - 1; at > 0; at--) {
    const group = kept[at] as Group;
    if (!mergeable.has(group)) continue;
    const place = kept.findIndex(
      (one, i) =>
        i < at &&
        mergeable.has(one) &&
        mayHold(one, group, makers) &&
        !readsResults(group, kept.slice(i + 1, at), makers),
    );
    const earlier = kept[place];
    if (earlier === undefined) continue;
    kept.splice(at, 1);
    const others = kept.filter((one) => one !== earlier);
    const read = new Set([...roots, ...others.flatMap(sourcesOf)]);
    const stored = [...earlier.stored, ...group.stored].filter((value) => read.has(value));
    const { axes, rows } = earlier;
    const merged = { axes, rows, nodes: nodesOf(earlier, group), stored: new Set(stored) };
    mergeable.add(merged);
    kept[place] = merged;
  }
  return kept;
}

/** The nodes of two groups, each once, in deferral order. */
export function nodesOf(a: Group, b: Group): Node[] {
  return [...new Set([...a.nodes, ...b.nodes])].sort((a, b) => a.id - b.id);
}

/** True if a group reads results of others. */
function readsResults(group: Group, others: readonly Group[], makers: Makers): boolean {
  const nodes = new Set(others.flatMap((other) => other.nodes));
  // Values that it computes itself may also be computed by others.
  for (const node of group.nodes) nodes.delete(node);
  return sourcesOf(group).some((source) => nodes.has(makers.get(source) as Node));
}

function sourcesOf({ nodes }: Group): Value[] {
  const found: Value[] = [];
  for (const node of nodes) eachSource(node, (source) => found.push(source));
  return found;
}
