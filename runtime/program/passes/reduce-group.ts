// A group with a reduction that no row kernel runs: the maps that compute its elements, the reduction, and the maps over its
// results, which its last kernel computes.

import { broadcastStrides, isContiguous, sizeOf } from "../../geometry/layout.js";
import { isMap, isReduction, type MapNode, type Node, type ReduceNode } from "../graph/ir.js";
import {
  isCostly,
  isGather,
  isPositioned,
  type Read,
  readsFrom,
  readsOf,
  scalarsOf,
} from "../graph/reads.js";
import type { OperandClass, ResultClass } from "../graph/slot.js";
import type { Window } from "../graph/window.js";

/** The nodes of a group with reductions, in order: one, or several of the same elements after joint-groups.ts. */
export interface ReductionParts {
  readonly before: readonly MapNode[];
  readonly reductions: readonly [ReduceNode, ...ReduceNode[]];
  readonly after: readonly MapNode[];
}

// Limits of what follows a reduction in its kernel, whose argument block has 4 KiB.
const most = { maps: 32, operands: 8, outputs: 8, scalars: 16 };
// A processor computes what follows from a result without vector registers; from this length of a reduction on, that costs
// little beside it.
const longEnough = 1024;

/** The parts of a group with reductions; undefined for a group without. */
export function partsOfReduction(nodes: readonly Node[]): ReductionParts | undefined {
  if (!nodes.some(isReduction)) return undefined;
  const [first, ...others] = nodes.filter(isReduction) as [ReduceNode, ...ReduceNode[]];
  const [before, after]: [MapNode[], MapNode[]] = [[], []];
  const made = new Set([first, ...others].flatMap((node) => node.made));
  for (const node of nodes) {
    if (!isMap(node)) continue;
    const follows = node.values.some((value) => value && made.has(value));
    (follows ? after : before).push(node);
    if (follows) for (const value of node.made) made.add(value);
  }
  return { before, reductions: [first, ...others], after };
}

/** True if a reduction's kernel has room for a map over its results. */
export function fitsAfter({ reductions, after }: ReductionParts, node: MapNode): boolean {
  const [{ slot }] = reductions;
  const [{ window: result }] = slot.results as readonly [ResultClass];
  const { domain, device, results } = node.slot;
  if (device !== slot.device || sizeOf(domain) !== result.size) return false;
  if (isPositioned(node) || isGather(node)) return false;
  if (node.bases.some((base) => base) || !results.every(({ window }) => isDense(window, domain)))
    return false;
  const all = [...after, node];
  const made = new Set([...reductions, ...after].flatMap((one) => one.made));
  const isNear = readsOf(node).every((read) =>
    made.has(read.value) ? isReadAfter(read, domain) : isDense(read.window, domain) || read.window.size === 1,
  );
  if (!isNear || !readsOf(node).some(({ value }) => made.has(value))) return false;
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

/** True if a map over `domain` reads a value of its own kernel for the result at hand. */
export function isReadAfter({ value, window }: Read, domain: readonly number[]): boolean {
  return window.offset === 0 && window.size === sizeOf(value.shape ?? []) && isDense(window, domain);
}

/** True if a window shows one element for each of `domain`, in its order. */
function isDense({ shape, strides }: Window, domain: readonly number[]): boolean {
  return isContiguous(domain, broadcastStrides(shape, strides, domain));
}
