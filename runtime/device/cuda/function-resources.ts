// What a loaded kernel needs, as the driver tells, and how many of its threads a multiprocessor of the device then runs.
import type { KernelResources } from "../device.js";
import { attribute, check, driver, functionAttribute, type Out } from "./driver.js";

/** The resources of a CUfunction on a CUdevice. */
export function resourcesOf(fn: number, device: number): KernelResources {
  const cuda = driver();
  const value: Out = [0];
  const ask = (name: keyof typeof functionAttribute): number => {
    check("cuFuncGetAttribute", cuda.cuFuncGetAttribute(value, functionAttribute[name], fn));
    return value[0];
  };
  // Every kernel is compiled for the block that it is launched with.
  const block = ask("maxThreadsPerBlock");
  const resources = {
    registers: ask("registers"),
    sharedBytes: ask("sharedBytes"),
    localBytes: ask("localBytes"),
  };
  check(
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(value, fn, block, 0),
  );
  const threads = value[0] * block;
  const of = attribute.threadsPerMultiprocessor;
  check("cuDeviceGetAttribute", cuda.cuDeviceGetAttribute(value, of, device));
  return { ...resources, occupancy: { threads, of: value[0] } };
}
