// Losses of predictions beside targets, composed of operations that have derivatives and share kernels in compiled functions.
import { numberOf, optionsOf } from "../base/arguments.js";
import { JitlabError, show } from "../base/errors.js";
import { formatShape, sameNumbers } from "../geometry/layout.js";
import { openCasts } from "../launch/sink.js";
import { asProgram } from "../program/tape/own-program.js";
import { floating } from "../tensor/statistic-options.js";
import { type Tensor, tensorOf } from "../tensor/tensor.js";

/** Options of every loss. */
export interface LossOptions {
  /** What becomes of the losses of the elements: their mean (default), their sum, or all of them. */
  readonly reduction?: Reduction;
}

/** What becomes of the losses of the elements. */
export type Reduction = "mean" | "sum" | "none";

/** Options of huberLoss. */
export interface HuberOptions extends LossOptions {
  /** The distance from which on the loss is linear; default 1. */
  readonly delta?: number;
}

/**
 * The mean of the squared differences.
 *
 * @example jl.mseLoss(jl.tensor([1, 2]), jl.tensor([1, 4])).item() // 2
 */
export function mseLoss(input: Tensor, target: Tensor, options?: LossOptions): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("mseLoss", mseLoss, [input, target, options]);
  return loss("mseLoss", input, target, options, (x, y) => {
    const d = x.sub(y);
    return d.mul(d);
  });
}

/**
 * The mean of the distances.
 *
 * @example jl.l1Loss(jl.tensor([1, 2]), jl.tensor([1, 4])).item() // 1
 */
export function l1Loss(input: Tensor, target: Tensor, options?: LossOptions): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("l1Loss", l1Loss, [input, target, options]);
  return loss("l1Loss", input, target, options, (x, y) => x.sub(y).abs());
}

/**
 * The mean of half the squared differences up to a distance of `delta`, and of `delta * (distance - delta / 2)` beyond.
 *
 * @example jl.huberLoss(jl.tensor([1, 2]), jl.tensor([1, 4])).item() // 0.75
 */
export function huberLoss(input: Tensor, target: Tensor, options?: HuberOptions): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("huberLoss", huberLoss, [input, target, options]);
  const what = "huberLoss";
  const { delta = 1, ...rest } = optionsOf(what, options, ["reduction", "delta"]);
  if (!(numberOf(what, "delta", delta) > 0))
    throw new JitlabError("bad-argument", `${what}: delta is ${delta}.`, "Pass a number above 0.");
  return loss(what, input, target, rest, (x, y) => {
    const d = x.sub(y).abs();
    const far = d.sub(delta / 2).mul(delta);
    return d.le(delta).where(d.mul(d).mul(0.5), far);
  });
}

/** Options of bceWithLogits. */
export interface BceOptions extends LossOptions {
  /** A factor for each loss; it broadcasts to the input's shape. */
  readonly weight?: Tensor;
  /** A factor for the losses of the positive targets, such as one for each class; it broadcasts to the input's shape. */
  readonly posWeight?: Tensor;
}

/**
 * The mean of the binary cross entropies of probabilities `input.sigmoid()`, given as logits, which do not overflow, and targets from 0 to 1.
 *
 * @example jl.bceWithLogits(jl.zeros([2]), jl.tensor([0, 1])).item() // 0.6931471824645996
 */
export function bceWithLogits(input: Tensor, target: Tensor, options?: BceOptions): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("bceWithLogits", bceWithLogits, [input, target, options]);
  const what = "bceWithLogits";
  const { weight, posWeight, ...rest } = optionsOf(what, options, ["reduction", "weight", "posWeight"]);
  const [factor, positive] = [
    factorOf(what, "weight", weight, input),
    factorOf(what, "posWeight", posWeight, input),
  ];
  return loss(what, input, target, rest, (x, y) => {
    // -log(sigmoid(x)); beyond the threshold its logarithm adds nothing to -x.
    const own = x.neg().softplus({ threshold: 50 });
    const scaled = positive ? own.mul(positive.sub(1).mul(y).add(1)) : own;
    const found = y.neg().add(1).mul(x).add(scaled);
    return factor ? found.mul(factor) : found;
  });
}

/** A floating tensor that broadcasts to the input's shape. */
function factorOf(what: string, name: string, value: Tensor | undefined, input: Tensor): Tensor | undefined {
  if (value === undefined) return undefined;
  const [factor, { shape }] = [floating(`${what}: the ${name}`, value, false), tensorOf(what, input)];
  const behind = shape.slice(shape.length - factor.ndim);
  if (factor.ndim <= shape.length && factor.shape.every((one, d) => one === 1 || one === behind[d]))
    return factor;
  throw new JitlabError(
    "shape-mismatch",
    `${what}: the ${name} has the shape ${formatShape(factor.shape)}, the input ${formatShape(shape)}.`,
    "It broadcasts to the input: pass one element, or one for each of the input's last dimensions.",
  );
}

function loss(
  what: string,
  input: Tensor,
  target: Tensor,
  options: LossOptions | undefined,
  ofElements: (x: Tensor, y: Tensor) => Tensor,
): Tensor {
  const reduction = reductionOf(what, optionsOf(what, options, ["reduction"]).reduction);
  const [x, y] = [floating(what, input, false), floating(what, target, false)];
  // A target of [n] beside [n, 1] would broadcast to [n, n].
  if (!sameNumbers(x.shape, y.shape)) throw notFitting(what, input, target, "the same shape");
  return asProgram(what, x, () => reduced(ofElements(x, y), reduction).to(input.dtype.name));
}

/** The mean or sum of losses, or all of them. */
export function reduced(losses: Tensor, reduction: Reduction): Tensor {
  if (reduction === "none") return losses;
  return reduction === "sum" ? losses.sum() : losses.mean();
}

/** The reduction of a call's options; throws `bad-argument` for another. */
export function reductionOf(what: string, reduction: unknown = "mean"): Reduction {
  if (reduction === "mean" || reduction === "sum" || reduction === "none") return reduction;
  throw new JitlabError(
    "bad-argument",
    `${what}: the reduction is ${show(reduction)}.`,
    'It is "mean", "sum" or "none".',
  );
}

/** The error for a target whose shape does not fit. */
export function notFitting(what: string, input: Tensor, target: Tensor, expected: string): JitlabError {
  return new JitlabError(
    "shape-mismatch",
    `${what}: the input has the shape ${formatShape(tensorOf(what, input).shape)}, the target ${formatShape(tensorOf(what, target).shape)}.`,
    `The target has ${expected}: use view, squeeze or expand.`,
  );
}
