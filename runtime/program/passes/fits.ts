// Whether a kernel can hold nodes: one table of limits for all forms, and the conditions of each form.

import { isComposable } from "../../codegen/composition/composer.js";
import { kindOf, reduceGeometry } from "../../codegen/reductions/reduce-passes.js";
import { type Domain, rowBufferBytes, rowShare, rowWord } from "../../codegen/rows/row-spec.js";
import { broadcastStrides, isContiguous, sameNumbers, sizeOf } from "../../geometry/layout.js";
import {
  isMap,
  isReduction,
  type MapNode,
  makersOf,
  type Node,
  type ReduceNode,
  type ScanNode,
  windowOf,
} from "../operations/ir.js";
import { elementsOf, isGather, isPositioned, readsFrom, readsOf, scalarsOf } from "../operations/reads.js";
import {
  type Axes,
  domainOf,
  isDense,
  isHere,
  type Loop,
  type ReductionParts,
  type Rows,
  sweepsOf,
} from "./loop.js";
import { isOfRows, layoutIn, liveIn } from "./rows.js";

/** What a kernel needs for nodes. */
export interface Size {
  readonly steps: number;
  /** Windows that are read from memory, results that may be stored, and scalars. */
  readonly operands: number;
  readonly outputs: number;
  readonly scalars: number;
}

const any = Number.POSITIVE_INFINITY;

/** The most that kernels hold, by their form. The block of arguments has 4 KiB on a GPU; `memory` counts operands and outputs. */
const limits = {
  /** Maps over one shape. */
  flat: { steps: 512, operands: any, outputs: any, memory: 47, scalars: 256 },
  /** The maps before reductions that are computed in parts, and those after them. A thread has accumulators of each reduction. */
  parts: { steps: 256, operands: 8, outputs: any, memory: any, scalars: 64, joins: 4 },
  after: { steps: 32, operands: 8, outputs: 8, memory: any, scalars: 16 },
  /** Rows that threads hold in registers, or tasks in a processor's cache: these and an accumulator have so many bytes. */
  held: {
    steps: 64,
    operands: 16,
    outputs: 32,
    memory: any,
    scalars: 48,
    rank: 4,
    registers: 512,
    cache: rowBufferBytes,
    accumulator: 32,
    /** A task takes a whole row: a long one only if there are tasks for all threads. */
    length: 32_768,
    lengthOfFew: 4096,
    few: 15,
  },
  /** A scan with the maps around it; an operand has a stride for each dimension. Outputs count beyond one for each step. */
  scan: { steps: 64, operands: 8, outputs: 8, memory: any, scalars: 32 },
};

/** True if a kernel of a form has room for so much. */
function isWithin(form: keyof typeof limits, { steps, operands, outputs, scalars }: Size): boolean {
  const most = limits[form];
  return (
    steps <= most.steps &&
    operands <= most.operands &&
    outputs <= most.outputs &&
    operands + outputs <= most.memory &&
    scalars <= most.scalars
  );
}

/** What a kernel needs for nodes. */
function sizeFor(nodes: readonly Node[]): Size {
  return {
    steps: nodes.length,
    operands: readsFrom(nodes).length,
    outputs: outputsOf(nodes),
    scalars: scalarsOf(nodes),
  };
}

function outputsOf(nodes: readonly Node[]): number {
  return nodes.reduce((count, { made }) => count + made.length, 0);
}

/** True if a kernel of maps over one shape, which needs so much, may have one more. */
export function fitsFlat(
  maps: readonly MapNode[],
  { operands, outputs, scalars }: Omit<Size, "steps">,
  usesPositions: boolean,
  node: MapNode,
): boolean {
  if (!isWithin("flat", { steps: maps.length + 1, operands, outputs, scalars: scalars + 1 })) return false;
  return !(usesPositions || isPositioned(node)) || [node, ...maps].every(isFlat);
}

/** True if an element's offset in memory is its position. */
function isFlat(node: MapNode): boolean {
  const { results, domain } = node.slot;
  const windows = [...readsOf(node), ...results].map(({ window }) => window);
  return windows.every(({ shape, strides }) => sameNumbers(shape, domain) && isContiguous(shape, strides));
}

/** True if a kernel of maps that stores the results of some has room for all. */
export function fitsMaps(all: readonly Node[], stored: readonly Node[]): boolean {
  return isWithin("flat", { ...sizeFor(all), outputs: outputsOf(stored) });
}

