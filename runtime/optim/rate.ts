// The learning rate, and other options of optimizers that are numbers.
import { numberOf } from "../base/arguments.js";
import { isRevoked, JitlabError, show } from "../base/errors.js";
import { zeros } from "../tensor/create.js";
import { Tensor } from "../tensor/tensor.js";
import { isFloat, tensorsIn } from "../tensor/tree.js";

/** A learning rate: a number, or a floating tensor with one element. */
export type Rate = number | Tensor;

/** A learning rate as a function of the number of steps done, a tensor with one element: so that a compiled step is replayed. */
export type Schedule = (step: Tensor<"float32">) => Rate;

/** A learning rate that may change between steps; throws `bad-argument` for what is none. */
export function rateOf(what: string, lr: unknown): Rate | Schedule {
  if (lr instanceof Tensor && isOne(lr)) return lr.view();
  return typeof lr === "function" && !isRevoked(lr) ? (lr as Schedule) : fromZero(what, "lr", lr);
}

/** The rate of a step. */
export function rateAt(what: string, lr: Rate | Schedule, step: Tensor<"float32">): Rate {
  if (typeof lr !== "function") return lr;
  const rate: unknown = lr(step);
  if (typeof rate === "number" ? rate >= 0 : rate instanceof Tensor && isOne(rate)) return rate as Rate;
  throw new JitlabError(
    "bad-argument",
    `${what}: the function lr returned ${show(rate)}.`,
    "It takes the number of steps done, a tensor, and returns the learning rate: a number from 0 on, or a floating tensor with one element.",
  );
}

function isOne({ size, dtype }: Tensor): boolean {
  return size === 1 && dtype.kind === "float";
}

/** A number from 0 on; throws `bad-argument` for any other value. */
export function fromZero(what: string, name: string, value: unknown): number {
  const number = numberOf(what, name, value);
  if (number >= 0) return number;
  throw new JitlabError("bad-argument", `${what}: ${name} is ${number}.`, "Pass a number from 0 on.");
}

/** The count of steps before the first one, on the device of the parameters. */
export function noStep(parameters: unknown): Tensor<"float32"> {
  const device = tensorsIn(parameters).find(isFloat)?.device.name;
  return zeros([], { dtype: "float32", ...(device === undefined ? {} : { device }) });
}
