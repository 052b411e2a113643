// The rows of a source that maps choose by index tensors, in a row kernel: where all elements of a row have one index, a chosen
// row lies in memory as the source's do.

import { isAddressed } from "../../functor/functor.js";
import type { RowSelection } from "../rows/row-spec.js";
import type { Origin, Step } from "./composition.js";

/** How steps choose rows of the input `source`; undefined if several do, or by unknown distances. `operands` are in memory. */
export function selectionOf(
  steps: readonly Step[],
  source: number,
  operands: number,
): RowSelection | undefined {
  const [reader, another] = steps.filter(({ functor, inputs }) =>
    functor.addressed?.sources.some((i) => {
      const from = inputs[i];
      return from?.kind === "input" && from.index === source;
    }),
  );
  const strides = reader?.functor.addressed?.strides;
  if (reader === undefined || another !== undefined || strides === undefined) return undefined;
  const by = new Set<number>();
  const follow = (from: Origin): void => {
    if (from.kind === "input" && from.index < operands) by.add(from.index);
    if (from.kind === "step") for (const one of (steps[from.step] as Step).inputs) follow(one);
  };
  reader.inputs.forEach((from, i) => {
    if (!isAddressed(reader.functor, i)) follow(from);
  });
  return { by: [...by], strides: strides.map((i) => reader.parameters[i] as number) };
}
