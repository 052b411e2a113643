// How cotangents go back through reductions.
import type { View } from "../geometry/view.js";
import type { ReduceCall } from "../launch/calls.js";
import type { Tensor } from "../tensor/tensor.js";
import { type Active, type Pull, type Recording, refusal } from "./rule.js";
import { productOfOthers } from "./scan-rules.js";
import { send } from "./send.js";

/** What it keeps of a reduction's input; then, with its output, its pull. */
export function reducePull(
  recorder: Recording,
  { reduction: { name }, input, gone, isNanSpread }: ReduceCall,
  to: Active,
): (outputs: readonly View[]) => Pull {
  const wide = input.shape.map((extent, d) => (gone[d] ? 1 : extent));
  const dims = gone.flatMap((isGone, d) => (isGone ? [d] : []));
  const over = (g: Tensor) => g.reshape(wide).expand([...input.shape]);
  const pulled =
    (cotangent: (g: Tensor) => Tensor): Pull =>
    ([g]) => {
      if (g !== undefined) send(to, cotangent(g));
    };
  const count = dims.reduce((product, d) => product * (input.shape[d] as number), 1);
  switch (name) {
    case "sum":
      return () => pulled(over);
    case "mean":
      return () => pulled((g) => over(g.div(count)));
    case "min":
    case "max": {
      const x = recorder.keep(input);
      return ([output]) => {
        const y = recorder.keep(output as View);
        return pulled((g) => {
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
    }
    case "prod": {
      const x = recorder.keep(input);
      const conjugate = (one: Tensor) => (one.dtype.kind === "complex" ? one.conj() : one);
      if (recorder.isNested)
        return () => pulled((g) => conjugate(othersOf(x.tensor(), dims)).mul(g.reshape(wide)));
      return () =>
        pulled((g) => {
          const values = x.tensor().to(g.dtype.name);
          const isZero = values.eq(0);
          const zeros = isZero.sum({ dim: dims, keepdim: true });
          const others = isZero.where(1, values);
          const product = others.prod({ dim: dims, keepdim: true });
          const slope = isZero.where(
            zeros.eq(1).where(product, 0),
            zeros.eq(0).where(product, 0).div(others),
          );
          return conjugate(slope as Tensor).mul(g.reshape(wide));
        });
    }
    default:
      return () =>
        refusal(
          name,
          "the order in which a reduction of your own joins elements has no derivative",
          "Write it with jl's reductions, or give it one with jl.customVjp.",
        );
  }
}

/** For each element the product of the others over some dimensions, by products alone. */
function othersOf(x: Tensor, dims: readonly number[]): Tensor {
  const kept = x.shape.map((_, d) => d).filter((d) => !dims.includes(d));
  const order = [...kept, ...dims];
  const moved = x.permute(order);
  const flat = moved.reshape([...kept.map((d) => x.shape[d] as number), -1]);
  const others = productOfOthers(flat, kept.length).reshape([...moved.shape]);
  return others.permute(order.map((_, d) => order.indexOf(d)));
}
