// The operands of nodes: windows on values, and scalars.

import { userTexts } from "../functor/functor.js";
import { distinctElements, sameNumbers } from "../geometry/layout.js";
import { isMap, type MapNode, type Node, type Value, windowOf } from "./ir.js";
import { sameWindow, type Window } from "./window.js";

/** A window on a value. */
export interface Read {
  readonly value: Value;
  readonly window: Window;
}

/** The windows that a node reads, in the order of its operands. */
export function readsOf(node: Node): Read[] {
  const reads: Read[] = [];
  node.values.forEach((value, i) => {
    const window = value && windowOf(node, i);
    if (window) reads.push({ value, window });
  });
  return reads;
}

/** The windows of nodes on values from outside, each window once. */
export function readsFrom(nodes: readonly Node[]): Read[] {
  const made = new Set(nodes.flatMap((node) => node.made));
  const found: Read[] = [];
  for (const read of nodes.flatMap(readsOf)) {
    const { value, window } = read;
    if (made.has(value)) continue;
    if (!found.some((one) => one.value === value && sameWindow(one.window, window))) found.push(read);
  }
  return found;
}

/** The number of scalars of nodes. */
export function scalarsOf(nodes: readonly Node[]): number {
  return nodes.reduce((count, node) => {
    if (!isMap(node)) return count;
    return count + node.values.filter((value) => value === undefined).length + node.parameters.length;
  }, 0);
}

/** True if a node over `domain` reads a value element by element, in the order in which it is computed. */
export function isElementwise({ value, window }: Read, domain: readonly number[]): boolean {
  return value.isWhole(window) && sameNumbers(window.shape, domain);
}

/** True if computing an element may cost more than reading it: long functors on a processor, and users' functors. */
export function isCostly({ slot: { functor, compute, device } }: MapNode): boolean {
  if (userTexts(functor, compute).length > 0) return true;
  const isGrid = device.target.dialect.grid !== undefined;
  return !isGrid && (functor.plain?.(compute) !== undefined || functor.heavy?.(compute) === true);
}

// Maps that may be computed more than once: by several kernels, for several views, or again after elements are read.
const mostRepeated = 16;

/** True if computing what maps compute more than once costs little beside reading it. */
export function isRepeatable(maps: readonly MapNode[]): boolean {
  return maps.length <= mostRepeated && !maps.some((node) => isCostly(node) || isLong(node));
}

/** True for a functor that slows down the compiler if a thread has several copies of it. */
export function isLong({ slot: { functor, compute, device } }: MapNode): boolean {
  return device.target.dialect.grid !== undefined && functor.heavy?.(compute) === true;
}

/** The bytes of elements that maps read, each once. */
export function bytesRead(maps: readonly MapNode[]): number {
  return readsFrom(maps).reduce(
    (sum, { window: { shape, strides, dtype } }) => sum + distinctElements(shape, strides) * dtype.bytes,
    0,
  );
}

/** True for a map that uses the index of its element. */
export function isPositioned({ slot }: MapNode): boolean {
  return slot.functor.signature.some(({ role }) => role === "position");
}
