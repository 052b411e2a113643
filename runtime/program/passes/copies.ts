// Groups nodes after views were moved to operands, with copies of maps where these save a kernel or memory traffic. A copy is
// never stored: a value that would be is computed once.

import type { Node, Value } from "../graph/ir.js";
import type { Group } from "./loop.js";
import { originOf } from "./moved-maps.js";
import { pushViews } from "./views.js";

// How often copies are tried; each time with those that would be stored left out.
const mostRounds = 4;

/** The groups that `grouped` makes of nodes with moved views; `kept` are the values that are needed as they are. */
export function groupedThroughViews(
  nodes: readonly Node[],
  kept: ReadonlySet<Value>,
  grouped: (nodes: readonly Node[]) => Group[],
): Group[] {
  const moved = pushViews(nodes, { kept, single: undefined });
  const groups = grouped(moved.nodes);
  if (!moved.isPartial) return groups;
  const single = new Set<Value>();
  for (let round = 0; round < mostRounds; round++) {
    const copied = pushViews(nodes, { kept, single });
    const copies = copiesIn(copied.nodes);
    if (copies.size === 0) break;
    const found = grouped(copied.nodes);
    const stored = found.flatMap((group) => [...group.stored]).map(originOf);
    const failing = stored.filter((value) => copies.has(value));
    if (failing.length === 0) return found.length <= groups.length ? found : groups;
    for (const value of failing) single.add(value);
  }
  return groups;
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
