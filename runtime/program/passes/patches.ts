// Partly replaced values: those that a write of some of their elements gives a new value.

import { eachSource, type Node, type Value } from "../operations/ir.js";
import type { Loop } from "./loop.js";

/** Partly replaced values, and their new values. */
export function patchedBy(nodes: readonly Node[]): ReadonlySet<Value> {
  const found = new Set<Value>();
  for (const { bases, made } of nodes) {
    bases.forEach((base, i) => {
      if (base) found.add(base).add(made[i] as Value);
    });
  }
  return found;
}

/**
 * For each partly replaced value: how many reads of it end when the loops are computed. `isKept` is true for results that
 * stay in memory, false for those that only later kernels read.
 */
export function endingReads(loops: readonly Loop[], isKept: (value: Value) => boolean): Map<Value, number> {
  const reads = new Map<Value, number>();
  for (const { nodes, stored } of loops) {
    for (const node of nodes) {
      // A value that is not kept is computed again when it is read.
      const isStored = nodes.length === 1 || node.made.every((value) => stored.has(value));
      if (!isStored || !node.made.every(isKept)) continue;
      eachSource(node, (source) => reads.set(source, (reads.get(source) ?? 0) + 1));
    }
  }
  return reads;
}
