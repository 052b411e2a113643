// Dropout: elements that are set to 0 at random.
import { numberOf, optionsOf, orOptions } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import { type Generator, rand } from "../tensor/random.js";
import { floating } from "../tensor/statistic-options.js";
import type { Tensor } from "../tensor/tensor.js";

/** Options of dropout. */
export interface DropoutOptions {
  /** False: the tensor is returned as it is. */
  readonly training?: boolean;
  /** Where the numbers come from; default: the generator that all calls share. */
  readonly generator?: Generator | undefined;
}

/**
 * Sets each element to 0 with probability `p` and divides the others by `1 - p`.
 *
 * @example jl.dropout(jl.ones([2]), 0.5, { training: false }).toArray() // [1, 1]
 */
export function dropout(x: Tensor, p?: number | DropoutOptions, options?: DropoutOptions): Tensor {
  const [given = 0.5, rest] = orOptions(p, options);
  const { training = true, generator } = optionsOf("dropout", rest, ["training", "generator"]);
  const share = shareOf("dropout", "p", given);
  const values = floating("dropout", x, false);
  if (!training || share === 0) return x;
  const { device, dtype } = values;
  const drawn = rand([...x.shape], { device: device.name, generator });
  const factors = drawn.ge(share).where(share === 1 ? 0 : 1 / (1 - share), 0);
  return values.mul(factors.to(dtype.name)).to(x.dtype.name);
}

/** A probability; throws `bad-argument` for any other value. */
export function shareOf(what: string, name: string, value: unknown): number {
  const share = numberOf(what, name, value);
  if (share >= 0 && share <= 1) return share;
  throw new JitlabError("bad-argument", `${what}: ${name} is ${share}.`, "Pass a probability, from 0 to 1.");
}
