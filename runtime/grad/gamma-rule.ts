// The derivative of the multivariate gamma function: a sum of as many terms as it has dimensions.
import type { MapOperation } from "../launch/operation.js";
import { isTensor } from "../program/operations/window.js";
import { arange } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";
import type { Rule } from "./rule.js";
import { send } from "./send.js";

/** Of `multigammaln(a, b)`: digamma(a - k / 2), summed over k from 0 to below b. A tensor of dimensions is read. */
export const gammaRule: Rule<MapOperation> = (recorder, { inputs: [a, b] }, [to]) => {
  const [x, dimensions] = [recorder.keep(a as Tensor), isTensor(b) ? recorder.keep(b) : undefined];
  return () =>
    ([g]) => {
      if (g && to) send(to, g.mul(slopeOf(x.tensor(), dimensions?.tensor() ?? Number(b))));
    };
};

function slopeOf(given: Tensor, dimensions: Tensor | number): Tensor {
  const x = given.dtype.bytes < 4 ? given.to("float32") : given;
  const isOne = typeof dimensions === "number";
  const most = isOne ? dimensions : dimensions.size === 0 ? 0 : Number(dimensions.max().item());
  const k = arange(0, Math.max(0, Math.trunc(most)), 1, { dtype: x.dtype.name, device: x.device.name });
  const terms = x.unsqueeze(-1).sub(k.div(2)).digamma();
  return (isOne ? terms : k.lt(dimensions.unsqueeze(-1)).where(terms, 0)).sum(-1) as Tensor;
}
