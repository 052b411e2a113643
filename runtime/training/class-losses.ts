// Losses of classes. A label is found by comparing the numbers of the classes with it, not by a lookup: the comparison shares
// the kernel of the sum, and a compiled function with it can be replayed. A label without a class gives NaN.
import { integerOf, numberOf, optionsOf } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import { formatShape, sameNumbers } from "../geometry/layout.js";
import { openCasts } from "../launch/sink.js";
import { asProgram } from "../program/tape/own-program.js";
import { arange } from "../tensor/create.js";
import { floating, wide } from "../tensor/statistic-options.js";
import { type Tensor, tensorOf } from "../tensor/tensor.js";
import { type LossOptions, notFitting, type Reduction, reduced, reductionOf } from "./losses.js";

/** Options of nllLoss. */
export interface NllOptions extends LossOptions {
  /** A factor for each class. */
  readonly weight?: Tensor;
  /** The label of what does not count; default -100. */
  readonly ignoreIndex?: number;
}

/** Options of crossEntropy. */
export interface CrossEntropyOptions extends NllOptions {
  /** The share of each target that is spread over all classes; default 0. */
  readonly labelSmoothing?: number;
}

/**
 * The mean of the negative logarithms of the softmax at the target's classes. The classes are dimension 1 of `input`, or its
 * only one; the target has labels, or probabilities in a floating tensor of the input's shape. A label without a class gives NaN.
 *
 * @example jl.crossEntropy(jl.zeros([3, 4]), jl.tensor([0, 1, 3], { dtype: "int64" })).item() // 1.3862943649291992
 */
export function crossEntropy(input: Tensor, target: Tensor, options?: CrossEntropyOptions): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("crossEntropy", crossEntropy, [input, target, options]);
  const what = "crossEntropy";
  const { labelSmoothing = 0, ...rest } = optionsOf(what, options, [...nllNames, "labelSmoothing"]);
  if (!(numberOf(what, "labelSmoothing", labelSmoothing) >= 0 && labelSmoothing <= 1))
    throw new JitlabError(
      "bad-argument",
      `${what}: labelSmoothing is ${labelSmoothing}.`,
      "Pass a number from 0 to 1.",
    );
  const classes = classesOf(what, input);
  return asProgram(what, input, () => {
    const powers = floating(what, input, false).logSoftmax(classes);
    const found =
      tensorOf(what, target).dtype.kind === "float"
        ? ofProbabilities(what, powers, target, labelSmoothing, rest)
        : ofLabels(what, powers, target, labelSmoothing, rest);
    return found.to(input.dtype.name);
  });
}

/**
 * The mean of the negative elements of `input`, logarithms of probabilities, at the target's labels; as {@link crossEntropy}.
 *
 * @example jl.nllLoss(jl.tensor([[-1, -2], [-3, -4]]), jl.tensor([0, 1], { dtype: "int64" })).item() // 2.5
 */
export function nllLoss(input: Tensor, target: Tensor, options?: NllOptions): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("nllLoss", nllLoss, [input, target, options]);
  const what = "nllLoss";
  const given = optionsOf(what, options, nllNames);
  classesOf(what, input);
  return asProgram(what, input, () =>
    ofLabels(what, floating(what, input, false), target, 0, given).to(input.dtype.name),
  );
}

const integerLabels = "Labels are integers: target.long().";
const nllNames = ["reduction", "weight", "ignoreIndex"] as const;

/** The dimension of the classes. */
function classesOf(what: string, input: Tensor): number {
  if (tensorOf(what, input).ndim > 0) return input.ndim === 1 ? 0 : 1;
  throw new JitlabError(
    "shape-mismatch",
    `${what}: the input has no dimension.`,
    "Pass one with the classes.",
  );
}

function ofLabels(
  what: string,
  powers: Tensor,
  target: Tensor,
  smoothing: number,
  { weight, ignoreIndex = -100, reduction: how }: NllOptions,
): Tensor {
  const reduction = reductionOf(what, how);
  const { kind, name } = tensorOf(what, target).dtype;
  if (kind !== "signed" && kind !== "unsigned") {
    throw new JitlabError("dtype-refused", `${what}: the labels are ${name}.`, integerLabels);
  }
  const along = classesOf(what, powers);
  const rest = powers.shape.filter((_, d) => d !== along);
  if (!sameNumbers(rest, target.shape))
    throw notFitting(what, powers, target, `the shape ${formatShape(rest)}, one label for each row`);
  const count = powers.shape[along] as number;
  const ofClass = (one: Tensor) => one.view(one.shape[0] as number, ...rest.slice(along).map(() => 1));
  const isOwn = ofClass(arange(0, count, 1, { dtype: "int32", device: powers.device.name })).eq(
    target.unsqueeze(along),
  );
  const factors = weight && ofClass(weightOf(what, weight, count));
  const ignored = target.eq(integerOf(what, "ignoreIndex", ignoreIndex));
  const hasClass = target.ge(0).logicalAnd(target.lt(count));
  const own = factors ? isOwn.where(factors, 0).sum(along) : 1;
  const share = ignored.where(0, hasClass.where(own, Number.NaN)).to(powers.dtype.name);
  const at = (values: Tensor) => ignored.where(0, values);
  let losses = at(isOwn.where(powers, 0).sum(along).neg().mul(share));
  if (smoothing > 0) {
    const all = (factors ? powers.mul(factors) : powers).sum(along).neg();
    losses = losses.mul(1 - smoothing).add(at(all).mul(smoothing / count));
  }
  return reduction === "mean" ? losses.sum().div(share.sum()) : reduced(losses, reduction);
}

function ofProbabilities(
  what: string,
  powers: Tensor,
  target: Tensor,
  smoothing: number,
  { weight, reduction: how }: NllOptions,
): Tensor {
  const reduction: Reduction = reductionOf(what, how);
  if (!sameNumbers(powers.shape, target.shape)) {
    if (target.ndim >= powers.ndim) throw notFitting(what, powers, target, "the same shape");
    throw new JitlabError("dtype-refused", `${what}: the labels are ${target.dtype.name}.`, integerLabels);
  }
  const along = classesOf(what, powers);
  const count = powers.shape[along] as number;
  let shares = wide(target);
  if (smoothing > 0) shares = shares.mul(1 - smoothing).add(smoothing / count);
  let products = powers.mul(shares);
  if (weight) {
    const one = weightOf(what, weight, count);
    products = products.mul(one.view(count, ...powers.shape.slice(along + 1).map(() => 1)));
  }
  return reduced(products.sum(along).neg(), reduction);
}

function weightOf(what: string, weight: Tensor, count: number): Tensor {
  const factors = floating(`${what}: the weight`, weight, false);
  if (factors.ndim === 1 && factors.shape[0] === count) return factors;
  throw new JitlabError(
    "shape-mismatch",
    `${what}: the weight has the shape ${formatShape(weight.shape)}.`,
    `It has one element for each class: ${formatShape([count])}.`,
  );
}
