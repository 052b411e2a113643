// The learning rate, and other options of optimizers that are numbers.
import { numberOf } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import { zeros } from "../tensor/create.js";
import { Tensor } from "../tensor/tensor.js";
import { isFloat, tensorsIn } from "../tensor/tree.js";

/** A learning rate: a number, or a floating tensor with one element. */
export type Rate = number | Tensor;

/** A learning rate that may change between steps; throws `bad-argument` for what is none. */
export function rateOf(what: string, lr: unknown): Rate {
  if (lr instanceof Tensor && lr.size === 1 && lr.dtype.kind === "float") return lr.view();
  return fromZero(what, "lr", lr);
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
