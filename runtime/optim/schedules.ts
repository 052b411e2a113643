// Learning rates as functions of the number of steps done. They compute with tensors, so that a compiled step is replayed while the rate changes.
import { integerOf, optionsOf } from "../base/arguments.js";
import { JitlabError, show } from "../base/errors.js";
import { zeros } from "../tensor/create.js";
import { Tensor } from "../tensor/tensor.js";
import { fromZero } from "./rate.js";

/** The learning rate after a number of steps: a tensor for a tensor, which optimizers pass, and a number for a number. */
export interface LearningRate {
  (step: Tensor): Tensor;
  (step: number): number;
}

/** Options of every learning rate. */
export interface WarmupOptions {
  /** The number of steps over which the rate grows in equal parts to its first value; default 0. The other steps count from their end. */
  readonly warmup?: number;
}

/** Options of cosineLr. */
export interface CosineOptions extends WarmupOptions {
  /** The rate at the end; default 0. */
  readonly etaMin?: number;
}

/** Options of stepLr. */
export interface StepOptions extends WarmupOptions {
  /** The factor; default 0.1. */
  readonly gamma?: number;
}

/**
 * The same learning rate for all steps, after a warm-up.
 *
 * @example [0, 1, 2].map(jl.optim.constantLr(0.5, { warmup: 2 })) // [0.25, 0.5, 0.5]
 */
export function constantLr(lr: number, options?: WarmupOptions): LearningRate {
  const what = "optim.constantLr";
  const { warmup } = optionsOf(what, options, ["warmup"]);
  return schedule(what, lr, warmup, (step, rate) => step.mul(0).add(rate));
}

/**
 * A learning rate that falls along half a cosine to `etaMin` in `steps` steps, and then stays, after a warm-up.
 *
 * @example [0, 1, 2, 3].map(jl.optim.cosineLr(1, 2, { etaMin: 0.5 })) // [1, 0.75, 0.5, 0.5]
 */
export function cosineLr(lr: number, steps: number, options?: CosineOptions): LearningRate {
  const what = "optim.cosineLr";
  const { warmup, etaMin = 0 } = optionsOf(what, options, ["warmup", "etaMin"]);
  const [count, least] = [fromOne(what, "steps", steps), fromZero(what, "etaMin", etaMin)];
  return schedule(what, lr, warmup, (step, rate) =>
    step
      .minimum(count)
      .mul(Math.PI / count)
      .cos()
      .add(1)
      .mul((rate - least) / 2)
      .add(least),
  );
}

/**
 * A learning rate that is multiplied by `gamma` after each `stepSize` steps, after a warm-up.
 *
 * @example [0, 1, 2, 3, 4].map(jl.optim.stepLr(1, 2, { gamma: 0.5 })) // [1, 1, 0.5, 0.5, 0.25]
 */
export function stepLr(lr: number, stepSize: number, options?: StepOptions): LearningRate {
  const what = "optim.stepLr";
  const { warmup, gamma = 0.1 } = optionsOf(what, options, ["warmup", "gamma"]);
  const [size, factor] = [fromOne(what, "stepSize", stepSize), fromZero(what, "gamma", gamma)];
  return schedule(what, lr, warmup, (step, rate) => {
    const times = step.div(size).floor();
    return times.mul(0).add(factor).pow(times).mul(rate);
  });
}

/** A rate of the steps after the warm-up. */
function schedule(
  what: string,
  lr: number,
  warmup: number | undefined,
  of: (step: Tensor, lr: number) => Tensor,
): LearningRate {
  const rate = fromZero(what, "lr", lr);
  const grows = integerOf(what, "warmup", warmup ?? 0);
  if (grows < 0)
    throw new JitlabError(
      "bad-argument",
      `${what}: warmup is ${grows}.`,
      "Pass a number of steps from 0 on.",
    );
  const at = (step: Tensor): Tensor => {
    if (grows === 0) return of(step, rate);
    const isWarm = step.ge(grows);
    return isWarm.where(of(step.sub(grows).maximum(0), rate), step.add(1).mul(rate / grows));
  };
  return ((step: unknown) => {
    if (step instanceof Tensor) return at(step);
    if (typeof step === "number") return Number(at(zeros([], { dtype: "float64" }).add(step)).item());
    throw new JitlabError(
      "bad-argument",
      `${what}: the step is ${show(step)}.`,
      "Pass how many steps were done, as a number or as a tensor.",
    );
  }) as LearningRate;
}

function fromOne(what: string, name: string, value: number): number {
  const count = integerOf(what, name, value);
  if (count >= 1) return count;
  throw new JitlabError("bad-argument", `${what}: ${name} is ${count}.`, "Pass a number of steps from 1 on.");
}
