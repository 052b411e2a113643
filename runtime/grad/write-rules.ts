// How cotangents go back through writes by index tensors.
import type { View } from "../geometry/view.js";
import type { IndexCheck, WriteOperation } from "../launch/sink.js";
import { windowOn } from "../program/graph/window.js";
import { arange, full, zeros } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";
import { writeWhole } from "../tensor/whole.js";
import { type Active, type Pull, type Recording, refusal } from "./rule.js";
import { send } from "./send.js";

/** What it keeps of the inputs of a write; then its pull. The last two of `active` are the values and the target. */
export function writePull(
  recorder: Recording,
  operation: WriteOperation,
  inputs: readonly Tensor[],
  target: Tensor,
  active: readonly (Active | undefined)[],
  check: IndexCheck,
): (outputs: readonly View[]) => Pull {
  const { joins, name } = operation;
  if (target.dtype.kind === "complex")
    return () => refusal(name, "derivatives of complex numbers are not known yet");
  if (joins === undefined) return () => refusal(name);
  const toTarget = active.at(-1);
  const values = inputs.at(-1) as Tensor;
  const shape = joins.shapeOf(inputs);
  const written = values.shape.reduce(
    (part, _, k) => part.narrow(k, 0, Math.min(part.shape[k] as number, shape[k] as number)),
    values,
  );
  const source = active.at(-2);
  const toValues = source && { window: windowOn(written), adjoint: source.adjoint };
  const kept = inputs.slice(0, -1).map((index) => recorder.keep(index));
  const indexes = () => kept.map((one) => one.tensor());
  if (joins.by === "sum") {
    return () =>
      ([g]) => {
        if (g === undefined) return;
        if (toTarget) send(toTarget, g);
        if (toValues) send(toValues, joins.at?.(g, indexes()) as Tensor);
      };
  }
  return () =>
    ([g]) => {
      if (g === undefined) return;
      const places = { dtype: "int64", device: g.device.name } as const;
      const count = shape.reduce((product, extent) => product * extent, 1);
      // The number of the value that stays at each element; -1 where none was written.
      const winners = full([...target.shape], -1, places);
      writeWhole(operation, [...indexes(), arange(0, count, 1, places).reshape([...shape])], winners, check);
      const isFree = winners.lt(0);
      if (toTarget) send(toTarget, isFree.where(g, 0));
      if (toValues === undefined) return;
      const own = zeros([count + 1], { dtype: g.dtype.name, device: g.device.name });
      const at = isFree.where(count, winners).reshape(-1);
      send(
        toValues,
        own
          .scatter(0, at, g.reshape(-1))
          .narrow(0, 0, count)
          .reshape([...shape]),
      );
    };
}
