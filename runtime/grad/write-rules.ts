// How cotangents go back through writes by index tensors.
import type { View } from "../geometry/view.js";
import type { WriteOperation } from "../launch/operation.js";
import { windowOn } from "../program/operations/window.js";
import { arange, full, onesLike, zeros, zerosLike } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";
import { writeWhole } from "../tensor/whole.js";
import { type Rule, refusal } from "./rule.js";
import { send } from "./send.js";

/** Of a write by index tensors. The last two of `active` are the values and the target. */
export const writeRule: Rule<WriteOperation> = (recorder, operation, active) => {
  const { definition, check } = operation;
  const [inputs, target] = [operation.given as readonly Tensor[], operation.target as Tensor];
  const { joins, name } = definition;
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
        if (toValues) send(toValues, joins.at(g, indexes()) as Tensor);
      };
  }
  if (joins.by !== "assign") {
    if (recorder.isNested && joins.by === "prod")
      return () => refusal(name, "the second derivative of products is not known");
    const before = recorder.keep(target);
    const given = recorder.keep(written);
    return ([output]) => {
      const after = recorder.keep(output as View);
      return ([g]) => {
        if (g === undefined) return;
        const own = {
          by: joins.by,
          at: (from: Tensor) => joins.at(from, indexes()) as Tensor,
          add: (to: Tensor, values: Tensor) => joins.add?.(to, indexes(), values) as Tensor,
          write: (to: Tensor, values: Tensor) => {
            const copy = to.clone();
            writeWhole(definition, [...indexes(), values], copy, check);
            return copy;
          },
        };
        const [ofTarget, ofValues] = joined(own, before.tensor(), given.tensor(), after.tensor(), g);
        if (toTarget) send(toTarget, ofTarget);
        if (toValues) send(toValues, ofValues);
      };
    };
  }
  return () =>
    ([g]) => {
      if (g === undefined) return;
      const places = { dtype: "int64", device: g.device.name } as const;
      const count = shape.reduce((product, extent) => product * extent, 1);
      // The number of the value that stays at each element; -1 where none was written.
      const winners = full([...target.shape], -1, places);
      writeWhole(definition, [...indexes(), arange(0, count, 1, places).reshape([...shape])], winners, check);
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
};

/** A join, at the places of a write. */
interface Join {
  readonly by: string;
  readonly at: (from: Tensor) => Tensor;
  readonly add: (to: Tensor, values: Tensor) => Tensor;
  readonly write: (to: Tensor, values: Tensor) => Tensor;
}

/** The cotangents of the elements before a write and of its values, as in PyTorch: extremes share, of zeros each is left out once. */
function joined(
  { by, at, add, write }: Join,
  before: Tensor,
  values: Tensor,
  after: Tensor,
  g: Tensor,
): readonly [target: Tensor, values: Tensor] {
  const number = (is: Tensor) => is.to(g.dtype.name);
  const isOfSource = by.endsWith(" of the source");
  // How many values were written at each element; and the element itself, where it is joined too.
  const count = () => add((isOfSource ? zerosLike : onesLike)(g), onesLike(values));
  if (by.startsWith("mean")) {
    const share = g.div(count().clampMin(1));
    return [share, at(share)];
  }
  if (by === "prod") {
    const [isZero, isNone] = [before.eq(0), values.eq(0)];
    const absent = add(number(isZero), number(isNone));
    // The products of what is not zero.
    const whole = write(isZero.where(1, before), isNone.where(1, values));
    const slope = (is: Tensor, one: Tensor, others: Tensor, product: Tensor) =>
      is.where(others.eq(1).where(product, 0), others.eq(0).where(product, 0).div(is.where(1, one)));
    return [
      g.mul(slope(isZero, before, absent, whole)),
      at(g).mul(slope(isNone, values, at(absent), at(whole))),
    ];
  }
  const isOwn = number(isOfSource ? count().eq(0) : before.eq(after));
  const isGiven = number(values.eq(at(after)));
  const share = g.div(add(isOwn, isGiven).clampMin(1));
  return [isOwn.mul(share), isGiven.mul(at(share))];
}
