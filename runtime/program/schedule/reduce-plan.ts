// What a kernel of reductions reads, and its call: that of one reduction, or of several as one.

import { jointReduction } from "../../codegen/joint-reduction.js";
import type { JointMember } from "../../functor/reduction.js";
import type { Value } from "../graph/ir.js";
import { type Read, readsOf } from "../graph/reads.js";
import type { ReduceForm, ResultClass } from "../graph/slot.js";
import type { ReductionParts } from "../passes/reduce-group.js";

/** The values at both ends of a kernel of reductions. */
export interface ReductionEnds {
  /** The elements of each reduction, and those that it reads from memory itself. */
  readonly elements: readonly Read[];
  readonly direct: readonly Read[];
  /** The result of each. */
  readonly results: readonly Read[];
}

/** What reductions read and make. */
export function endsOf({ before, reductions }: ReductionParts): ReductionEnds {
  const computed = new Set(before.flatMap(({ made }) => made));
  const elements = reductions.flatMap((node) => readsOf(node));
  return {
    elements,
    direct: elements.filter(({ value }, i) => {
      return !computed.has(value) && elements.findIndex((one) => one.value === value) === i;
    }),
    results: reductions.map(({ made, slot }) => {
      return { value: made[0] as Value, window: (slot.results[0] as ResultClass).window };
    }),
  };
}

/** The call of the reductions' kernel; `made` are the results of the maps before them, in the order of their functor. */
export function callOf(
  { reductions }: ReductionParts,
  { elements, direct }: ReductionEnds,
  made: readonly Value[],
): ReduceForm {
  const [{ slot: first }, ...others] = reductions;
  if (others.length === 0) return first.call;
  const members = reductions.map(({ slot }, i): JointMember => {
    const { value, window } = elements[i] as Read;
    const { reduction, plan } = slot.call;
    const index = made.indexOf(value);
    return {
      name: reduction.name,
      plan,
      element: window.dtype,
      from:
        index >= 0
          ? { role: "out", index }
          : { role: "in", index: direct.findIndex((one) => one.value === value) },
    };
  });
  return { ...first.call, ...jointReduction(members) };
}
