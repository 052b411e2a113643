// Decides which nodes share a row kernel: reductions over the last dimensions of one domain, the maps over that domain, and
// the maps over the reductions' results.

import { isComposable } from "../../codegen/composition/composer.js";
import { reduceGeometry } from "../../codegen/reduce-passes.js";
import { type RowDomain, type RowShare, rowHeld, rowShare, rowWord } from "../../codegen/row-spec.js";
import {
  broadcastStrides,
  contiguousStrides,
  isContiguous,
  sameNumbers,
  sizeOf,
} from "../../geometry/layout.js";
import { isMap, type Node, type Value, windowOf } from "../graph/ir.js";
import { readsFrom, readsOf, scalarsOf } from "../graph/reads.js";
import type { OperandClass, ReduceSlot } from "../graph/slot.js";
import { sameWindow, type Window } from "../graph/window.js";

/** The rows of a group. */
export interface Rows {
  /** The reduced shape, and how many of its dimensions number the rows. */
  readonly domain: readonly number[];
  readonly kept: number;
  /** The threads of a row in a grid; undefined on a processor. */
  readonly share: RowShare | undefined;
}

/** Nodes and operands of one kernel: its block of arguments has 4 KiB. */
const mostNodes = 64;
const mostOperands = 16;
const mostScalars = 48;
const mostRank = 4;
// Bytes of registers in which a thread of a grid holds a row between phases.
const mostHeld = 512;
// Bytes of an accumulator, of which a thread has one for each element of a word.
const mostAccumulated = 32;
// A task of a processor takes a whole row; a long one only if there are tasks for all threads.
const mostAlone = 4096;
const mostLong = 32_768;
const manyRows = 16;

/** The rows of a reduction; undefined if no row kernel can run it. */
export function rowsOf({ slot }: Node): Rows | undefined {
  if (slot.kind !== "reduce") return undefined;
  const { call, operands } = slot as ReduceSlot;
  const { gone, plan } = call;
  if (plan.user?.isApart) return undefined;
  const kept = gone.indexOf(true);
  if (kept < 0 || kept > mostRank || gone.includes(false, kept)) return undefined;
  const [{ window }] = operands as readonly [OperandClass];
  const { shape, strides } = window as Window;
  const { results, length, reduced } = reduceGeometry({ shape, strides }, gone, true);
  const isRow = results > 0 && length > 0 && reduced.length === 1 && reduced[0]?.step === 1;
  const { dialect, blocksTogether } = slot.device.target;
  const share = dialect.grid && rowShare(length, blocksTogether);
  const isHeld = dialect.grid
    ? share !== undefined && plan.accumulatorBytes <= mostAccumulated
    : length <= (results < manyRows ? mostAlone : mostLong);
  if (!isRow || results > 2 ** 31 - 1 || !isHeld) return undefined;
  return { domain: shape, kept, share };
}

/**
 * True if a reduction's rows are worth a row kernel: several blocks share a row, and wait for each other, only for maps that
 * need the row's elements again, after it or after another reduction of the same value.
 */
export function isWorthRows(node: Node, rows: Rows, nodes: readonly Node[]): boolean {
  if (rows.share === undefined || rows.share.blocks === 1) return true;
  const derived = new Set<Value>();
  return nodes.some((one) => {
    const own = isMap(one) || one.values[0] !== node.values[0] ? undefined : rowsOf(one);
    const reads = readsOf(one).some(({ value }) => derived.has(value));
    if (reads || (own && sameRows(own, rows))) for (const value of one.made) derived.add(value);
    return reads && isMap(one) && sameNumbers(one.slot.domain, rows.domain);
  });
}

/** True for the same rows. */
export function sameRows(a: Rows, b: Rows): boolean {
  return a.kept === b.kept && sameNumbers(a.domain, b.domain);
}

/** The space of a node's results; undefined for a node that a kernel of these rows cannot run. */
export function rowDomain(node: Node, rows: Rows): RowDomain | undefined {
  if (!isMap(node)) {
    const own = rowsOf(node);
    return own && sameRows(own, rows) ? "row" : undefined;
  }
  const { functor, results, domain } = node.slot;
  const isPlain =
    isComposable(functor) &&
    functor.signature.every(({ role }) => role !== "position") &&
    node.bases.every((base) => base === undefined) &&
    results.every(({ window: { offset, shape, strides } }) => {
      return offset === 0 && sameNumbers(shape, domain) && isContiguous(shape, strides);
    });
  if (!isPlain) return undefined;
  if (!sameNumbers(domain, rows.domain)) return isOfRows(domain, rows) ? "row" : undefined;
  const isReached = node.values.every((_, i) => {
    const window = windowOf(node, i);
    return window === undefined || placesIn(window, domain, rows) !== undefined;
  });
  return isReached ? "elements" : undefined;
}

