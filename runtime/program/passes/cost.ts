// What is worth a change: fewer bytes of distinct elements that kernels read and write, unless computing an element takes longer
// than reading it.

import { isLongOnGpu, userTexts } from "../../functor/functor.js";
import { distinctElements, sameNumbers, sizeOf } from "../../geometry/layout.js";
import {
  isMap,
  type MapNode,
  type Node,
  type ReduceNode,
  type ScanNode,
  type Value,
} from "../operations/ir.js";
import { elementsOf, isGather, type Read, readsFrom, readsOf } from "../operations/reads.js";
import { sameWindow, type Window } from "../operations/window.js";
import { rowsOf } from "./fits.js";
import { type Axes, type Rows, sameAxes } from "./loop.js";

// How much longer it takes at most to read elements that are apart from each other in memory.
const mostSlowdown = 4;
// Maps that may be computed more than once: by several kernels, for several views, or again after elements are read.
const mostRepeated = 16;
// A processor computes what follows from a result without vector registers; from this length of a reduction on, that costs
// little beside it.
const longEnough = 1024;

/**
 * True if computing a value where it is needed, from so many bytes, costs no more than storing it: reading what it is made of,
 * writing it, and reading it.
 */
export function pays(computed: number, made: number, value: Value, read: number): boolean {
  return computed <= made + value.bytes + read;
}

/** The bytes of distinct elements that nodes read from memory. */
export function bytesRead(nodes: readonly Node[]): number {
  return readsFrom(nodes).reduce((sum, { window }) => sum + bytesOf(window), 0);
}

/** The same with those that are apart from each other counted several times. */
export function timeRead(nodes: readonly Node[]): number {
  return timeOf(readsFrom(nodes).map(({ window }) => window));
}

/** The bytes of elements that windows show; those apart from each other count several times. */
export function timeOf(windows: readonly Window[]): number {
  return windows.reduce((sum, window) => {
    const inner = window.strides[window.shape.findLastIndex((extent) => extent > 1)] ?? 1;
    return sum + bytesOf(window) * Math.min(mostSlowdown, Math.max(1, Math.abs(inner)));
  }, 0);
}

function bytesOf({ shape, strides, dtype }: Window): number {
  return distinctElements(shape, strides) * dtype.bytes;
}

/** True if computing an element may cost more than reading it: long functors on a processor, and users' functors. */
function isCostly({ slot: { functor, compute, device } }: MapNode): boolean {
  if (userTexts(functor, compute).length > 0) return true;
  const isGpu = device.target.dialect.gpu !== undefined;
  return !isGpu && (functor.plain?.(compute) !== undefined || functor.heavy?.(compute) === true);
}

/** True if computing what maps compute more than once costs little beside reading it. */
export function isRepeatable(maps: readonly MapNode[]): boolean {
  return (
    maps.length <= mostRepeated && !maps.some((node) => isCostly(node) || isLong(node) || isGather(node))
  );
}

/** True for a functor that slows down the compiler if a thread has several copies of it. */
export function isLong({ slot: { functor, compute, device } }: MapNode): boolean {
  return device.target.dialect.gpu !== undefined && isLongOnGpu(functor, compute);
}

/** True if a map over the results of a reduction takes little time in its kernel. */
export function isBrief(node: MapNode, reduction: ReduceNode): boolean {
  const { domain, device } = node.slot;
  const length = elementsOf(reduction).size / Math.max(1, sizeOf(domain));
  return !isCostly(node) || device.target.dialect.gpu !== undefined || length >= longEnough;
}

/**
 * True if rows are worth being held: several blocks share a row, and wait for each other, only for maps that need the row's
 * elements again, after `node` or after another reduction of the same value.
 */
export function isWorthHolding(node: Node, rows: Rows, nodes: readonly Node[]): boolean {
  if (rows.share === undefined || rows.share.blocks === 1) return true;
  const derived = new Set<Value>();
  return nodes.some((one) => {
    const own = isMap(one) || one.values[0] !== node.values[0] ? undefined : rowsOf(one);
    const reads = readsOf(one).some(({ value }) => derived.has(value));
    if (reads || (own && sameAxes(own, rows))) for (const value of one.made) derived.add(value);
    return reads && isMap(one) && sameNumbers(one.slot.domain, rows.shape);
  });
}

/** True if nodes read elements that others read too, each at all points: these are then read from memory once. */
export function readSame(a: readonly Node[], b: readonly Node[], { shape }: Axes): boolean {
  const reads = wholeReads(a, shape);
  return wholeReads(b, shape).some(({ value, window }) =>
    reads.some((one) => one.value === value && sameWindow(one.window, window)),
  );
}

/**
 * True if a scan takes no longer with nodes around it: where a processor goes across memory, each operand with an element for
 * every point takes longer than a pass of its own along memory, so that there may be `most` of them.
 */
export function isFastAround(scan: ScanNode, nodes: readonly Node[], most: number): boolean {
  const { operation, device } = scan.slot;
  const { shape } = elementsOf(scan);
  if (device.target.dialect.gpu !== undefined || operation.isDense(shape)) return true;
  return wholeReads(nodes, shape).filter(({ value }) => !scan.made.includes(value)).length <= most;
}

/** The windows through which nodes read as many elements from memory as there are points. */
function wholeReads(nodes: readonly Node[], shape: readonly number[]): Read[] {
  const points = sizeOf(shape);
  return readsFrom(nodes).filter(({ window }) => distinctElements(window.shape, window.strides) === points);
}