/** True for a map that may share a kernel. */
export function isShareable(node: MapNode): boolean {
  return isComposable(node.slot.functor) && !isPositioned(node);
}

/** The rows of a reduction; undefined if no kernel can hold them. */
export function rowsOf(node: Node): Rows | undefined {
  if (!isReduction(node)) return undefined;
  const { device, call } = node.slot;
  const { gone, plan } = call;
  if (plan.user?.isUnfusable) return undefined;
  const kept = gone.indexOf(true);
  if (kept < 0 || kept > limits.held.rank || gone.includes(false, kept)) return undefined;
  const elements = elementsOf(node);
  const { results, length, reduced } = reduceGeometry(elements, gone, true);
  const isRow = results > 0 && length > 0 && reduced.length === 1 && reduced[0]?.step === 1;
  const { dialect, blocksTogether } = device.target;
  const share = dialect.gpu && rowShare(length, blocksTogether);
  const fitsRow = dialect.gpu
    ? share !== undefined && plan.accumulatorBytes <= limits.held.accumulator
    : length <= (results <= limits.held.few ? limits.held.lengthOfFew : limits.held.length);
  if (!isRow || results > 2 ** 31 - 1 || !fitsRow) return undefined;
  return { shape: elements.shape, joined: gone, kept, share };
}

/** Where a node's results stand in rows; undefined for a node that a kernel which holds them cannot run. */
export function domainIn(rows: Rows, node: Node): Domain | undefined {
  const domain = domainOf(node, rows);
  if (!isMap(node)) return domain && rowsOf(node) && domain;
  const { results, domain: shape } = node.slot;
  const isPlain =
    isShareable(node) &&
    node.bases.every((base) => base === undefined) &&
    results.every(({ window }) => {
      return window.offset === 0 && sameNumbers(window.shape, shape) && isContiguous(shape, window.strides);
    });
  if (!isPlain || domain === undefined) return undefined;
  if (domain === "kept") return isOfRows(shape, rows) ? domain : undefined;
  const isReached = node.values.every((_, i) => {
    const window = windowOf(node, i);
    return window === undefined || layoutIn(window, shape, rows) !== undefined;
  });
  return isReached ? domain : undefined;
}

/** True if a kernel that holds rows has room for nodes: in its arguments, and in the memory that holds rows between sweeps. */
export function fitsBuffer(nodes: readonly Node[], rows: Rows): boolean {
  if (nodes.length > limits.held.steps || !isWithin("held", sizeFor(nodes))) return false;
  const length = sizeOf(rows.shape.slice(rows.kept));
  const sweeps = sweepsOf(nodes);
  const held = liveIn(nodes, rows, sweeps);
  if (rows.share === undefined) {
    // Inputs are not copied.
    const reduced = new Set(nodes.flatMap((node) => (isMap(node) ? [] : node.values)));
    const kept = held.filter(
      ({ value, window, first, last }) => window === undefined && (last > first || reduced.has(value)),
    );
    return kept.reduce((sum, { bytes }) => sum + bytes, 0) * Math.ceil(length / 64) * 64 <= limits.held.cache;
  }
  const { groups } = rows.share;
  const last = Math.max(...sweeps.values());
  for (let sweep = 0; sweep < last; sweep++) {
    const alive = held.filter((one) => one.first <= sweep && one.last > sweep);
    const bytes = alive.reduce((sum, one) => sum + Math.max(4, one.bytes), 0);
    if (bytes * groups * rowWord > limits.held.registers) return false;
  }
  return true;
}

/** True if a kernel of a reduction has room for the nodes up to it, and reads their operands as fast as its elements. */
export function fitsBefore(reduction: ReduceNode, nodes: readonly Node[]): boolean {
  if (!isWithin("parts", sizeFor(nodes))) return false;
  const { call } = reduction.slot;
  const { shape, strides } = elementsOf(reduction);
  // In the same order, or broadcast.
  const all = readsFrom(nodes).map(({ window }) => broadcastStrides(window.shape, window.strides, shape));
  const geometry = reduceGeometry({ shape, strides }, call.gone, call.reduction.ordered, all);
  if (geometry.results === 0 || geometry.reduced.length > 1) return false;
  const along = kindOf(geometry) === "row" ? geometry.reduced[0] : geometry.kept[0];
  return along?.step === 1 && along.in.every((step) => step === 0 || step === 1);
}

