// The check of functions whose kernels read several tensors.
import { JitlabError } from "../base/errors.js";
import type { Tensor } from "./tensor.js";

/** Throws `mixed-devices` unless two arguments are on one device. */
export function checkDevices(
  what: string,
  x: Tensor,
  other: Tensor,
  names: readonly [string, string] = ["the first tensor", "the second"],
): void {
  if (other.device === x.device) return;
  throw new JitlabError(
    "mixed-devices",
    `${what}: ${names[0]} is on ${x.device.name} and ${names[1]} on ${other.device.name}.`,
    `Move one of them, for example with y.to("${x.device.name}").`,
  );
}
