// Gradients that are too large.
import { JitlabError } from "../base/errors.js";
import { wide } from "../tensor/statistic-options.js";
import type { Tensor } from "../tensor/tensor.js";
import { fromZero } from "./rate.js";
import { alongside, onlyTensors } from "./trees.js";

/**
 * Scales a gradient whose norm, over all its tensors, is above `maxNorm` down to it; also returns the norm before.
 *
 * @example jl.optim.clipGradNorm([jl.tensor([3]), jl.tensor([4])], 1).norm.item() // 5
 */
export function clipGradNorm<P>(gradient: P, maxNorm: number): { gradient: P; norm: Tensor } {
  const what = "optim.clipGradNorm";
  const most = fromZero(what, "maxNorm", maxNorm);
  const found = alongside(what, gradient, {}).map(([one]) => one);
  const norms = found.map((one) => wide(one).norm());
  // Not stack(norms).norm(): a write into parts of a tensor would keep a compiled function from replays.
  const norm =
    norms.length === 1
      ? (norms[0] as Tensor)
      : norms
          .map((one) => one.mul(one))
          .reduce((sum, one) => sum.add(one))
          .sqrt();
  // PyTorch's rule: the small number keeps a norm of 0 from dividing.
  const factor = norm.add(1e-6).reciprocal().mul(most).minimum(1);
  const scaled = found.map((one) => wide(one).mul(factor.to(one.dtype.compute)).to(one.dtype.name));
  return { gradient: onlyTensors(gradient, scaled), norm };
}

/**
 * Brings each element of a gradient into the bounds from `-clipValue` to `clipValue`.
 *
 * @example jl.optim.clipGradValue(jl.tensor([-3, 0.5]), 1).toArray() // [-1, 0.5]
 */
export function clipGradValue<P>(gradient: P, clipValue: number): P {
  const what = "optim.clipGradValue";
  const bound = fromZero(what, "clipValue", clipValue);
  const found = alongside(what, gradient, {}).map(([one]) => {
    if (one.dtype.kind === "float") return one.clamp(-bound, bound);
    throw new JitlabError("dtype-refused", `${what} does not take ${one.dtype.name}.`, "Use clipGradNorm.");
  });
  return onlyTensors(gradient, found);
}
