// How cotangents go back through running sums, products and their kin, along one dimension.

import type { View } from "../geometry/view.js";
import type { ScanOperation } from "../launch/operation.js";
import { ones, zeros } from "../tensor/create.js";
import { cat } from "../tensor/join.js";
import { cumsum, reverseCumsum } from "../tensor/statistics/scan.js";
import type { Tensor } from "../tensor/tensor.js";
import type { Active, Rule } from "./rule.js";
import { send } from "./send.js";
import { placedPull } from "./whole-rules.js";

const sums: Rule<ScanOperation> =
  (_, { definition: { dim, isReversed } }, [to]) =>
  () =>
  ([g]) => {
    if (g) send(to as Active, isReversed ? cumsum(g, dim) : reverseCumsum(g, dim));
  };

const placed: Rule<ScanOperation> =
  (recorder, { definition: { dim } }, [to]) =>
  ([, indices]) =>
    placedPull(to as Active, dim, recorder.keep(indices as View));

const cumprod: Rule<ScanOperation> = (recorder, { definition: { dim }, inputs }, [to]) => {
  const { isNested } = recorder;
  const x = recorder.keep(inputs[0] as View);
  return () =>
    ([g]) => {
      if (g) send(to as Active, cumprodCotangent(x.tensor(), dim, g, isNested));
    };
};

const logcumsumexp: Rule<ScanOperation> = (recorder, { definition: { dim }, inputs }, [to]) => {
  const { isNested } = recorder;
  const x = recorder.keep(inputs[0] as View);
  return ([output]) => {
    const y = recorder.keep(output as View);
    return ([g]) => {
      if (g) send(to as Active, logcumsumexpCotangent(x.tensor(), y.tensor(), dim, g, isNested));
    };
  };
};

/** The rules of scans. */
export const scanRules: Readonly<Record<string, Rule<ScanOperation>>> = {
  cumsum: sums,
  cumprod,
  cummax: placed,
  cummin: placed,
  logcumsumexp,
};

const conjugate = (x: Tensor): Tensor => (x.dtype.kind === "complex" ? x.conj() : x);
const like = ({ dtype, device }: Tensor) => ({ dtype: dtype.name, device: device.name }) as const;

/** The cotangent of the factors of running products: each is left out once. */
function cumprodCotangent(x: Tensor, dim: number, g: Tensor, isNested: boolean): Tensor {
  return isNested ? cumprodInSteps(x, dim, g) : cumprodAtOnce(x, dim, g);
}

/** Before the first zero by a quotient, at it without it, and 0 behind it. */
function cumprodAtOnce(x: Tensor, dim: number, g: Tensor): Tensor {
  const isZero = x.eq(0);
  const count = isZero.cumsum(dim);
  const isFirst = isZero.logicalAnd(count.eq(1));
  const others = isFirst.where(1, x).to(x.dtype.name);
  const products = others.cumprod(dim);
  const before = reverseCumsum(g.mul(conjugate(count.eq(0).where(products, 0))), dim);
  const at = reverseCumsum(g.mul(conjugate(products)), dim);
  return count
    .eq(0)
    .where(before.div(conjugate(isZero.where(1, x))), isFirst.where(at, 0))
    .to(g.dtype.name);
}

/** The same by products and sums alone, which are differentiated again, also at zeros. */
function cumprodInSteps(x: Tensor, dim: number, g: Tensor): Tensor {
  const length = x.shape[dim] as number;
  if (length === 0) return g;
  const parts: Tensor[] = [];
  let behind = g.narrow(dim, length - 1, 1);
  parts.push(behind);
  for (let k = length - 2; k >= 0; k--) {
    behind = g.narrow(dim, k, 1).add(conjugate(x.narrow(dim, k + 1, 1)).mul(behind));
    parts.push(behind);
  }
  const first = ones(x.shape.with(dim, 1) as number[], like(x));
  const before = length > 1 ? cat([first, x.narrow(dim, 0, length - 1).cumprod(dim)], dim) : first;
  return cat(parts.reverse(), dim).mul(conjugate(before));
}

/** The product of all other elements along a dimension, for each; it can be differentiated at zeros. */
export function productOfOthers(x: Tensor, dim: number): Tensor {
  const length = x.shape[dim] as number;
  const first = ones(x.shape.with(dim, 1) as number[], like(x));
  if (length < 2) return length === 0 ? x : first;
  const before = cat([first, x.narrow(dim, 0, length - 1).cumprod(dim)], dim);
  const behind = cat(
    [
      x
        .narrow(dim, 1, length - 1)
        .flip(dim)
        .cumprod(dim)
        .flip(dim),
      first,
    ],
    dim,
  );
  return before.mul(behind);
}

/** The cotangent of the logarithms that are added, given the results `y`. */
function logcumsumexpCotangent(x: Tensor, y: Tensor, dim: number, g: Tensor, isNested: boolean): Tensor {
  if (isNested) {
    // Linear in g, as what is differentiated again must be.
    const isNone = y.eq(Number.NEGATIVE_INFINITY);
    const most = x.amax(dim, { keepdim: true });
    const top = most.isfinite().where(most, zeros([...most.shape], like(most)));
    return x
      .sub(top)
      .exp()
      .mul(reverseCumsum(g.mul(isNone.where(0, isNone.where(0, top.sub(y)).exp())), dim));
  }
  // As PyTorch: the positive and the negative part as logarithms, which do not overflow.
  const part = (own: Tensor) => {
    // Where all elements so far are -inf, the derivative is 0.
    const counts = own.gt(0).logicalAnd(y.ne(Number.NEGATIVE_INFINITY));
    const logs = counts.where(own.log(), Number.NEGATIVE_INFINITY).to(g.dtype.name).sub(y);
    const safe = counts.where(logs, Number.NEGATIVE_INFINITY).to(g.dtype.name);
    return safe.flip(dim).logcumsumexp(dim).flip(dim).add(x).exp();
  };
  return part(g).sub(part(g.neg()));
}
