// Weights and statistics of channels, which normalizations take.
import { JitlabError } from "../base/errors.js";
import { formatShape, sameNumbers } from "../geometry/layout.js";
import { floating } from "../tensor/statistic-options.js";
import { type Tensor, tensorOf } from "../tensor/tensor.js";

/** One element for each channel, in the compute dtype; undefined for none. */
export function ofChannels(what: string, name: string, value: unknown, channels: number): Tensor | undefined {
  if (value === undefined) return undefined;
  const found = floating(`${what}: the ${name}`, value, false);
  if (sameNumbers(found.shape, [channels])) return found;
  throw new JitlabError(
    "shape-mismatch",
    `${what}: the ${name} has the shape ${formatShape(tensorOf(what, value).shape)}.`,
    `It has one element for each channel: ${formatShape([channels])}.`,
  );
}
