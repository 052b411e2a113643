// How cotangents go back through reductions.
import type { View } from "../geometry/view.js";
import type { ReduceCall } from "../launch/sink.js";
import type { Tensor } from "../tensor/tensor.js";
import { type Active, type Pull, type Recording, refusal } from "./rule.js";
import { send } from "./send.js";

/** What it keeps of a reduction's input; then, with its output, its pull. */
export function reducePull(
  recorder: Recording,
  { reduction: { name }, input, gone }: ReduceCall,
  to: Active,
): (outputs: readonly View[]) => Pull {
  if (input.dtype.kind === "complex")
    return () => refusal(name, "derivatives of complex numbers are not known yet");
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
          const is = x.tensor().eq(y.tensor().reshape(wide));
          const shared = is.to(g.dtype.name).sum({ dim: dims, keepdim: true });
          return is.where(over(g.reshape(wide).div(shared)), 0);
        });
      };
    }
    case "prod": {
      const x = recorder.keep(input);
      if (recorder.isNested) return () => refusal("prod", "its second derivative is not known yet");
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
          return slope.mul(g.reshape(wide));
        });
    }
    default:
      return () =>
        refusal(name, "a reduction of one's own is not differentiated yet; write it with jl's functions");
  }
}
