// Loops whose rows are held: reductions over the last dimensions, the maps over the elements of a row, and the maps over the
// reductions' results. A row is read from memory once, and held between sweeps.

import { isComposable } from "../../codegen/composition/composer.js";
import { reduceGeometry } from "../../codegen/reduce-passes.js";
import { type Domain, rowHeld, rowShare, rowWord } from "../../codegen/row-spec.js";
import { broadcastStrides, isContiguous, sameNumbers, sizeOf } from "../../geometry/layout.js";
import { isMap, type Node, type Value, windowOf } from "../graph/ir.js";
import { readsFrom, readsOf, scalarsOf } from "../graph/reads.js";
import type { OperandClass, ReduceSlot } from "../graph/slot.js";
import { sameWindow, type Window } from "../graph/window.js";
import { domainOf, type Rows, sameAxes, sweepsOf } from "./loop.js";

/** Nodes and operands of one kernel: its block of arguments has 4 KiB. */
const mostNodes = 64;
const mostOperands = 16;
const mostScalars = 48;
const mostRank = 4;
// Bytes of registers in which a thread of a grid holds a row between sweeps.
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
  return { shape, joined: gone, kept, share };
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
    if (reads || (own && sameAxes(own, rows))) for (const value of one.made) derived.add(value);
    return reads && isMap(one) && sameNumbers(one.slot.domain, rows.shape);
  });
}

/** Where a node's results stand; undefined for a node that a kernel of these rows cannot run. */
export function rowDomain(node: Node, rows: Rows): Domain | undefined {
  const domain = domainOf(node, rows);
  if (!isMap(node)) return domain && rowsOf(node) && domain;
  const { functor, results, domain: shape } = node.slot;
  const isPlain =
    isComposable(functor) &&
    functor.signature.every(({ role }) => role !== "position") &&
    node.bases.every((base) => base === undefined) &&
    results.every(({ window }) => {
      return window.offset === 0 && sameNumbers(window.shape, shape) && isContiguous(shape, window.strides);
    });
  if (!isPlain || domain === undefined) return undefined;
  if (domain === "kept") return isOfRows(shape, rows) ? domain : undefined;
  const isReached = node.values.every((_, i) => {
    const window = windowOf(node, i);
    return window === undefined || placesIn(window, shape, rows) !== undefined;
  });
  return isReached ? domain : undefined;
}

/** True for the shapes of a reduction's result: with the reduced dimensions, or without. */
function isOfRows(domain: readonly number[], { shape, kept }: Rows): boolean {
  const rest = domain.slice(kept);
  if (!sameNumbers(domain.slice(0, kept), shape.slice(0, kept))) return false;
  return rest.length === 0 || (rest.length === shape.length - kept && rest.every((extent) => extent === 1));
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

/** A value at the points of rows that a kernel computes or reads, and the sweeps during which it is held. */
export interface Held {
  readonly value: Value;
  /** The window of a read value; undefined for a computed one. */
  readonly window: Window | undefined;
  readonly bytes: number;
  first: number;
  last: number;
}

/** The values at the points of rows, with the sweeps of nodes. */
export function heldIn(nodes: readonly Node[], rows: Rows, sweeps: ReadonlyMap<Node, number>): Held[] {
  const made = new Set<Value>();
  const held: Held[] = [];
  for (const node of nodes) {
    const sweep = sweeps.get(node) as number;
    const isAtPoints = !isMap(node) || domainOf(node, rows) === "points";
    node.values.forEach((value, i) => {
      const window = windowOf(node, i);
      if (!value || !window || !isAtPoints) return;
      const isMade = made.has(value);
      const known = held.find(
        (one) => one.value === value && (isMade || (one.window && sameWindow(one.window, window))),
      );
      if (known) {
        known.first = Math.min(known.first, sweep);
        known.last = Math.max(known.last, sweep);
      } else if (!isMade && placesIn(window, rows.shape, rows)?.step !== 0)
        held.push({ value, window, bytes: window.dtype.bytes, first: sweep, last: sweep });
    });
    for (const [i, value] of node.made.entries()) {
      made.add(value);
      const bytes = node.slot.results[i]?.window.dtype.bytes ?? 0;
      if (isMap(node) && isAtPoints)
        held.push({ value, window: undefined, bytes, first: sweep, last: sweep });
    }
  }
  return held;
}

/** True if a kernel has room for nodes: in its arguments, and in the memory that holds rows between sweeps. */
export function fitsRows(nodes: readonly Node[], rows: Rows): boolean {
  if (nodes.length > mostNodes) return false;
  const outputs = nodes.reduce((count, { made }) => count + made.length, 0);
  if (readsFrom(nodes).length > mostOperands || outputs > 2 * mostOperands) return false;
  if (scalarsOf(nodes) > mostScalars) return false;
  const length = sizeOf(rows.shape.slice(rows.kept));
  const sweeps = sweepsOf(nodes);
  const held = heldIn(nodes, rows, sweeps);
  if (rows.share === undefined) {
    // Inputs are not copied.
    const reduced = new Set(nodes.flatMap((node) => (isMap(node) ? [] : node.values)));
    const kept = held.filter(
      ({ value, window, first, last }) => window === undefined && (last > first || reduced.has(value)),
    );
    return kept.reduce((sum, { bytes }) => sum + bytes, 0) * Math.ceil(length / 64) * 64 <= rowHeld;
  }
  const { groups } = rows.share;
  const last = Math.max(...sweeps.values());
  for (let sweep = 0; sweep < last; sweep++) {
    const alive = held.filter((one) => one.first <= sweep && one.last > sweep);
    const bytes = alive.reduce((sum, one) => sum + Math.max(4, one.bytes), 0);
    if (bytes * groups * rowWord > mostHeld) return false;
  }
  return true;
}
