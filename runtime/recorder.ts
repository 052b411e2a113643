// Recordings of launches. At most a few are open at once; while none is, a launch asks one variable.
import { functionOf, optionsOf } from "./arguments.js";
import type { Device, Mark } from "./device/device.js";
import { type Copy, watchCopies } from "./host-copy.js";
import type { KernelClock, Launch, ObtainPhases, Origin, Recording } from "./timings.js";
import type { View } from "./view.js";

/** An open recording. */
export interface OpenRecording {
  /** Closes the recording and returns what was launched since it was opened. */
  stop(): Recording<undefined>;
}

interface Pending {
  readonly clock: KernelClock;
  readonly device: Device;
  readonly origin: Origin;
  readonly startMs: number;
  readonly launchMs: number;
  readonly phases: ObtainPhases;
  readonly bytes: number;
  readonly marks: readonly [Mark, Mark] | undefined;
}

/** A mark in a device's empty queue, and when it was put there by the host's clock. */
interface Zero {
  readonly mark: Mark;
  readonly atMs: number;
}

const nothing: ObtainPhases = { generateMs: 0, lookupMs: 0, compileMs: 0, loadMs: 0 };

class Recorder implements OpenRecording {
  readonly began = performance.now();
  private readonly pending: Pending[] = [];
  private readonly copies: Copy[] = [];
  private readonly zeros = new Map<Device, Zero>();
  private readonly unwatch = watchCopies((copy) => {
    this.copies.push({ ...copy, startMs: copy.startMs - this.began });
  });

  constructor(readonly deviceTime: boolean) {}

  /** Ties a device's clock to the host's before its first launch, by a mark that is reached when it is put. */
  prepare(device: Device): void {
    if (!this.deviceTime || this.zeros.has(device)) return;
    device.synchronize();
    this.zeros.set(device, { mark: device.mark(), atMs: performance.now() - this.began });
  }

  add(launch: Omit<Pending, "startMs">, startedAt: number): void {
    this.pending.push({ ...launch, startMs: startedAt - this.began });
  }

  stop(): Recording<undefined> {
    const durationMs = performance.now() - this.began;
    open.delete(this);
    this.unwatch();
    const launches = this.pending.map((entry) => this.launchOf(entry));
    for (const { mark } of this.zeros.values()) mark.release();
    return { value: undefined, launches, copies: this.copies, durationMs };
  }

  private launchOf(entry: Pending): Launch {
    const { key, op, variant, dtypes, device } = entry.clock.identity;
    const { origin, startMs, bytes, marks } = entry;
    const phases = { ...entry.phases, launchMs: entry.launchMs };
    const base = { key, op, variant, dtypes, device, origin, startMs, phases, bytes };
    const zero = this.zeros.get(entry.device);
    if (!marks || !zero) return base;
    const [before, after] = marks;
    const deviceUs = after.since(before) * 1e3;
    const deviceStartMs = zero.atMs + before.since(zero.mark);
    for (const mark of marks) mark.release();
    entry.clock.deviceSamples.push(deviceUs);
    return { ...base, deviceUs, deviceStartMs };
  }
}

const open = new Set<Recorder>();

/** True while a recording is open. */
export function isRecording(): boolean {
  return open.size > 0;
}

/** Opens a recording; with `device: true` each launch is also timed on the device, between two marks in its queue. */
export function startRecording(given?: { device?: boolean }): OpenRecording {
  const options = optionsOf("startRecording", given);
  const recorder = new Recorder(options.device ?? false);
  open.add(recorder);
  return recorder;
}

/**
 * Runs a (possibly async) function and returns its value with the launches it made: kernel key, origin, phases and, with
 * `device: true`, device time.
 */
export function record<T>(
  fn: () => T,
  options?: { device?: boolean },
): T extends Promise<infer V> ? Promise<Recording<V>> : Recording<T> {
  functionOf("record", "what to run", fn);
  const recording = startRecording(options);
  const finish = (value: unknown) => ({ ...recording.stop(), value });
  let value: T;
  try {
    value = fn();
  } catch (error) {
    recording.stop();
    throw error;
  }
  const result =
    value instanceof Promise
      ? value.then(finish, (error: unknown) => {
          recording.stop();
          throw error;
        })
      : finish(value);
  return result as ReturnType<typeof record<T>>;
}

/** Runs one launch under the clock and tells every open recording of it. */
export function timedLaunch(
  clock: KernelClock,
  device: Device,
  phases: ObtainPhases | undefined,
  views: readonly View[],
  launch: () => void,
): void {
  for (const recorder of open) recorder.prepare(device);
  const wantsMarks = [...open].some((recorder) => recorder.deviceTime);
  const before = wantsMarks ? device.mark() : undefined;
  const began = performance.now();
  launch();
  const launchMs = performance.now() - began;
  const after = wantsMarks ? device.mark() : undefined;
  const origin: Origin = phases ? clock.identity.origin : "memory";
  clock.note(launchMs);
  for (const recorder of open) {
    const marks = recorder.deviceTime && before && after ? ([before, after] as const) : undefined;
    const launched = {
      clock,
      device,
      origin,
      launchMs,
      phases: phases ?? nothing,
      bytes: bytesOf(views),
      marks,
    };
    recorder.add(launched, began);
  }
}

/** Bytes of distinct elements: a broadcast dimension is read from cache. */
function bytesOf(views: readonly View[]): number {
  let bytes = 0;
  for (const { shape, strides, dtype } of views) {
    bytes += shape.reduce((count, extent, d) => (strides[d] === 0 ? count : count * extent), dtype.bytes);
  }
  return bytes;
}
