// The operands of nodes: windows on values, and scalars.

import { isAddressed } from "../../functor/functor.js";
import {
  isMap,
  isOpaque,
  type MapNode,
  type Node,
  type ReduceNode,
  type ScanNode,
  type Value,
  windowOf,
} from "./ir.js";
import type { OperandClass } from "./slot.js";
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

/** The elements that a reduction or a scan joins. */
export function elementsOf({ slot }: ReduceNode | ScanNode): Window {
  const [{ window }] = slot.operands as readonly [OperandClass];
  return window as Window;
}

/** True for an operand of which a node gets the address. */
export function isAddress(node: Node, operand: number): boolean {
  return isMap(node) && isAddressed(node.slot.functor, operand);
}

/** True for a map that reads elements at places that it computes. */
export function isGather(node: Node): boolean {
  return isMap(node) && node.slot.functor.addressed !== undefined;
}

/** The values that lie in memory in the layouts of the calls: those that maps read at places that they compute, and those of loops. */
export function gatheredFrom(nodes: readonly Node[]): Value[] {
  return nodes.flatMap((node) => {
    if (isOpaque(node) && node.slot.operation.readsLayouts) return readsOf(node).map(({ value }) => value);
    return isGather(node) ? readsOf(node).flatMap((read) => (read.isAddress ? read.value : [])) : [];
  });
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

/** True for a map that uses the index of its element. */
export function isPositioned({ slot }: MapNode): boolean {
  return slot.functor.signature.some(({ role }) => role === "position");
}
