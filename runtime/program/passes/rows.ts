// The points of loops whose rows are held: how they lie in an operand, and which values are held between sweeps.

import { broadcastStrides, sameNumbers } from "../../geometry/layout.js";
import { isMap, type Node, type Value, windowOf } from "../operations/ir.js";
import { sameWindow, type Window } from "../operations/window.js";
import { domainOf, type Rows } from "./loop.js";

/** True for the shapes of a reduction's result: with the reduced dimensions, or without. */
export function isOfRows(domain: readonly number[], { shape, kept }: Rows): boolean {
  const rest = domain.slice(kept);
  if (!sameNumbers(domain.slice(0, kept), shape.slice(0, kept))) return false;
  return rest.length === 0 || (rest.length === shape.length - kept && rest.every((extent) => extent === 1));
}

/** The layout of an operand of a node over `shape`: its strides between rows, and its step between elements. */
export function layoutIn(
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
export interface Live {
  readonly value: Value;
  /** The window of a read value; undefined for a computed one. */
  readonly window: Window | undefined;
  readonly bytes: number;
  first: number;
  last: number;
}

/** The values at the points of rows, with the sweeps of nodes. */
export function liveIn(nodes: readonly Node[], rows: Rows, sweeps: ReadonlyMap<Node, number>): Live[] {
  const made = new Set<Value>();
  const held: Live[] = [];
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
      } else if (!isMade && layoutIn(window, rows.shape, rows)?.step !== 0)
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
