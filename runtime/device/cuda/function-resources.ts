// A loaded kernel's resources from the driver, and how many of its threads a multiprocessor runs.
import type { KernelResources } from "../device.js";
import type { BlockConfig } from "../loaded-code.js";
import { attribute, check, driver, functionAttribute, type Out } from "./driver.js";
import { blocksOf, grantShared } from "./function-limits.js";

/** The resources of a CUfunction on a CUdevice, with its occupancy in its largest blocks or in the given ones. */
export function resourcesOf(fn: number, device: number, config?: BlockConfig): KernelResources {
  const cuda = driver();
  const value: Out = [0];
  const ask = (name: keyof typeof functionAttribute): number => {
    check("cuFuncGetAttribute", cuda.cuFuncGetAttribute(value, functionAttribute[name], fn));
    return value[0];
  };
  // The kernels of operations are compiled for their launch's block.
  const { threads: block, sharedBytes } = config ?? { threads: ask("maxThreadsPerBlock"), sharedBytes: 0 };
  const resources = {
    registers: ask("registers"),
    sharedBytes: ask("sharedBytes"),
    localBytes: ask("localBytes"),
  };
  if (sharedBytes > 0) grantShared(cuda, fn, sharedBytes);
  const threads = blocksOf(cuda, fn, block, sharedBytes) * block;
  const of = attribute.threadsPerMultiprocessor;
  check("cuDeviceGetAttribute", cuda.cuDeviceGetAttribute(value, of, device));
  return { ...resources, occupancy: { threads, of: value[0] } };
}
