// What shares a kernel is a loop: nodes over the same axes. Where each node stands in it, in which sweep over the axes it runs,
// and which values it reads where they were just computed all follow from the nodes.

import type { Domain, RowShare } from "../../codegen/rows/row-spec.js";
import { broadcastStrides, isContiguous, sameNumbers, sizeOf } from "../../geometry/layout.js";
import {
  isMap,
  isOpaque,
  isReduction,
  isScan,
  type MapNode,
  makersOf,
  type Node,
  type ReduceNode,
  type ScanNode,
  type Value,
} from "../operations/ir.js";
import { type Read, readsOf } from "../operations/reads.js";
import type { Window } from "../operations/window.js";

/** The axes of a loop: the shape of its points, and which of its dimensions reductions join; empty if they join none. */
export interface Axes {
  readonly shape: readonly number[];
  readonly joined: readonly boolean[];
}

/** The axes of a loop whose rows are held: the joined ones are the last. */
export interface Rows extends Axes {
  /** How many dimensions number the rows. */
  readonly kept: number;
  /** The threads of a row on a GPU; undefined on a processor. */
  readonly share: RowShare | undefined;
}

/** Nodes that run as one kernel. */
export interface Loop {
  /** Those of its first reduction, or else of its first node. */
  axes: Axes;
  readonly nodes: Node[];
  /** The rows of a loop with reductions whose rows are held. */
  rows: Rows | undefined;
  /** Results that go to memory. */
  readonly stored: Set<Value>;
}

const none: readonly boolean[] = [];

/** The axes over which a node runs by itself. */
export function axesOf({ slot }: Node): Axes {
  if (slot.kind === "map") return { shape: slot.domain, joined: none };
  const shape = slot.operands[0]?.window?.shape ?? [];
  return { shape, joined: slot.kind === "reduce" ? slot.call.gone : none };
}

/** True for the same axes. */
export function sameAxes(a: Axes, b: Axes): boolean {
  if (a.joined.length !== b.joined.length || !sameNumbers(a.shape, b.shape)) return false;
  return a.joined.every((is, d) => is === b.joined[d]);
}

/** Where a node's results stand: at every point, or once for all points along the joined axes; undefined in another loop. */
export function domainOf(node: Node, axes: Axes): Domain | undefined {
  if (isReduction(node)) return sameAxes(axesOf(node), axes) ? "kept" : undefined;
  if (isOpaque(node)) return undefined;
  const shape = isMap(node) ? node.slot.domain : axesOf(node).shape;
  if (sameNumbers(shape, axes.shape)) return "points";
  return axes.joined.length > 0 && sizeOf(shape) === keptOf(axes) ? "kept" : undefined;
}

/** The number of points that differ in an axis which is not joined. */
function keptOf({ shape, joined }: Axes): number {
  return shape.reduce((product, extent, d) => (joined[d] ? product : product * extent), 1);
}

/**
 * True if a node reads a value of its own loop at the point where this was just computed. What is made at points is read there
 * or joined; what is made once may be read by others of its kind, or at all points along the joined axes.
 */
export function isHere(read: Read, maker: Node, reader: Node, axes: Axes): boolean {
  const [made, at] = [domainOf(maker, axes), domainOf(reader, axes)];
  if (made === undefined || at === undefined) return false;
  if (made === "points") return (at === "points" || !isMap(reader)) && isAtPoint(read, axes.shape);
  const { value, window, isAddress } = read;
  if (isAddress || !isMap(reader) || window.offset !== 0) return false;
  if (at === "points") return isAlong(window, axes);
  return window.size === sizeOf(value.shape ?? []) && isDense(window, reader.slot.domain);
}

/** True for a read of a whole value over a shape, element by element in the order in which it is computed. */
export function isAtPoint({ value, window, isAddress }: Read, shape: readonly number[]): boolean {
  return !isAddress && value.isWhole(window) && sameNumbers(window.shape, shape);
}

/** True if a window shows one element for each of a shape, in row-major order. */
export function isDense({ shape, strides }: Window, domain: readonly number[]): boolean {
  return isContiguous(domain, broadcastStrides(shape, strides, domain));
}

/** True if a window shows one element for all points along the joined axes, and these in row-major order. */
function isAlong({ shape, strides }: Window, axes: Axes): boolean {
  const own = broadcastStrides(shape, strides, axes.shape);
  let next = 1;
  for (let d = own.length - 1; d >= 0; d--) {
    const extent = axes.shape[d] as number;
    const wanted = axes.joined[d] ? 0 : next;
    if (extent !== 1 && own[d] !== wanted) return false;
    if (!axes.joined[d]) next *= extent;
  }
  return true;
}

/** The sweep over the joined axes in which each node runs: that of its operands, or the one after those that it needs joined. */
export function sweepsOf(nodes: readonly Node[]): ReadonlyMap<Node, number> {
  const sweeps = new Map<Node, number>();
  const ready = new Map<Value, number>();
  for (const node of nodes) {
    let sweep = 0;
    for (const value of node.values) sweep = Math.max(sweep, (value && ready.get(value)) ?? 0);
    sweeps.set(node, sweep);
    for (const value of node.made) ready.set(value, isMap(node) ? sweep : sweep + 1);
  }
  return sweeps;
}

/** The nodes of a loop that ends with reductions of one sweep, each in order. */
export interface ReductionParts {
  readonly before: readonly MapNode[];
  readonly reductions: readonly [ReduceNode, ...ReduceNode[]];
  readonly after: readonly MapNode[];
}

/** The parts of a loop with reductions; undefined for one without. */
export function reductionParts(nodes: readonly Node[]): ReductionParts | undefined {
  if (!nodes.some(isReduction)) return undefined;
  const sweeps = sweepsOf(nodes);
  const maps = nodes.filter(isMap);
  return {
    before: maps.filter((node) => sweeps.get(node) === 0),
    reductions: nodes.filter(isReduction) as [ReduceNode, ...ReduceNode[]],
    after: maps.filter((node) => sweeps.get(node) !== 0),
  };
}

/** The nodes of a loop with a scan, each in order; a map may be both before and after it, because results stay at points. */
export interface ScanParts {
  readonly before: readonly MapNode[];
  readonly scan: ScanNode;
  readonly after: readonly MapNode[];
}

/** The parts of a loop with a scan, which stores some values. */
export function scanParts(nodes: readonly Node[], stored: ReadonlySet<Value>): ScanParts {
  const scan = nodes.find(isScan) as ScanNode;
  const makers = makersOf(nodes);
  const upTo = (values: Iterable<Value | undefined>): readonly MapNode[] => {
    const found = new Set<Node>();
    const rest = [...values];
    for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
      const node = makers.get(value);
      if (node === undefined || node === scan || found.has(node)) continue;
      found.add(node);
      rest.push(...readsOf(node).map((read) => read.value));
    }
    return nodes.filter((node): node is MapNode => found.has(node) && isMap(node));
  };
  return { before: upTo(scan.values), scan, after: upTo(stored) };
}
