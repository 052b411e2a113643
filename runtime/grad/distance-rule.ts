// How cotangents go back through the distances of the rows of two matrices.
import type { View } from "../geometry/view.js";
import type { OpaqueOperation } from "../launch/operation.js";
import type { DistanceRule } from "../tensor/products/cdist.js";
import type { Tensor } from "../tensor/tensor.js";
import type { Rule } from "./rule.js";
import { send } from "./send.js";

/** Of `cdist`: it computes the differences of all rows. */
export const distanceRule: Rule<OpaqueOperation> = (recorder, { definition, inputs }, active) => {
  const { power } = definition.rule as DistanceRule;
  const kept = inputs.map((one) => recorder.keep(one));
  return ([output]) => {
    const result = recorder.keep(output as View);
    return ([g]) => {
      if (g === undefined) return;
      const [x, other] = kept.map((one) => one.tensor()) as [Tensor, Tensor];
      const difference = x.unsqueeze(-2).sub(other.unsqueeze(-3));
      const each = slopeOf(difference, result.tensor().unsqueeze(-1), power).mul(g.unsqueeze(-1));
      const [toX, toOther] = active;
      if (toX) send(toX, each.sum(-2));
      if (toOther) send(toOther, each.sum(-3).neg());
    };
  };
};

/** The derivative of a distance by each difference; 0 where the distance is 0. */
function slopeOf(d: Tensor, distance: Tensor, p: number): Tensor {
  if (p === 0) return d.mul(0);
  if (p === 1) return d.sign();
  const isNone = distance.eq(0);
  const safe = isNone.where(1, distance);
  if (p === Number.POSITIVE_INFINITY) {
    const is = d.abs().eq(distance);
    return is.where(d.sign(), 0);
  }
  if (p === 2) return isNone.where(0, d.div(safe));
  const isZero = d.eq(0).logicalOr(isNone);
  const ratio = isZero
    .where(1, d)
    .abs()
    .div(safe)
    .pow(p - 1);
  return isZero.where(0, d.sign().mul(ratio));
}
