// Computes values that are read: those of any tape, and those of other tapes that a tape's operations read.

import type { Value } from "../operations/ir.js";
import type { PlanOptions } from "../schedule/options.js";
import { planOnce } from "../schedule/plan.js";
import { runPlan } from "../schedule/run.js";
import { verify } from "./verification.js";

/** Computes values that are read, from the nodes of any tape. */
export function computeAll(values: readonly Value[], options: PlanOptions & { readonly name: string }): void {
  const { plan, binding } = planOnce(values, options, false);
  runPlan(plan, binding);
  verify(plan, binding, options.name);
  for (const value of values) if (value.holder === undefined) value.memory();
}

/** Computes those values and leaves that other tapes than `part` deferred; returns the remaining values. */
export function withoutForeign(
  values: readonly Value[],
  leaves: readonly Value[],
  part: object,
  options: PlanOptions & { readonly name: string },
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
  if (foreign.length > 0) computeAll(foreign, options);
  for (let i = 0; i < values.length; i++) {
    if (!values[i]?.deferred) return values.filter(({ deferred }) => deferred);
  }
  return values;
}
