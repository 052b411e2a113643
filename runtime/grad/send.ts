// The last step of rules: what a broadcast operand gets.
import { sameNumbers } from "../geometry/layout.js";
import type { Tensor } from "../tensor/tensor.js";
import type { Active } from "./rule.js";

/** Adds the cotangent of a broadcast operand. */
export function send({ window, adjoint }: Active, g: Tensor): void {
  const { shape } = window;
  if (sameNumbers(g.shape, shape)) {
    adjoint.add(window, g);
    return;
  }
  const more = g.ndim - shape.length;
  const wide = more < 0 ? g.expand([...shape]) : g;
  const dims = wide.shape.flatMap((extent, d) =>
    d < more || (shape[d - more] === 1 && extent !== 1) ? [d] : [],
  );
  const own = dims.length === 0 ? wide : wide.sum({ dim: dims, keepdim: true }).reshape([...shape]);
  adjoint.add(window, own.ndim === shape.length ? own.expand([...shape]) : own);
}
