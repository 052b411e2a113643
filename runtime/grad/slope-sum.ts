// Derivatives that are sums of as many terms as another operand says, as that of the multivariate gamma function.
import type { Operand } from "../functor/operand.js";
import type { SlopeSum } from "../ops/op.js";
import { arange } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";
import { inSteps, ruleFor } from "./expressions.js";
import { Kept } from "./kept.js";

/** The sum of the terms; where their numbers are a tensor, its elements are read. */
export function slopeSum({ sum }: SlopeSum, kept: Kept, count: Operand | Kept): Tensor {
  const own = kept.tensor();
  const x = own.dtype.bytes < 4 ? own.to("float32") : own;
  const counts = count instanceof Kept ? count.tensor() : undefined;
  const most = counts === undefined ? Number(count) : counts.size === 0 ? 0 : Number(counts.max().item());
  const k = arange(0, Math.max(0, Math.trunc(most)), 1, { dtype: x.dtype.name, device: x.device.name });
  const values = { a: x.unsqueeze(-1), k };
  const rule = ruleFor(sum);
  const terms = inSteps(
    rule,
    rule.names.map((name) => values[name as "a" | "k"]),
  );
  return (counts === undefined ? terms : k.lt(counts.unsqueeze(-1)).where(terms, 0)).sum(-1);
}
