// A group with a reduction that no row kernel runs: the maps that compute its elements, the reduction, and the maps over its
// results, which its last kernel computes.

import { sizeOf } from "../../geometry/layout.js";
import { type MapNode, makersOf, type ReduceNode } from "../graph/ir.js";
import { isCostly, isGather, isPositioned, readsFrom, readsOf, scalarsOf } from "../graph/reads.js";
import type { OperandClass, ResultClass } from "../graph/slot.js";
import { type Group, isDense, isHere, type ReductionParts, reductionParts } from "./loop.js";

// Limits of what follows a reduction in its kernel, whose argument block has 4 KiB.
const most = { maps: 32, operands: 8, outputs: 8, scalars: 16 };
// A processor computes what follows from a result without vector registers; from this length of a reduction on, that costs
// little beside it.
const longEnough = 1024;

/** True if the kernel of a group's reductions has room for a map over their results. */
export function fitsAfter({ nodes, axes }: Group, node: MapNode): boolean {
  const { reductions, after } = reductionParts(nodes) as ReductionParts;
  const [{ slot }] = reductions;
  const [{ window: result }] = slot.results as readonly [ResultClass];
  const { domain, device, results } = node.slot;
  if (device !== slot.device || sizeOf(domain) !== result.size) return false;
  if (isPositioned(node) || isGather(node)) return false;
  if (node.bases.some((base) => base) || !results.every(({ window }) => isDense(window, domain)))
    return false;
  const all = [...after, node];
  const makers = makersOf([...reductions, ...after]);
  const isNear = readsOf(node).every((read) => {
    const maker = makers.get(read.value);
    if (maker) return isHere(read, maker, node, axes);
    return isDense(read.window, domain) || read.window.size === 1;
  });
  if (!isNear || !readsOf(node).some(({ value }) => makers.has(value))) return false;
  const [elements] = slot.operands as readonly [OperandClass];
  const length = (elements.window?.size ?? 0) / Math.max(1, sizeOf(domain));
  if (isCostly(node) && device.target.dialect.grid === undefined && length < longEnough) return false;
  return hasRoomAfter(reductions, all);
}

/** True if the kernel of reductions has room for maps over their results. */
export function hasRoomAfter(reductions: readonly ReduceNode[], after: readonly MapNode[]): boolean {
  return (
    after.length <= most.maps &&
    readsFrom([...reductions, ...after]).length <= most.operands &&
    after.reduce((count, one) => count + one.made.length, 0) <= most.outputs &&
    scalarsOf(after) <= most.scalars
  );
}
