// The kernels that a run would launch on a GPU, as text, without one.
import { cudaTarget } from "../../dist/runtime/device/cuda/nvrtc.js";
import type { Target } from "../../dist/runtime/device/device.js";
import { defaultDevice } from "../../dist/runtime/launch/devices.js";
import type { KernelRequest } from "../../dist/runtime/launch/obtain.js";
import { sendTo } from "../../dist/runtime/launch/sink.js";
import { Collector } from "../../dist/runtime/program/schedule/collect.js";

/** What the kernels are for. */
export const gpuTarget = cudaTarget("sm_90");

/** Runs on the default device as if it were a GPU, and launches nothing; elements have no values. */
export function requestsOnGpu(run: () => void): readonly KernelRequest[] {
  return requestsOf(gpuTarget, run);
}

/** The same as if the default device compiled for a target. */
export function requestsOf(other: Target, run: () => void): readonly KernelRequest[] {
  const device = defaultDevice();
  const { target } = device;
  const collector = new Collector();
  Object.assign(device, { target: other });
  sendTo(collector);
  try {
    run();
  } finally {
    sendTo(undefined);
    Object.assign(device, { target });
  }
  return collector.requests();
}
