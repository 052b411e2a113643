// Adam, and Adam with decay apart from the gradient, with PyTorch's rule.
import { optionsOf, pairOf } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import { zerosLike } from "../tensor/create.js";
import { wide } from "../tensor/statistic-options.js";
import type { Tensor } from "../tensor/tensor.js";
import { fromZero, noStep, type Rate, rateAt, rateOf, type Schedule } from "./rate.js";
import { alongside, onlyTensors, withTensors, zerosAlong } from "./trees.js";

/** Options of adam and adamW. */
export interface AdamOptions {
  /** The learning rate, or a function of the number of steps done; default 1e-3. */
  readonly lr?: Rate | Schedule;
  /** How much of the means of the gradient and of its square a step keeps; default [0.9, 0.999]. */
  readonly betas?: readonly [number, number];
  /** What is added to the divisor; default 1e-8. */
  readonly eps?: number;
  /** adam: the share of the parameters that is added to the gradient; adamW: how fast they shrink. Default 0, and 0.01. */
  readonly weightDecay?: number;
  /** True: divides by the largest mean of squares so far. */
  readonly amsgrad?: boolean;
  /** True: goes up instead of down. */
  readonly maximize?: boolean;
}

/** The state of adam: how many steps were done; means of the gradient and of its square, and the largest of these with amsgrad. */
export interface AdamState<P> {
  readonly step: Tensor<"float32">;
  readonly mean: P;
  readonly square: P;
  readonly most: P | undefined;
}

/** Adam as pure functions. */
export interface Adam {
  /** The state before the first step. */
  init<P>(parameters: P): AdamState<P>;
  /** The parameters and the state after a step along the gradient; the arguments stay as they are. */
  step<P>(parameters: P, gradient: unknown, state: AdamState<P>): { parameters: P; state: AdamState<P> };
}

/**
 * Adam. Nothing is changed in place: a step takes parameters, gradient and state, and returns new ones.
 *
 * @example ((o, p) => o.step(p, jl.ones([1]), o.init(p)).parameters.toArray())(jl.optim.adam({ lr: 0.5, betas: [0, 0] }), jl.ones([1])) // [0.5]
 */
export function adam(options?: AdamOptions): Adam {
  return adamOf("optim.adam", options, false);
}

/**
 * Adam whose parameters also shrink by `lr * weightDecay` in each step.
 *
 * @example ((o, p) => o.step(p, jl.zeros([1]), o.init(p)).parameters.toArray())(jl.optim.adamW({ lr: 0.5, weightDecay: 1 }), jl.ones([1])) // [0.5]
 */
export function adamW(options?: AdamOptions): Adam {
  return adamOf("optim.adamW", options, true);
}

const names = ["lr", "betas", "eps", "weightDecay", "amsgrad", "maximize"] as const;

function adamOf(what: string, options: AdamOptions | undefined, isDecoupled: boolean): Adam {
  const given = optionsOf(what, options, names);
  const { amsgrad = false, maximize = false } = given;
  const lr = rateOf(what, given.lr ?? 1e-3);
  const eps = fromZero(what, "eps", given.eps ?? 1e-8);
  const decay = fromZero(what, "weightDecay", given.weightDecay ?? (isDecoupled ? 0.01 : 0));
  const [beta1, beta2] = pairOf(what, "betas", given.betas ?? [0.9, 0.999]).map((beta) => {
    if (fromZero(what, "a beta", beta) < 1) return beta;
    throw new JitlabError("bad-argument", `${what}: a beta is ${beta}.`, "It is below 1.");
  }) as [number, number];
  return {
    init(parameters) {
      const zero = () => zerosAlong(what, parameters);
      return { step: noStep(parameters), mean: zero(), square: zero(), most: amsgrad ? zero() : undefined };
    },
    step(parameters, gradient, state) {
      const { mean, square, most } = state;
      const found = alongside(what, parameters, { gradient, mean, square, most });
      const step = state.step.add(1);
      const [first, second] = [missing(beta1, step), missing(beta2, step).sqrt()];
      const rate = rateAt(what, lr, state.step);
      const share = decay > 0 && isDecoupled ? remaining(rate, decay) : undefined;
      const next: { stepped: Tensor[]; means: Tensor[]; squares: Tensor[]; mosts: Tensor[] } = {
        stepped: [],
        means: [],
        squares: [],
        mosts: [],
      };
      for (const [old, [slope, m, v, top]] of found) {
        const { name } = old.dtype;
        const kept = (one: Tensor | undefined) => one ?? zerosLike(old);
        if (slope === undefined) {
          next.stepped.push(old);
          next.means.push(kept(m));
          next.squares.push(kept(v));
          next.mosts.push(kept(top));
          continue;
        }
        let parameter = wide(old);
        let g = maximize ? wide(slope).neg() : wide(slope);
        if (share !== undefined) parameter = parameter.mul(share);
        else if (decay > 0) g = g.add(parameter.mul(decay));
        const average = wide(kept(m));
        const now = average.add(g.sub(average).mul(1 - beta1));
        const squares = wide(kept(v))
          .mul(beta2)
          .add(g.mul(g).mul(1 - beta2));
        const largest = amsgrad ? wide(kept(top)).maximum(squares) : squares;
        const divisor = largest.sqrt().div(second.to(g.dtype.name)).add(eps);
        const size = now.mul(rate).div(first.to(g.dtype.name));
        next.stepped.push(parameter.sub(size.div(divisor)).to(name));
        next.means.push(now.to(name));
        next.squares.push(squares.to(name));
        next.mosts.push(largest.to(name));
      }
      return {
        parameters: withTensors(parameters, next.stepped),
        state: {
          step,
          mean: onlyTensors(parameters, next.means),
          square: onlyTensors(parameters, next.squares),
          most: amsgrad ? onlyTensors(parameters, next.mosts) : undefined,
        },
      };
    },
  };
}

/** 1 - beta^step, what a mean of that many steps that began at 0 lacks, without cancellation. */
function missing(beta: number, step: Tensor): Tensor {
  return beta === 0 ? step.mul(0).add(1) : step.mul(Math.log(beta)).expm1().neg();
}

/** What decoupled decay leaves of a parameter in a step. */
function remaining(lr: number | Tensor, decay: number): number | Tensor {
  return typeof lr === "number" ? 1 - lr * decay : lr.mul(-decay).add(1);
}
