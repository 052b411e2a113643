// The launch limits of a loaded kernel on its GPU. Shared memory above 48 KiB must be granted before a launch.
import type { LaunchLimits } from "../loaded-code.js";
import { attribute, check, type Driver, functionAttribute, type Out } from "./driver.js";

/** Grants the blocks of a CUfunction that much shared memory beyond the declared one. */
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
    blocksTogether: (threads, sharedBytes) => {
      if (ofDevice("cooperativeLaunch") === 0) return 0;
      if (sharedBytes > 0) grantShared(cuda, fn, sharedBytes);
      return blocksOf(cuda, fn, threads, sharedBytes) * ofDevice("multiprocessors");
    },
  };
}

/** The number of blocks of a CUfunction that one multiprocessor runs at once. */
export function blocksOf(cuda: Driver, fn: number, threads: number, sharedBytes: number): number {
  const blocks: Out = [0];
  check(
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, fn, threads, sharedBytes),
  );
  return blocks[0];
}
