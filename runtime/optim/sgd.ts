// Stochastic gradient descent, with PyTorch's rule.
import { optionsOf } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import { zerosLike } from "../tensor/create.js";
import { wide } from "../tensor/statistic-options.js";
import type { Tensor } from "../tensor/tensor.js";
import { fromZero, noStep, type Rate, rateAt, rateOf, type Schedule } from "./rate.js";
import { alongside, onlyTensors, withTensors, zerosAlong } from "./trees.js";

/** Options of sgd. */
export interface SgdOptions {
  /** The learning rate, or a function of the number of steps done; default 1e-3. */
  readonly lr?: Rate | Schedule;
  /** The share of the last step that is added to the next one; default 0. */
  readonly momentum?: number;
  /** The share of the gradient that momentum leaves out; default 0. */
  readonly dampening?: number;
  /** True: looks ahead along the momentum. */
  readonly nesterov?: boolean;
  /** The share of the parameters that is added to the gradient; default 0. */
  readonly weightDecay?: number;
  /** True: goes up instead of down. */
  readonly maximize?: boolean;
}

/** The state of sgd: how many steps were done, and the last step of each parameter. */
export interface SgdState<P> {
  readonly step: Tensor<"float32">;
  readonly momentum: P | undefined;
}

/** Gradient descent as pure functions. */
export interface Sgd {
  /** The state before the first step. */
  init<P>(parameters: P): SgdState<P>;
  /** The parameters and the state after a step along the gradient; the arguments stay as they are. */
  step<P>(parameters: P, gradient: unknown, state: SgdState<P>): { parameters: P; state: SgdState<P> };
}

/**
 * Gradient descent with momentum. Nothing is changed in place: a step takes parameters, gradient and state, and returns new ones.
 *
 * @example ((o, p) => o.step(p, jl.ones([2]), o.init(p)).parameters.toArray())(jl.optim.sgd({ lr: 0.5 }), jl.ones([2])) // [0.5, 0.5]
 */
export function sgd(options?: SgdOptions): Sgd {
  const what = "optim.sgd";
  const names = ["lr", "momentum", "dampening", "nesterov", "weightDecay", "maximize"] as const;
  const given = optionsOf(what, options, names);
  const { nesterov = false, maximize = false } = given;
  const lr = rateOf(what, given.lr ?? 1e-3);
  const [momentum, weightDecay] = [
    fromZero(what, "momentum", given.momentum ?? 0),
    fromZero(what, "weightDecay", given.weightDecay ?? 0),
  ];
  const dampening = fromZero(what, "dampening", given.dampening ?? 0);
  if (nesterov && (momentum === 0 || dampening !== 0)) {
    throw new JitlabError(
      "bad-argument",
      `${what}: nesterov with momentum ${momentum} and dampening ${dampening}.`,
      "It needs a momentum above 0 and no dampening.",
    );
  }
  const init = <P>(parameters: P): SgdState<P> => {
    const zero = zerosAlong(what, parameters);
    return { step: noStep(parameters), momentum: momentum > 0 ? zero : undefined };
  };
  return {
    init,
    step(parameters, gradient, state) {
      const found = alongside(what, parameters, { gradient, momentum: state.momentum });
      const rate = rateAt(what, lr, state.step);
      const share = dampening === 0 ? 1 : state.step.eq(0).where(1, 1 - dampening);
      const stepped: Tensor[] = [];
      const buffers: Tensor[] = [];
      for (const [old, [slope, buffer]] of found) {
        if (slope === undefined) {
          stepped.push(old);
          buffers.push(buffer ?? zerosLike(old));
          continue;
        }
        const parameter = wide(old);
        let g = maximize ? wide(slope).neg() : wide(slope);
        if (weightDecay > 0) g = g.add(parameter.mul(weightDecay));
        if (momentum > 0) {
          const next = wide(buffer ?? zerosLike(old))
            .mul(momentum)
            .add(g.mul(share));
          buffers.push(next.to(old.dtype.name));
          g = nesterov ? g.add(next.mul(momentum)) : next;
        }
        stepped.push(parameter.sub(g.mul(rate)).to(old.dtype.name));
      }
      return {
        parameters: withTensors(parameters, stepped),
        state: {
          step: state.step.add(1),
          momentum: momentum > 0 ? onlyTensors(parameters, buffers) : undefined,
        },
      };
    },
  };
}
