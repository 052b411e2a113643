// Cooperative launches, whose blocks all run at the same time: a CUlaunchConfig with an attribute.

import { argumentBlock } from "../argument-blocks.js";
import type { ArgumentBlock, LaunchConfig } from "../loaded-code.js";
import type { Driver, Status } from "./driver.js";

// cuda.h
const CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2;
// Offsets in CUlaunchConfig, and the size of it and of the following CUlaunchAttribute.
const streamAt = 32;
const attributesAt = 40;
const countAt = 48;
const configBytes = 56;
const attributeBytes = 72;

let made: ArgumentBlock | undefined;

/** Launches a CUfunction, whose arguments `extra` lists, with all blocks at once. */
export function launchCooperatively(
  cuda: Driver,
  fn: number,
  { grid, block, sharedBytes }: LaunchConfig,
  stream: number,
  extra: number,
): Status {
  made ??= argumentBlock(configBytes + attributeBytes);
  const { u32, i64, address } = made;
  u32.set([...grid, ...block, sharedBytes]);
  i64[streamAt / 8] = BigInt(stream);
  i64[attributesAt / 8] = BigInt(address + configBytes);
  u32[countAt / 4] = 1;
  u32[configBytes / 4] = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  u32[configBytes / 4 + 2] = 1;
  return cuda.cuLaunchKernelEx(address, fn, 0, extra);
}
