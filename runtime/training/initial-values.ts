// Initial values of weights, with PyTorch's formulas: their variance follows from how many inputs and outputs an element has.
import { numberOf, optionsOf } from "../base/arguments.js";
import { type DTypeName, dtypes } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import { checkShape, formatShape, sizeOf } from "../geometry/layout.js";
import type { AnyDType } from "../tensor/element-types.js";
import { placeNames } from "../tensor/placement.js";
import { drawnFrom, type RandomOptions, rand, randn } from "../tensor/random.js";
import type { Tensor } from "../tensor/tensor.js";

/** What follows a layer. */
export type Nonlinearity = "leakyRelu" | "relu" | "linear" | "sigmoid" | "tanh" | "selu";

/** Options of kaimingUniform and kaimingNormal. */
export interface KaimingOptions<D extends DTypeName = AnyDType> extends RandomOptions<D> {
  /** What keeps its variance: what goes forward (default), or gradients. */
  readonly mode?: "fanIn" | "fanOut";
  /** What follows the layer; default "leakyRelu". */
  readonly nonlinearity?: Nonlinearity;
  /** The slope of leakyRelu for negative numbers; default 0. */
  readonly a?: number;
}

/** Options of xavierUniform and xavierNormal. */
export interface XavierOptions<D extends DTypeName = AnyDType> extends RandomOptions<D> {
  /** A factor; default 1. */
  readonly gain?: number;
}

/**
 * Uniform numbers whose deviation is the nonlinearity's gain over the root of the number of inputs (He's initial values). The shape is that of a
 * convolution's weight, [outputs, inputs, ...]; for `x.matmul(w)` with [inputs, outputs] pass `mode: "fanOut"`.
 *
 * @example jl.kaimingUniform([8, 6]).abs().le(1).all().item() // true
 */
export function kaimingUniform<D extends DTypeName = "float32">(
  shape: readonly number[],
  options?: KaimingOptions<D>,
): Tensor<D> {
  const { deviation, rest } = kaiming("kaimingUniform", shape, options);
  return uniform(shape, deviation, rest);
}

/**
 * Normal numbers with the deviation of {@link kaimingUniform}.
 *
 * @example jl.kaimingNormal([16, 3, 3, 3]).shape // [16, 3, 3, 3]
 */
export function kaimingNormal<D extends DTypeName = "float32">(
  shape: readonly number[],
  options?: KaimingOptions<D>,
): Tensor<D> {
  const { deviation, rest } = kaiming("kaimingNormal", shape, options);
  return randn(shape, rest).mul(deviation) as Tensor<D>;
}

/**
 * Uniform numbers whose variance is 2 over the number of inputs and outputs (Glorot's initial values).
 *
 * @example jl.xavierUniform([4, 2]).abs().le(1).all().item() // true
 */
export function xavierUniform<D extends DTypeName = "float32">(
  shape: readonly number[],
  options?: XavierOptions<D>,
): Tensor<D> {
  const { deviation, rest } = xavier("xavierUniform", shape, options);
  return uniform(shape, deviation, rest);
}

/**
 * Normal numbers with the variance of {@link xavierUniform}.
 *
 * @example jl.xavierNormal([4, 2]).shape // [4, 2]
 */
export function xavierNormal<D extends DTypeName = "float32">(
  shape: readonly number[],
  options?: XavierOptions<D>,
): Tensor<D> {
  const { deviation, rest } = xavier("xavierNormal", shape, options);
  return randn(shape, rest).mul(deviation) as Tensor<D>;
}

const gains: Readonly<Record<Nonlinearity, (a: number) => number>> = {
  leakyRelu: (a) => Math.sqrt(2 / (1 + a * a)),
  relu: () => Math.SQRT2,
  linear: () => 1,
  sigmoid: () => 1,
  tanh: () => 5 / 3,
  selu: () => 3 / 4,
};

function kaiming<D extends DTypeName>(
  what: string,
  shape: readonly number[],
  options: KaimingOptions<D> | undefined,
) {
  const names = [...drawNames, "mode", "nonlinearity", "a"] as const;
  const { mode = "fanIn", nonlinearity = "leakyRelu", a = 0, ...rest } = optionsOf(what, options, names);
  const fans = fansOf(what, shape);
  const count = Object.hasOwn(fans, mode) ? fans[mode] : undefined;
  const gain = Object.hasOwn(gains, nonlinearity) ? gains[nonlinearity] : undefined;
  if (count === undefined) throw noChoice(what, "mode", mode, Object.keys(fans));
  if (gain === undefined) throw noChoice(what, "nonlinearity", nonlinearity, Object.keys(gains));
  return { deviation: gain(numberOf(what, "a", a)) / Math.sqrt(count), rest: drawn(what, rest) };
}

function xavier<D extends DTypeName>(
  what: string,
  shape: readonly number[],
  options: XavierOptions<D> | undefined,
) {
  const { gain = 1, ...rest } = optionsOf(what, options, [...drawNames, "gain"] as const);
  const { fanIn, fanOut } = fansOf(what, shape);
  const deviation = numberOf(what, "gain", gain) * Math.sqrt(2 / (fanIn + fanOut));
  return { deviation, rest: drawn(what, rest) };
}

const drawNames = ["dtype", "device", "generator"] as const;

/** The options of the draw, checked in this function's name. */
function drawn<D extends DTypeName>(what: string, rest: RandomOptions<D>): RandomOptions<D> {
  drawnFrom(what, rest, [...placeNames, "generator"]);
  const { dtype } = rest;
  if (dtype === undefined || dtypes[dtype]?.kind === "float") return rest;
  throw new JitlabError("dtype-refused", `${what} does not make ${show(dtype)}.`, "Use a floating dtype.");
}

/** Uniform numbers with mean 0 and a deviation. */
function uniform<D extends DTypeName>(
  shape: readonly number[],
  deviation: number,
  options: RandomOptions<D>,
): Tensor<D> {
  const bound = Math.sqrt(3) * deviation;
  return rand(shape, options)
    .mul(2 * bound)
    .sub(bound) as Tensor<D>;
}

/** From how many inputs an output is computed, and for how many outputs an input is used. */
function fansOf(what: string, shape: readonly number[]): { fanIn: number; fanOut: number } {
  checkShape(shape, what);
  const [outputs, inputs, ...window] = shape;
  if (outputs !== undefined && inputs !== undefined) {
    const places = sizeOf(window);
    return { fanIn: inputs * places, fanOut: outputs * places };
  }
  throw new JitlabError(
    "shape-mismatch",
    `${what}: the shape is ${formatShape(shape)}.`,
    "Pass that of a weight: [outputs, inputs, ...]. A bias begins at 0.",
  );
}

function noChoice(what: string, name: string, value: unknown, choices: readonly string[]): JitlabError {
  return new JitlabError(
    "bad-argument",
    `${what}: ${name} is ${show(value)}.`,
    `It is ${choices.map((one) => JSON.stringify(one)).join(", ")}.`,
  );
}
