// A loop as its steps, one after the other, on the open sink.
import { JitlabError } from "../base/errors.js";
import type { View } from "../geometry/view.js";
import type { LoopOperation } from "../launch/operation.js";
import { stack } from "../tensor/join.js";
import type { Tensor } from "../tensor/tensor.js";

/** Runs the steps; returns the last carry, then the results of all steps. */
export function stepByStep({
  steps,
  isReversed,
  carry,
  along,
  body,
  name,
}: LoopOperation): readonly Tensor[] {
  const results = new Array<readonly Tensor[]>(steps);
  let last: readonly View[] = carry;
  for (let k = 0; k < steps; k++) {
    const t = isReversed ? steps - 1 - k : k;
    const [next, own] = body(
      last,
      (along as readonly Tensor[]).map((x) => x.select(0, t)),
    );
    last = next;
    results[t] = own as readonly Tensor[];
  }
  const first = results[0] as readonly Tensor[];
  const odd = results.findIndex(({ length }) => length !== first.length);
  if (odd >= 0) {
    throw new JitlabError(
      "shape-mismatch",
      `${name}: one step returned ${first.length} tensors beside the carry, and another ${results[odd]?.length}.`,
      "All steps return results of one structure.",
    );
  }
  return [
    ...(last as readonly Tensor[]),
    ...first.map((_, k) => stack(results.map((list) => list[k] as Tensor))),
  ];
}
