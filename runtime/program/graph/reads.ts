// The operands of nodes: windows on values, and scalars.

import { isAddressed, isLongOnGrid, userTexts } from "../../functor/functor.js";
import { distinctElements } from "../../geometry/layout.js";
import { isMap, type MapNode, type Node, type Value, windowOf } from "./ir.js";
import { sameWindow, type Window } from "./window.js";

/** A window on a value. */
export interface Read {
  readonly value: Value;
  readonly window: Window;
  /** True if the kernel gets the address of its elements, and may read others. */
  readonly isAddress?: boolean | undefined;
}

/** The windows that a node reads, in the order of its operands. */
export function readsOf(node: Node): Read[] {
  const reads: Read[] = [];
  node.values.forEach((value, i) => {
    const window = value && windowOf(node, i);
    if (window) reads.push({ value, window, isAddress: isAddress(node, i) });
  });
  return reads;
}

/** True for an operand of which a node gets the address. */
export function isAddress(node: Node, operand: number): boolean {
  return isMap(node) && isAddressed(node.slot.functor, operand);
}

/** True for a map that reads elements at places that it computes. */
export function isGather(node: Node): boolean {
  return isMap(node) && node.slot.functor.addressed !== undefined;
}

/** The values that maps read at places that they compute; these lie in memory. */
export function gatheredFrom(nodes: readonly Node[]): Value[] {
  return nodes
    .filter(isGather)
    .flatMap((node) => readsOf(node).flatMap((read) => (read.isAddress ? read.value : [])));
}

/** The windows of nodes on values from outside, each window once. */
export function readsFrom(nodes: readonly Node[]): Read[] {
  const made = new Set(nodes.flatMap((node) => node.made));
  const found: Read[] = [];
  for (const read of nodes.flatMap(readsOf)) {
    if (made.has(read.value)) continue;
    if (!found.some((one) => isSameRead(one, read))) found.push(read);
  }
  return found;
}

/** True for reads of the same elements, both by address or both not. */
export function isSameRead(a: Read, b: Read): boolean {
  return a.value === b.value && sameWindow(a.window, b.window) && !a.isAddress === !b.isAddress;
}

/** The number of scalars of nodes. */
export function scalarsOf(nodes: readonly Node[]): number {
  return nodes.reduce((count, node) => {
    if (!isMap(node)) return count;
    return count + node.values.filter((value) => value === undefined).length + node.parameters.length;
  }, 0);
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
  return (
    maps.length <= mostRepeated && !maps.some((node) => isCostly(node) || isLong(node) || isGather(node))
  );
}

/** True for a functor that slows down the compiler if a thread has several copies of it. */
export function isLong({ slot: { functor, compute, device } }: MapNode): boolean {
  return device.target.dialect.grid !== undefined && isLongOnGrid(functor, compute);
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
