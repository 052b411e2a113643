// RMSprop, with PyTorch's rule.
import { optionsOf } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import { zerosLike } from "../tensor/create.js";
import { wide } from "../tensor/statistic-options.js";
import type { Tensor } from "../tensor/tensor.js";
import { fromZero, noStep, type Rate, rateAt, rateOf, type Schedule } from "./rate.js";
import { alongside, onlyTensors, withTensors, zerosAlong } from "./trees.js";

/** Options of rmsprop. */
export interface RmspropOptions {
  /** The learning rate, or a function of the number of steps done; default 1e-2. */
  readonly lr?: Rate | Schedule;
  /** How much of the mean of the gradient's square a step keeps; default 0.99. */
  readonly alpha?: number;
  /** What is added to the divisor; default 1e-8. */
  readonly eps?: number;
  /** The share of the parameters that is added to the gradient; default 0. */
  readonly weightDecay?: number;
  /** The share of the last step that is added to the next one; default 0. */
  readonly momentum?: number;
  /** True: divides by the deviation of the gradient, not by the root of its square's mean. */
  readonly centered?: boolean;
  /** True: goes up instead of down. */
  readonly maximize?: boolean;
}

/** The state of rmsprop: how many steps were done, means of the gradient's square and with `centered` of the gradient, and the last steps. */
export interface RmspropState<P> {
  readonly step: Tensor<"float32">;
  readonly square: P;
  readonly mean: P | undefined;
  readonly momentum: P | undefined;
}

/** RMSprop as pure functions. */
export interface Rmsprop {
  /** The state before the first step. */
  init<P>(parameters: P): RmspropState<P>;
  /** The parameters and the state after a step along the gradient; the arguments stay as they are. */
  step<P>(
    parameters: P,
    gradient: unknown,
    state: RmspropState<P>,
  ): { parameters: P; state: RmspropState<P> };
}

/**
 * RMSprop. Nothing is changed in place: a step takes parameters, gradient and state, and returns new ones.
 *
 * @example ((o, p) => o.step(p, jl.ones([1]), o.init(p)).parameters.toArray())(jl.optim.rmsprop({ lr: 0.5, alpha: 0 }), jl.ones([1])) // [0.5]
 */
export function rmsprop(options?: RmspropOptions): Rmsprop {
  const what = "optim.rmsprop";
  const names = ["lr", "alpha", "eps", "weightDecay", "momentum", "centered", "maximize"] as const;
  const given = optionsOf(what, options, names);
  const { centered = false, maximize = false } = given;
  const lr = rateOf(what, given.lr ?? 1e-2);
  const alpha = fromZero(what, "alpha", given.alpha ?? 0.99);
  if (alpha > 1)
    throw new JitlabError("bad-argument", `${what}: alpha is ${alpha}.`, "Pass a number from 0 to 1.");
  const eps = fromZero(what, "eps", given.eps ?? 1e-8);
  const decay = fromZero(what, "weightDecay", given.weightDecay ?? 0);
  const momentum = fromZero(what, "momentum", given.momentum ?? 0);
  return {
    init(parameters) {
      const zero = () => zerosAlong(what, parameters);
      return {
        step: noStep(parameters),
        square: zero(),
        mean: centered ? zero() : undefined,
        momentum: momentum > 0 ? zero() : undefined,
      };
    },
    step(parameters, gradient, state) {
      const { square, mean, momentum: last } = state;
      const found = alongside(what, parameters, { gradient, square, mean, momentum: last });
      const rate = rateAt(what, lr, state.step);
      const next: Record<"stepped" | "squares" | "means" | "steps", Tensor[]> = {
        stepped: [],
        squares: [],
        means: [],
        steps: [],
      };
      for (const [old, [slope, v, m, buffer]] of found) {
        const { name } = old.dtype;
        const kept = (one: Tensor | undefined) => one ?? zerosLike(old);
        if (slope === undefined) {
          next.stepped.push(old);
          next.squares.push(kept(v));
          next.means.push(kept(m));
          next.steps.push(kept(buffer));
          continue;
        }
        const parameter = wide(old);
        let g = maximize ? wide(slope).neg() : wide(slope);
        if (decay > 0) g = g.add(parameter.mul(decay));
        const squares = wide(kept(v))
          .mul(alpha)
          .add(g.mul(g).mul(1 - alpha));
        next.squares.push(squares.to(name));
        let variance = squares;
        if (centered) {
          const before = wide(kept(m));
          const average = before.add(g.sub(before).mul(1 - alpha));
          next.means.push(average.to(name));
          variance = squares.sub(average.mul(average));
        }
        let size = g.div(variance.sqrt().add(eps));
        if (momentum > 0) {
          size = wide(kept(buffer)).mul(momentum).add(size);
          next.steps.push(size.to(name));
        }
        next.stepped.push(parameter.sub(size.mul(rate)).to(name));
      }
      return {
        parameters: withTensors(parameters, next.stepped),
        state: {
          step: state.step.add(1),
          square: onlyTensors(parameters, next.squares),
          mean: centered ? onlyTensors(parameters, next.means) : undefined,
          momentum: momentum > 0 ? onlyTensors(parameters, next.steps) : undefined,
        },
      };
    },
  };
}
