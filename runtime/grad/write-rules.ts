// How cotangents go back through writes by index tensors.
import type { View } from "../geometry/view.js";
import type { IndexCheck, WriteForm } from "../launch/sink.js";
import type { Tensor } from "../tensor/tensor.js";
import { type Active, type Pull, type Recording, refusal } from "./rule.js";

/** What it keeps of the inputs of a write; then its pull. */
export function writePull(
  _recorder: Recording,
  { name }: WriteForm,
  _inputs: readonly Tensor[],
  _target: Tensor,
  _active: readonly (Active | undefined)[],
  _check: IndexCheck,
): (outputs: readonly View[]) => Pull {
  return () => refusal(name);
}
