// How cotangents go back through reductions.
import type { View } from "../geometry/view.js";
import type { ReduceCall } from "../launch/calls.js";
import type { ReduceOperation } from "../launch/operation.js";
import type { Tensor } from "../tensor/tensor.js";
import { type Active, type Pull, type Rule, refusal } from "./rule.js";
import { productOfOthers } from "./scan-rules.js";
import { send } from "./send.js";

/** The reduced dimensions, the result's shape with extents of 1 there, and a cotangent over the elements. */
function spreadOf({ input: { shape }, gone }: ReduceCall) {
  const wide = shape.map((extent, d) => (gone[d] ? 1 : extent));
  const dims = gone.flatMap((isGone, d) => (isGone ? [d] : []));
  return { wide, dims, over: (g: Tensor) => g.reshape(wide).expand([...shape]) };
}

const pulled =
  ([to]: readonly (Active | undefined)[], cotangent: (g: Tensor) => Tensor): Pull =>
  ([g]) => {
    if (g !== undefined) send(to as Active, cotangent(g));
  };

const sum: Rule<ReduceOperation> =
  (_, { call }, active) =>
  () =>
    pulled(active, spreadOf(call).over);

const mean: Rule<ReduceOperation> = (_, { call }, active) => {
  const { dims, over } = spreadOf(call);
  const count = dims.reduce((product, d) => product * (call.input.shape[d] as number), 1);
  return () => pulled(active, (g) => over(g.div(count)));
};

const extreme: Rule<ReduceOperation> = (recorder, { call }, active) => {
  const { wide, dims, over } = spreadOf(call);
  const { input, isNanSpread } = call;
  const x = recorder.keep(input);
  return ([output]) => {
    const y = recorder.keep(output as View);
    return pulled(active, (g) => {
      const [values, found] = [x.tensor(), y.tensor().reshape(wide)];
      const equal = values.eq(found);
      const is = equal.logicalOr(isNanSpread ? found.isnan() : values.isnan().logicalAnd(found.isnan()));
      const shared = is.to(g.dtype.name).sum({ dim: dims, keepdim: true });
      const own = g.reshape(wide);
      // A factor, so that it is linear in g.
      const spread = () => found.isnan().where(Number.NaN, 1).to(g.dtype.name);
      return is.where(over((isNanSpread ? own.mul(spread()) : own).div(shared)), 0);
    });
  };
};

const conjugate = (one: Tensor) => (one.dtype.kind === "complex" ? one.conj() : one);

const prod: Rule<ReduceOperation> = (recorder, { call }, active) => {
  const { wide, dims } = spreadOf(call);
  const x = recorder.keep(call.input);
  if (recorder.isNested)
    return () => pulled(active, (g) => conjugate(othersOf(x.tensor(), dims)).mul(g.reshape(wide)));
  return () =>
    pulled(active, (g) => {
      const values = x.tensor().to(g.dtype.name);
      const isZero = values.eq(0);
      const zeros = isZero.sum({ dim: dims, keepdim: true });
      const others = isZero.where(1, values);
      const product = others.prod({ dim: dims, keepdim: true });
      const slope = isZero.where(zeros.eq(1).where(product, 0), zeros.eq(0).where(product, 0).div(others));
      return conjugate(slope as Tensor).mul(g.reshape(wide));
    });
};

/** The rules of the library's reductions. */
export const reduceRules: Readonly<Record<string, Rule<ReduceOperation>>> = {
  sum,
  mean,
  min: extreme,
  max: extreme,
  prod,
};

/** Of a user's reduction. */
export const orderRefused: Rule<ReduceOperation> =
  (_, { name }) =>
  () =>
    refusal(
      name,
      "the order in which a reduction of your own joins elements has no derivative",
      "Write it with jl's reductions, or give it one with jl.customVjp.",
    );

/** For each element the product of the others over some dimensions, by products alone. */
function othersOf(x: Tensor, dims: readonly number[]): Tensor {
  const kept = x.shape.map((_, d) => d).filter((d) => !dims.includes(d));
  const order = [...kept, ...dims];
  const moved = x.permute(order);
  const flat = moved.reshape([...kept.map((d) => x.shape[d] as number), -1]);
  const others = productOfOthers(flat, kept.length).reshape([...moved.shape]);
  return others.permute(order.map((_, d) => order.indexOf(d)));
}
