// What is computed twice: reductions, such as the mean beside a variance, which needs it too, and equal creations. What reads the second
// reads the first.

import { planText } from "../../functor/reduction.js";
import { sameNumbers } from "../../geometry/layout.js";
import {
  isMap,
  isReduction,
  type MapNode,
  type Node,
  type ReduceNode,
  type Value,
  windowOf,
} from "../operations/ir.js";
import { sameWindow, type Window } from "../operations/window.js";
import { change } from "./pass.js";

/** Drops reductions and creations that repeat an earlier one. */
export const repeats = change(({ nodes, kept, isLast }) => {
  // The memory of what is read later may be freed after its own readers.
  return isLast ? { nodes: withoutRepeated(nodes, kept) } : {};
});

/** The nodes without repeated ones; `kept` are the values that are needed in their own memory. */
function withoutRepeated(nodes: readonly Node[], kept: ReadonlySet<Value>): readonly Node[] {
  const reductions = new Map<Value, ReduceNode[]>();
  const replaced = new Map<Value, Value>();
  const found: Node[] = [];
  const creations = new Map<number, Value>();
  const shared = new Set<Value>();
  for (const node of nodes) {
    if (isCreation(node)) {
      const [result] = node.made as readonly [Value];
      const same = node.slot.repeats === undefined ? undefined : creations.get(node.slot.repeats);
      if (same && !kept.has(result) && isAlike(same, result)) {
        replaced.set(result, same);
        shared.add(same);
        continue;
      }
      // A part of it may be written, after which nothing reads it.
      if (!kept.has(result)) creations.set(node.slot.repeats ?? node.number, result);
    }
    const own = replaced.size === 0 ? node : reading(node, replaced);
    if (isReduction(own)) {
      const [source] = own.values as readonly [Value];
      const [result] = own.made as readonly [Value];
      const others = reductions.get(source) ?? [];
      const same = others.find((one) => isSame(one, own));
      if (same && !kept.has(result)) {
        replaced.set(result, same.made[0] as Value);
        continue;
      }
      reductions.set(source, [...others, own]);
    }
    found.push(own);
  }
  if (shared.size === 0) return found;
  // In front of all that read it, so that the kernels of the first ones are those of the others.
  const isShared = ({ made }: Node) => shared.has(made[0] as Value);
  return [...found.filter(isShared), ...found.filter((node) => !isShared(node))];
}

/** True for a map that reads no tensor and fills memory. */
function isCreation(node: Node): node is MapNode {
  return (
    isMap(node) &&
    node.values.every((value) => value === undefined) &&
    node.bases.every((base) => base === undefined)
  );
}

/** True for values that fill memory of one size in the same order. */
function isAlike(a: Value, b: Value): boolean {
  if (a.bytes !== b.bytes || !a.shape || !a.strides || !b.shape || !b.strides) return false;
  return sameNumbers(a.shape, b.shape) && sameNumbers(a.strides, b.strides);
}

/** True for one reduction of the same elements. */
function isSame(a: ReduceNode, b: ReduceNode): boolean {
  const [one, other] = [a.slot.call, b.slot.call];
  return (
    one.plan.compute === other.plan.compute &&
    one.plan.result === other.plan.result &&
    one.gone.every((is, d) => is === other.gone[d]) &&
    sameWindow(windowOf(a, 0) as Window, windowOf(b, 0) as Window) &&
    planText(one.plan) === planText(other.plan)
  );
}

/** A node that reads other values in place of some. */
export function reading(node: Node, replaced: ReadonlyMap<Value, Value>): Node {
  if (!node.values.some((value) => value && replaced.has(value))) return node;
  const values = node.values.map((value) => (value && replaced.get(value)) ?? value);
  return { ...node, values };
}
