// The launches of a call, and their times.
import type { Launch } from "../library.js";
import type { MagicContext } from "./context.js";

/** Below this size a call's overhead is most of its time, so that a share of a speed is misleading. */
export const tellingBytes = 2 ** 20;

/** Runs a call, and returns its launches with the device's times. */
export function launchesOf({ jl }: MagicContext, call: () => unknown): readonly Launch[] {
  const recording = jl.startRecording({ device: true });
  let launches: readonly Launch[] = [];
  try {
    call();
  } finally {
    ({ launches } = recording.stop());
  }
  return launches;
}

/** The microseconds of a launch: by the device's clock, or the host's where the device has none. */
export function microsecondsOf({ deviceUs, phases }: Launch): number {
  return deviceUs ?? phases.launchMs * 1e3;
}
