// What a loaded kernel can be launched with on its GPU, and the shared memory above the first 48 KiB, which a kernel must be
// granted before a launch.
import type { LaunchLimits } from "../device.js";
import { attribute, check, type Driver, functionAttribute, type Out } from "./driver.js";

/** Lets the blocks of a CUfunction have that much shared memory beyond what the kernel declares. */
export function grantShared(cuda: Driver, fn: number, bytes: number): void {
  check("cuFuncSetAttribute", cuda.cuFuncSetAttribute(fn, functionAttribute.dynamicSharedBytes, bytes));
}

/** The limits of a CUfunction on a CUdevice. */
export function limitsOf(cuda: Driver, fn: number, device: number): LaunchLimits {
  const value: Out = [0];
  const ofFunction = (name: keyof typeof functionAttribute): number => {
    check("cuFuncGetAttribute", cuda.cuFuncGetAttribute(value, functionAttribute[name], fn));
    return value[0];
  };
  const ofDevice = (name: keyof typeof attribute): number => {
    check("cuDeviceGetAttribute", cuda.cuDeviceGetAttribute(value, attribute[name], device));
    return value[0];
  };
  return {
    threads: ofFunction("maxThreadsPerBlock"),
    sharedBytes: ofDevice("sharedBytesOptIn") - ofFunction("sharedBytes"),
    together: (threads, sharedBytes) => {
      if (ofDevice("cooperativeLaunch") === 0) return 0;
      if (sharedBytes > 0) grantShared(cuda, fn, sharedBytes);
      return blocksOf(cuda, fn, threads, sharedBytes) * ofDevice("multiprocessors");
    },
  };
}

/** How many blocks of a CUfunction one multiprocessor runs at a time. */
export function blocksOf(cuda: Driver, fn: number, threads: number, sharedBytes: number): number {
  const blocks: Out = [0];
  check(
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, fn, threads, sharedBytes),
  );
  return blocks[0];
}
