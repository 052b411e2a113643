// What a tape can defer: the values of an operation's tensors, unless the host or a graph may change or move these.

import { PooledStorage } from "../../device/pooled-storage.js";
import type { Operand } from "../../functor/operand.js";
import type { View } from "../../geometry/view.js";
import { openGraph } from "../../launch/graph.js";
import { type Value, valueIn } from "../operations/ir.js";
import { isTensor } from "../operations/window.js";

/** The values of the tensors among operands; undefined if one of them cannot be deferred. */
export function deferrable(
  operands: readonly Operand[],
  numbered: (value: Value) => Value,
): (Value | undefined)[] | undefined {
  if (openGraph()) return undefined;
  const values = new Array<Value | undefined>(operands.length);
  for (let i = 0; i < operands.length; i++) {
    const operand = operands[i];
    values[i] = undefined;
    if (!isTensor(operand)) continue;
    const { storage } = operand;
    // A separate call throws for a disposed tensor.
    if (!(storage instanceof PooledStorage) || storage.shared || storage.disposed) return undefined;
    values[i] = numbered(valueIn(storage));
  }
  return values;
}

/** The values of outputs before the write; undefined if a write cannot be deferred. */
export function shownBy(
  out: readonly View[] | undefined,
  numbered: (value: Value) => Value,
): readonly Value[] | undefined {
  if (out === undefined) return [];
  // Not by push, which makes room for many.
  const values = new Array<Value>(out.length);
  for (let i = 0; i < values.length; i++) {
    const storage = out[i]?.storage;
    if (!(storage instanceof PooledStorage) || storage.pinned || storage.disposed) return undefined;
    values[i] = numbered(valueIn(storage));
  }
  return values;
}
