// Variance and standard deviation, from the mean in a second pass. Half types are computed in float32 and rounded once.
import { numberOf } from "../../base/arguments.js";
import { JitlabError, show } from "../../base/errors.js";
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
  wide,
} from "../statistic-options.js";
import { type Tensor, tensorOf } from "../tensor.js";

/** Options of variance and standard deviation. */
export interface SpreadOptions extends DimOptions {
  /** Subtracted from the number of elements; default 1, the sample estimate. */
  readonly correction?: number | undefined;
  /** PyTorch's older option: true, the default, is correction 1, false 0. Not together with `correction`. */
  readonly unbiased?: boolean | undefined;
}

const names = [...dimNames, "correction", "unbiased"] as const;

/**
 * Variance: the mean square of the distance from the mean, over the number of elements less `correction`.
 *
 * @example jl.tensor([1, 2, 3]).var().item() // 1
 */
export function var_(x: Tensor, dim?: Dims<SpreadOptions>, options?: SpreadOptions): Tensor {
  return asProgram("var", tensorOf("var", x), () => {
    return variance("var", x, optionsFrom("var", dim, options, names)).variance;
  });
}

function variance(what: string, x: Tensor, options: SpreadOptions): { variance: Tensor; mean: Tensor } {
  const values = floating(what, x);
  const { dim, keepdim } = options;
  const correction = correctionOf(what, options);
  const center = values.mean({ dim, keepdim: true });
  const deviations = values.sub(center);
  const distance =
    deviations.dtype.kind === "complex" ? releasing(deviations, () => deviations.abs()) : deviations;
  const squares = releasing(distance, () =>
    releasing(distance.mul(distance), (each) => each.sum({ dim, keepdim })),
  );
  const count = center.size === 0 ? 0 : values.size / center.size;
  const mean = keepdim ? center : center.view(squares.shape);
  return {
    variance: likeReal(squares.div(Math.max(0, count - correction)), x),
    mean: mean.to(x.dtype.name),
  };
}

/** The number to subtract from the number of elements. */
function correctionOf(what: string, { correction, unbiased }: SpreadOptions): number {
  if (unbiased === undefined) return numberOf(what, "correction", correction ?? 1);
  if (correction === undefined && typeof unbiased === "boolean") return unbiased ? 1 : 0;
  throw new JitlabError(
    "bad-argument",
    correction === undefined
      ? `${what}: unbiased is ${show(unbiased)}, not true or false.`
      : `${what}: correction and unbiased are given together, ${show(correction)} and ${show(unbiased)}.`,
    "Pass one of them: { correction: 0 } or { unbiased: false }.",
  );
}

/**
 * Standard deviation: the square root of the variance.
 *
 * @example jl.tensor([1, 2, 3]).std().item() // 1
 */
export function std(x: Tensor, dim?: Dims<SpreadOptions>, options?: SpreadOptions): Tensor {
  return asProgram("std", tensorOf("std", x), () => {
    const found = variance("std", wide(tensorOf("std", x)), optionsFrom("std", dim, options, names));
    return likeReal(rootOf(found.variance), x);
  });
}

/**
 * Variance and mean as `{ variance, mean }`.
 *
 * @example jl.tensor([1, 2, 3]).varMean().mean.item() // 2
 */
export function varMean(
  x: Tensor,
  dim?: Dims<SpreadOptions>,
  options?: SpreadOptions,
): { variance: Tensor; mean: Tensor } {
  return asProgram("varMean", tensorOf("varMean", x), () => {
    return variance("varMean", x, optionsFrom("varMean", dim, options, names));
  });
}

/**
 * Standard deviation and mean as `{ std, mean }`.
 *
 * @example jl.tensor([1, 2, 3]).stdMean().std.item() // 1
 */
export function stdMean(
  x: Tensor,
  dim?: Dims<SpreadOptions>,
  options?: SpreadOptions,
): { std: Tensor; mean: Tensor } {
  return asProgram("stdMean", tensorOf("stdMean", x), () => {
    const found = variance(
      "stdMean",
      wide(tensorOf("stdMean", x)),
      optionsFrom("stdMean", dim, options, names),
    );
    return { std: likeReal(rootOf(found.variance), x), mean: found.mean.to(x.dtype.name) };
  });
}
