// Values of other tapes that a tape's operations read, or that are read together with its own.

import type { Value } from "./ir.js";
import type { Manner } from "./plan.js";
import { computeAll } from "./run.js";

/** Computes those values and leaves that other tapes than `part` deferred; returns the remaining values. */
export function withoutForeign(
  values: readonly Value[],
  leaves: readonly Value[],
  part: object,
  manner: Manner,
): readonly Value[] {
  const foreign: Value[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as Value;
    if (value.tape !== part || value.ref < 0) foreign.push(value);
  }
  for (let i = 0; i < leaves.length; i++) {
    const leaf = leaves[i] as Value;
    if (leaf.deferred) foreign.push(leaf);
  }
  if (foreign.length > 0) computeAll(foreign, manner);
  for (let i = 0; i < values.length; i++) {
    if (!values[i]?.deferred) return values.filter(({ deferred }) => deferred);
  }
  return values;
}
