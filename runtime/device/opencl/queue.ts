// A device's context, which owns its memory and programs, and its one queue, which runs work in order and takes times.
import { check, type Out, openCl } from "./library.js";

const CL_QUEUE_PROFILING_ENABLE = 2n;

/** A context and a queue of a device's own. */
export interface OpenQueue {
  readonly context: number;
  readonly queue: number;
}

/** Opens a device by its handle. */
export function openQueue(handle: number): OpenQueue {
  const cl = openCl();
  const result: Out = [0];
  const context = cl.clCreateContext(0, 1, BigUint64Array.of(BigInt(handle)), 0, 0, result);
  check("clCreateContext", result[0]);
  const queue = cl.clCreateCommandQueue(context, handle, CL_QUEUE_PROFILING_ENABLE, result);
  check("clCreateCommandQueue", result[0]);
  return { context, queue };
}