/** True if the kernel of reductions has room for one more map over their results. */
export function fitsAfter(axes: Axes, { reductions, after }: ReductionParts, node: MapNode): boolean {
  const { slot } = reductions[0];
  const { domain, device, results } = node.slot;
  if (device !== slot.device || sizeOf(domain) !== slot.results[0]?.window.size) return false;
  if (isPositioned(node) || isGather(node) || node.bases.some((base) => base)) return false;
  if (!results.every(({ window }) => isDense(window, domain))) return false;
  const makers = makersOf([...reductions, ...after]);
  const isReached = readsOf(node).every((read) => {
    const maker = makers.get(read.value);
    if (maker) return isHere(read, maker, node, axes);
    return isDense(read.window, domain) || read.window.size === 1;
  });
  if (!isReached || !readsOf(node).some(({ value }) => makers.has(value))) return false;
  return hasRoomAfter(reductions, [...after, node]);
}

function hasRoomAfter(reductions: readonly ReduceNode[], after: readonly MapNode[]): boolean {
  const { length: operands } = readsFrom([...reductions, ...after]);
  return isWithin("after", { ...sizeFor(after), operands });
}

/** True for a reduction that may share a kernel with others: one of the library, over adjacent elements. */
export function isJoinable(node: ReduceNode): boolean {
  const { plan, gone, reduction } = node.slot.call;
  // On a processor the first of the smallest elements is searched for in another way than by joining.
  if (plan.user || plan.first) return false;
  const geometry = reduceGeometry(elementsOf(node), gone, reduction.ordered);
  const { results, length, reduced } = geometry;
  const isRow = results > 0 && length > 0 && kindOf(geometry) === "row";
  return isRow && reduced.length === 1 && reduced[0]?.step === 1;
}

/** True if one kernel can compute all of these reductions, with the maps around them. */
export function fitsJoint({ before, reductions, after }: ReductionParts): boolean {
  const [first, ...others] = reductions;
  const nodes = [...before, ...reductions];
  const reads = readsFrom(nodes);
  return (
    reductions.length <= limits.parts.joins &&
    others.every((other) => isAlike(first, other)) &&
    // It reads an operand once, in one way, for all of them.
    new Set(reads.map(({ value }) => value)).size === reads.length &&
    !before.some(isGather) &&
    fitsBefore(first, nodes) &&
    hasRoomAfter(reductions, after)
  );
}

/** True for reductions of elements with one layout, in one order. */
function isAlike(a: ReduceNode, b: ReduceNode): boolean {
  const [one, other] = [elementsOf(a), elementsOf(b)];
  const [{ plan, gone }, call] = [a.slot.call, b.slot.call];
  return (
    a.slot.device === b.slot.device &&
    sameNumbers(one.shape, other.shape) &&
    sameNumbers(one.strides, other.strides) &&
    gone.every((is, d) => is === call.gone[d]) &&
    plan.accumulatorBytes === call.plan.accumulatorBytes
  );
}

/** Whether the kernels of a scan compute each element once by these maps, or more than once; undefined if they cannot. */
export function scansThrough(scan: ScanNode, maps: readonly MapNode[], nodes: readonly Node[]) {
  const { operation, device } = scan.slot;
  const how = operation.computes({ ...elementsOf(scan), device });
  return maps.some(isGather) || !fitsAround(nodes) ? undefined : how;
}

/** True if the last kernel of a scan can compute maps: one of them reads its results, all element by element. */
export function fitsBehind({ nodes, axes }: Loop, scan: ScanNode, maps: readonly MapNode[]): boolean {
  const all = [...new Set([...nodes, ...maps])];
  const makers = makersOf(all);
  const isNear = (node: MapNode) =>
    node.slot.device === scan.slot.device &&
    isShareable(node) &&
    !isGather(node) &&
    node.bases.every((base) => base === undefined) &&
    sameNumbers(node.slot.domain, axes.shape) &&
    node.slot.results.every(({ window }) => isDense(window, axes.shape)) &&
    readsOf(node).every((read) => {
      const maker = makers.get(read.value);
      return maker === undefined || isHere(read, maker, node, axes);
    });
  const isReader = maps.some((node) => readsOf(node).some(({ value }) => scan.made.includes(value)));
  return isReader && maps.every(isNear) && fitsAround(all);
}

function fitsAround(nodes: readonly Node[]): boolean {
  const size = sizeFor(nodes);
  return isWithin("scan", { ...size, outputs: size.outputs - size.steps });
}
