// Normalization over the last dimensions, or groups of channels, computed in float32 for half types and rounded once.
import { integerOf, integersOf, numberOf, optionsOf } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import { formatShape, sameNumbers } from "../geometry/layout.js";
import { openCasts } from "../launch/sink.js";
import { asProgram } from "../program/tape/own-program.js";
import { floating, wide } from "../tensor/statistic-options.js";
import type { Tensor } from "../tensor/tensor.js";
import { ofChannels } from "./channels.js";

/** Options of rmsNorm. */
export interface RmsNormOptions {
  /** Factors of the normalized shape. */
  readonly weight?: Tensor | undefined;
  /** What is added below the root, so that it is not 0. */
  readonly eps?: number;
}

/** Options of layerNorm. */
export interface LayerNormOptions extends RmsNormOptions {
  /** What is added, of the normalized shape. */
  readonly bias?: Tensor | undefined;
}

/**
 * Subtracts the mean over the last dimensions, whose shape is `normalizedShape`, and divides by the deviation; `eps` is 1e-5.
 *
 * @example jl.layerNorm(jl.tensor([0, 2]), 2, { eps: 0 }).toArray() // [-1, 1]
 */
export function layerNorm(
  x: Tensor,
  normalizedShape: number | readonly number[],
  options?: LayerNormOptions,
): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("layerNorm", layerNorm, [x, normalizedShape, options]);
  const what = "layerNorm";
  const { weight, bias, eps = 1e-5 } = optionsOf(what, options, ["weight", "bias", "eps"]);
  const values = floating(what, x, false);
  const { over, shape } = lastDimensions(what, x, normalizedShape);
  const [scale, shift] = [ofShape(what, "weight", weight, shape), ofShape(what, "bias", bias, shape)];
  numberOf(what, "eps", eps);
  return asProgram(what, x, () => {
    const distance = values.sub(values.mean(over));
    let found = distance.mul(distance.mul(distance).mean(over).add(eps).rsqrt());
    if (scale) found = found.mul(scale);
    if (shift) found = found.add(shift);
    return found.to(x.dtype.name);
  });
}

// The distance from 1 to the next number.
const epsilons = { float32: 2 ** -23, float64: 2 ** -52 } as const;

/**
 * Divides by the root of the mean of the squares over the last dimensions, whose shape is `normalizedShape`; `eps` is the
 * distance from 1 to the next number.
 *
 * @example jl.rmsNorm(jl.tensor([3, 3]), 2).toArray() // [1, 1]
 */
export function rmsNorm(
  x: Tensor,
  normalizedShape: number | readonly number[],
  options?: RmsNormOptions,
): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("rmsNorm", rmsNorm, [x, normalizedShape, options]);
  const what = "rmsNorm";
  const { weight, eps } = optionsOf(what, options, ["weight", "eps"]);
  const values = floating(what, x, false);
  const { over, shape } = lastDimensions(what, x, normalizedShape);
  const scale = ofShape(what, "weight", weight, shape);
  const least = numberOf(what, "eps", eps ?? epsilons[values.dtype.name as keyof typeof epsilons]);
  return asProgram(what, x, () => {
    const found = values.mul(values.mul(values).mean(over).add(least).rsqrt());
    return (scale ? found.mul(scale) : found).to(x.dtype.name);
  });
}

/** Options of groupNorm; weight and bias have one element for each channel. */
export type GroupNormOptions = LayerNormOptions;

/**
 * Divides the channels, dimension 1, into groups, and normalizes each of a sample over its channels and the dimensions behind; `eps` is 1e-5.
 *
 * @example jl.groupNorm(jl.tensor([[0, 2, 5, 7]]), 2, { eps: 0 }).toArray() // [[-1, 1, -1, 1]]
 */
export function groupNorm(x: Tensor, numGroups: number, options?: GroupNormOptions): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("groupNorm", groupNorm, [x, numGroups, options]);
  const what = "groupNorm";
  const { weight, bias, eps = 1e-5 } = optionsOf(what, options, ["weight", "bias", "eps"]);
  const values = floating(what, x, false);
  const [batch, channels] = values.shape;
  const groups = integerOf(what, "numGroups", numGroups);
  if (batch === undefined || channels === undefined || groups < 1 || channels % groups !== 0) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: the tensor has the shape ${formatShape(values.shape)}, and numGroups is ${groups}.`,
      "Pass a tensor of the shape [batch, channels, ...], and a number of groups that divides the channels.",
    );
  }
  const [scale, shift] = [
    ofChannels(what, "weight", weight, channels),
    ofChannels(what, "bias", bias, channels),
  ];
  numberOf(what, "eps", eps);
  const rest = values.shape.slice(2);
  if (values.size === 0) return x.clone();
  return asProgram(what, x, () => {
    const across = (one: Tensor) => one.view([channels, ...rest.map(() => 1)]);
    const parts = values.reshape([batch, groups, -1]);
    const distance = parts.sub(parts.mean(2, { keepdim: true }));
    const deviation = distance.mul(distance).mean(2, { keepdim: true }).add(eps).rsqrt();
    let found = distance.mul(deviation).view([...values.shape]);
    if (scale) found = found.mul(across(scale));
    if (shift) found = found.add(across(shift));
    return found.to(x.dtype.name);
  });
}

function lastDimensions(what: string, x: Tensor, normalizedShape: number | readonly number[]) {
  const shape = integersOf(what, "the normalized shape", normalizedShape);
  const first = x.ndim - shape.length;
  if (shape.length === 0 || first < 0 || !sameNumbers(x.shape.slice(first), shape)) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: the tensor has the shape ${formatShape(x.shape)}, the normalized shape is ${formatShape(shape)}.`,
      "The normalized shape is that of the last dimensions.",
    );
  }
  return { over: { dim: shape.map((_, d) => first + d), keepdim: true }, shape };
}

function ofShape(what: string, name: string, value: Tensor | undefined, shape: readonly number[]) {
  if (value === undefined) return undefined;
  const found = wide(floating(`${what}: the ${name}`, value, false));
  if (sameNumbers(found.shape, shape)) return found;
  throw new JitlabError(
    "shape-mismatch",
    `${what}: the ${name} has the shape ${formatShape(found.shape)}.`,
    `It has the normalized shape, ${formatShape(shape)}.`,
  );
}
