// Statistics along dimensions, composed of reductions and maps: norms, sums and means without NaN, exponentials that do not
// overflow. Half types are computed in float32 and rounded once.

import { isOptions, numberOf, optionsOf } from "../../base/arguments.js";
import { type DTypeName, dtypeOf } from "../../base/dtype.js";
import { inNameOf, JitlabError } from "../../base/errors.js";
import { release } from "../../geometry/view.js";
import { dimensionOrOnly } from "../../geometry/views.js";
import { atOnce, constant, openCasts } from "../../launch/sink.js";
import { asProgram } from "../../program/tape/own-program.js";
import {
  type DimOptions,
  type Dims,
  dimNames,
  floating,
  likeReal,
  optionsFrom,
  releasing,
  rootOf,
} from "../statistic-options.js";
import { type Tensor, tensorOf } from "../tensor.js";
import { hostReads } from "../transfer.js";
import { extreme } from "./reduce.js";

/** Options of a norm. */
export interface NormOptions extends DimOptions {
  /** The order: 2 (default), 1, 0 (elements other than 0), Infinity, -Infinity or any other number. */
  readonly p?: number | "fro" | undefined;
}

const normNames = [...dimNames, "p"] as const;

/**
 * The vector norm of order `p` of the elements' magnitudes. Order and dimensions may come first: `x.norm(1, 0)`.
 *
 * @example jl.tensor([3, 4]).norm().item() // 5
 */
export function norm(
  x: Tensor,
  p?: NormOptions["p"] | NormOptions,
  dim?: Dims<NormOptions>,
  options?: NormOptions,
): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("norm", norm, [x, p, dim, options]);
  return normOf("norm", x, orderedOptions("norm", p, dim, options));
}

/**
 * The norm of order `p` over dimensions, as {@link norm}.
 *
 * @example jl.tensor([3, 4]).vectorNorm().item() // 5
 */
export function vectorNorm(
  x: Tensor,
  p?: NormOptions["p"] | NormOptions,
  dim?: Dims<NormOptions>,
  options?: NormOptions,
): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("vectorNorm", vectorNorm, [x, p, dim, options]);
  return normOf("vectorNorm", x, orderedOptions("vectorNorm", p, dim, options));
}

/** The options of a norm whose call may name the order and the dimensions first. */
function orderedOptions(
  what: string,
  p: NormOptions["p"] | NormOptions,
  dim: Dims<NormOptions> | undefined,
  options: NormOptions | undefined,
): NormOptions {
  if (isOptions(p)) return optionsOf(what, p, normNames);
  const given = optionsFrom(what, dim, options, normNames);
  return p === undefined ? given : { ...given, p };
}

function normOf(what: string, x: Tensor, { p = 2, dim, keepdim }: NormOptions): Tensor {
  return asProgram(what, tensorOf(what, x), () => {
    const order = p === "fro" ? 2 : numberOf(what, "p", p);
    const size = floating(what, x).abs();
    const over = { dim, keepdim };
    const found =
      order === 2
        ? rootOf(size.mul(size).sum(over))
        : order === 1
          ? size.sum(over)
          : order === 0
            ? size.ne(0).sum(over)
            : order === Number.POSITIVE_INFINITY
              ? size.max(over)
              : order === Number.NEGATIVE_INFINITY
                ? size.min(over)
                : rootOf(size.pow(order).sum(over), order);
    return likeReal(found, x);
  });
}

/**
 * The smallest element over dimensions; NaN if there is one.
 *
 * @example jl.tensor([[3, 1], [2, 5]]).amin(1).toArray() // [1, 2]
 */
export function amin(x: Tensor, dim?: Dims, options?: DimOptions): Tensor {
  const over = optionsFrom("amin", dim, options);
  return inNameOf("amin", "min", () => extreme("min", tensorOf("amin", x), over));
}

/**
 * The largest element over dimensions; NaN if there is one.
 *
 * @example jl.tensor([[3, 1], [2, 5]]).amax(1).toArray() // [3, 5]
 */
export function amax(x: Tensor, dim?: Dims, options?: DimOptions): Tensor {
  const over = optionsFrom("amax", dim, options);
  return inNameOf("amax", "max", () => extreme("max", tensorOf("amax", x), over));
}

/**
 * The smallest and the largest element as `{ min, max }`.
 *
 * @example jl.tensor([3, 1, 2]).aminmax().max.item() // 3
 */
export function aminmax(x: Tensor, options?: DimOptions): { min: Tensor; max: Tensor } {
  const over = optionsOf("aminmax", options, dimNames);
  return asProgram("aminmax", tensorOf("aminmax", x), () => {
    const min = inNameOf("aminmax", "min", () => extreme("min", x, over));
    return { min, max: extreme("max", x, over) };
  });
}

/** The smallest and the largest of real elements, as numbers; `what` reads them. */
export function boundsOf(what: string, elements: Tensor): [number, number] {
  hostReads(what, elements);
  const { min, max } = atOnce(() => aminmax(elements));
  const bounds: [number, number] = [Number(min.item()), Number(max.item())];
  release(min, max);
  return bounds;
}

