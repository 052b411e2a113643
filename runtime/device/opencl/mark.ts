// Points in a device's queue, and waiting for them.
import { JitlabError } from "../../base/errors.js";
import { pause } from "../../base/pause.js";
import type { Mark } from "../device.js";
import { check, failure, type Out, openCl } from "./library.js";

const CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11d3;
const CL_COMPLETE = 0;
const CL_PROFILING_COMMAND_END = 0x1283;

// Waiting first polls the driver without pauses, then with pauses that grow: a driver for processors needs them itself.
const spinMs = 0.1;
const longestMs = 1;

/** A point in a device's queue: an event, of a marker or of a copy. */
export class OpenClMark implements Mark {
  private constructor(
    readonly queue: number,
    readonly event: number,
  ) {}

  static here(queue: number): OpenClMark {
    const event: Out = [0];
    check("clEnqueueMarkerWithWaitList", openCl().clEnqueueMarkerWithWaitList(queue, 0, 0, event));
    return new OpenClMark(queue, event[0]);
  }

  /** Queues a copy and marks its end, which spares the marker. */
  static copied(queue: number, to: number, from: number, bytes: number): OpenClMark {
    const event: Out = [0];
    check("clEnqueueSVMMemcpy", openCl().markedCopy(queue, 0, to, from, bytes, 0, 0, event));
    return new OpenClMark(queue, event[0]);
  }

  since(earlier: Mark): number {
    if (!(earlier instanceof OpenClMark))
      throw new JitlabError("foreign-mark", "The earlier mark belongs to another device than this one.");
    return (this.#endNs() - earlier.#endNs()) / 1e6;
  }

  /** Polls until it is reached, because a wait inside the driver cannot be interrupted. */
  wait(): void {
    const cl = openCl();
    check("clFlush", cl.clFlush(this.queue));
    const began = performance.now();
    const state: Out = [0];
    for (;;) {
      check("clGetEventInfo", cl.clGetEventInfo(this.event, CL_EVENT_COMMAND_EXECUTION_STATUS, 4, state, 0));
      if (state[0] === CL_COMPLETE) return;
      // A negative state is the error that ended the work.
      if (state[0] < 0) throw failure("The work of the device", state[0]);
      const waited = performance.now() - began;
      if (waited > spinMs) pause(Math.min(longestMs, waited / 8));
    }
  }

  release(): void {
    check("clReleaseEvent", openCl().clReleaseEvent(this.event));
  }

  #endNs(): number {
    this.wait();
    const value = new BigUint64Array(1);
    check(
      "clGetEventProfilingInfo",
      openCl().clGetEventProfilingInfo(this.event, CL_PROFILING_COMMAND_END, 8, value, 0),
    );
    return Number(value[0]);
  }
}