/** True for the shapes of a reduction's result: with the reduced dimensions, or without. */
function isOfRows(shape: readonly number[], { domain, kept }: Rows): boolean {
  const rest = shape.slice(kept);
  if (!sameNumbers(shape.slice(0, kept), domain.slice(0, kept))) return false;
  return rest.length === 0 || (rest.length === domain.length - kept && rest.every((extent) => extent === 1));
}

/** The layout of an operand of a node over `shape`: its strides between rows, and its step between elements. */
export function placesIn(
  window: Window,
  shape: readonly number[],
  { kept }: Rows,
): { readonly strides: readonly number[]; readonly step: number } | undefined {
  const strides = broadcastStrides(window.shape, window.strides, shape);
  let step: number | undefined;
  let count = 1;
  for (let d = shape.length - 1; d >= kept; d--) {
    const extent = shape[d] as number;
    if (extent === 1) continue;
    step ??= strides[d] as number;
    if (strides[d] !== step * count) return undefined;
    count *= extent;
  }
  return { strides: strides.slice(0, kept), step: step ?? 0 };
}

/** True if a node reads elements of a value from its own kernel in the thread that holds them. */
export function isRowRead(value: Value, window: Window, maker: Node, node: Node, rows: Rows): boolean {
  const [made, read] = [rowDomain(maker, rows), rowDomain(node, rows)];
  if (made === undefined || read === undefined) return false;
  const shape = isMap(node) ? node.slot.domain : rows.domain;
  if (made === "elements") return value.isWhole(window) && sameNumbers(window.shape, shape);
  if (!isMap(node) || window.offset !== 0) return false;
  const places = placesIn(window, shape, rows);
  const wanted = contiguousStrides(rows.domain.slice(0, rows.kept));
  const isOwn = (d: number) => rows.domain[d] === 1 || places?.strides[d] === wanted[d];
  return places !== undefined && places.step === 0 && places.strides.every((_, d) => isOwn(d));
}

/** A value over row elements that a kernel computes or reads, and the phases during which it is held. */
export interface Held {
  readonly value: Value;
  /** The window of a read value; undefined for a computed one. */
  readonly window: Window | undefined;
  readonly bytes: number;
  first: number;
  last: number;
}

/** The schedule of a row kernel's nodes. */
export interface Phases {
  readonly of: ReadonlyMap<Node, number>;
  readonly held: readonly Held[];
}

/** The phases of nodes: a map runs in the phase of its operands; a reduction's result is available one phase later. */
export function phasesOf(nodes: readonly Node[], rows: Rows): Phases {
  const phases = new Map<Node, number>();
  const ready = new Map<Value, number>();
  const held: Held[] = [];
  for (const node of nodes) {
    const phase = Math.max(0, ...node.values.map((value) => (value && ready.get(value)) ?? 0));
    phases.set(node, phase);
    const isOver = !isMap(node) || rowDomain(node, rows) === "elements";
    node.values.forEach((value, i) => {
      const window = windowOf(node, i);
      if (!value || !window || !isOver) return;
      const made = ready.has(value);
      const known = held.find(
        (one) => one.value === value && (made || (one.window && sameWindow(one.window, window))),
      );
      if (known) {
        known.first = Math.min(known.first, phase);
        known.last = Math.max(known.last, phase);
      } else if (!made && placesIn(window, rows.domain, rows)?.step !== 0)
        held.push({ value, window, bytes: window.dtype.bytes, first: phase, last: phase });
    });
    for (const [i, value] of node.made.entries()) {
      ready.set(value, isMap(node) ? phase : phase + 1);
      const bytes = node.slot.results[i]?.window.dtype.bytes ?? 0;
      if (isMap(node) && isOver) held.push({ value, window: undefined, bytes, first: phase, last: phase });
    }
  }
  return { of: phases, held };
}

/** True if a kernel has room for nodes: in its arguments, and in the memory that holds rows between phases. */
export function fitsRows(nodes: readonly Node[], rows: Rows): boolean {
  if (nodes.length > mostNodes) return false;
  const outputs = nodes.reduce((count, { made }) => count + made.length, 0);
  if (readsFrom(nodes).length > mostOperands || outputs > 2 * mostOperands) return false;
  if (scalarsOf(nodes) > mostScalars) return false;
  const length = sizeOf(rows.domain.slice(rows.kept));
  const { of, held } = phasesOf(nodes, rows);
  if (rows.share === undefined) {
    // Inputs are not copied.
    const reduced = new Set(nodes.flatMap((node) => (isMap(node) ? [] : node.values)));
    const kept = held.filter(
      ({ value, window, first, last }) => window === undefined && (last > first || reduced.has(value)),
    );
    return kept.reduce((sum, { bytes }) => sum + bytes, 0) * Math.ceil(length / 64) * 64 <= rowHeld;
  }
  const { groups } = rows.share;
  const last = Math.max(...of.values());
  for (let phase = 0; phase < last; phase++) {
    const alive = held.filter((one) => one.first <= phase && one.last > phase);
    const bytes = alive.reduce((sum, one) => sum + Math.max(4, one.bytes), 0);
    if (bytes * groups * rowWord > mostHeld) return false;
  }
  return true;
}