/**
 * The number of elements that are not 0, as int64.
 *
 * @example jl.tensor([0, 5, 7]).countNonzero().item() // 2n
 */
export function countNonzero(x: Tensor, dim?: number | readonly number[]): Tensor {
  return asProgram("countNonzero", tensorOf("countNonzero", x), () => {
    return tensorOf("countNonzero", x).ne(0).sum({ dim });
  });
}

/**
 * Sum of the elements, ignoring NaN; of integers and bool in int64.
 *
 * @example jl.tensor([1, NaN, 3]).nansum().item() // 4
 */
export function nansum(x: Tensor, dim?: Dims, options?: DimOptions): Tensor {
  return asProgram("nansum", tensorOf("nansum", x), () => {
    const over = optionsFrom("nansum", dim, options);
    if (tensorOf("nansum", x).dtype.kind === "complex") {
      throw new JitlabError(
        "dtype-refused",
        "nansum does not take complex dtypes: sum the parts real() and imag().",
      );
    }
    return x.dtype.kind === "float" ? x.isnan().where(0, x).sum(over) : x.sum(over);
  });
}

/**
 * Mean of the elements, ignoring NaN; NaN if there are no others.
 *
 * @example jl.tensor([1, NaN, 3]).nanmean().item() // 2
 */
export function nanmean(x: Tensor, dim?: Dims, options?: DimOptions): Tensor {
  return asProgram("nanmean", tensorOf("nanmean", x), () => {
    const over = optionsFrom("nanmean", dim, options);
    const values = floating("nanmean", x, false);
    const missing = values.isnan();
    const count = missing.logicalNot().sum(over);
    return likeReal(missing.where(0, values).sum(over).div(count), x);
  });
}

/**
 * The logarithm of the sum of exponentials, which does not overflow; integers as float32.
 *
 * @example jl.tensor([1000, 1000]).logsumexp().item() // 1000.6931762695312
 */
export function logsumexp(x: Tensor, dim?: Dims, options?: DimOptions): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("logsumexp", logsumexp, [x, dim, options]);
  return asProgram("logsumexp", tensorOf("logsumexp", x), () => {
    const { dim: over, keepdim } = optionsFrom("logsumexp", dim, options);
    const whole = !["float", "complex"].includes(tensorOf("logsumexp", x).dtype.kind);
    const values = floating("logsumexp", whole ? x.to("float32") : x, false);
    if (values.size === 0) return likeReal(values.sum({ dim: over, keepdim }).log(), values);
    const top = constant(() => values.max({ dim: over, keepdim: true }));
    // An infinite maximum is not subtracted, because inf - inf is NaN.
    const level = top.isinf().where(0, top);
    const sum = releasing(values.sub(level), (below) =>
      releasing(below.exp(), (powers) => powers.sum({ dim: over, keepdim })),
    );
    // Below 1 only where all elements are -inf: then the logarithm has a derivative, which is 0.
    return sum
      .clampMin(1)
      .log()
      .add(top.view(sum.shape))
      .to(whole ? "float32" : x.dtype.name);
  });
}

/** Options of softmax. */
export interface SoftmaxOptions {
  /** The dtype to convert elements to first, which is also the result's. */
  readonly dtype?: DTypeName;
}

/**
 * The exponentials along a dimension, divided by their sum.
 *
 * @example jl.zeros([2]).softmax(0).toArray() // [0.5, 0.5]
 */
export function softmax(x: Tensor, dim: number, options?: SoftmaxOptions): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("softmax", softmax, [x, dim, options]);
  return asProgram("softmax", tensorOf("softmax", x), () => {
    const { values, along, dtype } = shares("softmax", x, dim, options);
    if (values.size === 0) return values.to(dtype);
    const top = constant(() => values.max({ dim: along, keepdim: true }));
    const powers = releasing(values.sub(top), (below) => below.exp());
    return releasing(powers, () => powers.div(powers.sum({ dim: along, keepdim: true }))).to(dtype);
  });
}

/**
 * The logarithm of {@link softmax}, which does not underflow.
 *
 * @example jl.tensor([0, 1000]).logSoftmax(0).toArray() // [-1000, 0]
 */
export function logSoftmax(x: Tensor, dim: number, options?: SoftmaxOptions): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("logSoftmax", logSoftmax, [x, dim, options]);
  return asProgram("logSoftmax", tensorOf("logSoftmax", x), () => {
    const { values, along, dtype } = shares("logSoftmax", x, dim, options);
    if (values.size === 0) return values.to(dtype);
    const below = values.sub(constant(() => values.max({ dim: along, keepdim: true })));
    const sum = releasing(below.exp(), (powers) => powers.sum({ dim: along, keepdim: true }));
    return releasing(below, () => below.sub(sum.log())).to(dtype);
  });
}

function shares(what: string, x: Tensor, dim: number, given: SoftmaxOptions | undefined) {
  const { dtype } = optionsOf(what, given, ["dtype"]);
  const source = dtype === undefined ? tensorOf(what, x) : tensorOf(what, x).to(dtypeOf(dtype).name);
  const values = floating(what, source, false);
  const along = dimensionOrOnly(what, dim, values.ndim);
  return { values, along, dtype: source.dtype.name };
}
