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

interface TimedLaunch {
  readonly clock: KernelClock;
  readonly device: Device;
  readonly phases: ObtainPhases | undefined;
  readonly bytes: number;
}

/** A mark in a device's empty queue, and when it was put there by the host's clock. */
interface Zero {
  readonly mark: Mark;
  readonly atMs: number;
}

const nothing: ObtainPhases = { generateMs: 0, lookupMs: 0, compileMs: 0, loadMs: 0 };

class Recorder implements OpenRecording {
  readonly began = performance.now();
  // One entry per launch, in columns: a million launches make no million objects while they are timed.
  private readonly clocks: KernelClock[] = [];
  private readonly devices: Device[] = [];
  private readonly starts: number[] = [];
  private readonly durations: number[] = [];
  private readonly bytes: number[] = [];
  // Of the launches that had to obtain their kernel, and of those that were timed on the device.
  private readonly phases = new Map<number, ObtainPhases>();
  private readonly marks = new Map<number, readonly [Mark, Mark]>();
  private readonly copies: Copy[] = [];
  private readonly zeros = new Map<Device, Zero>();
  private readonly unwatch = watchCopies((copy) => {
    this.copies.push({ ...copy, startMs: copy.startMs - this.began });
  });

  // Of the launch that is being queued.
  private start: Mark | undefined;

  constructor(readonly deviceTime: boolean) {}

  /** Marks the start of a launch on the device; the first time, ties the device's clock to the host's. */
  before(device: Device): void {
    if (!this.deviceTime) return;
    if (!this.zeros.has(device)) {
      device.synchronize();
      this.zeros.set(device, { mark: device.mark(), atMs: performance.now() - this.began });
    }
    this.start = device.mark();
  }

  /** Notes the launch that has just been queued. */
  after(launch: TimedLaunch, startedAt: number, launchMs: number): void {
    const index = this.clocks.length;
    const { device } = launch;
    if (this.start) this.marks.set(index, [this.start, device.mark()]);
    this.start = undefined;
    this.clocks.push(launch.clock);
    this.devices.push(device);
    this.starts.push(startedAt - this.began);
    this.durations.push(launchMs);
    this.bytes.push(launch.bytes);
    if (launch.phases) this.phases.set(index, launch.phases);
  }

  stop(): Recording<undefined> {
    const durationMs = performance.now() - this.began;
    open.delete(this);
    this.unwatch();
    const launches = this.clocks.map((clock, i) => this.launchOf(clock, i));
    for (const { mark } of this.zeros.values()) mark.release();
    return { value: undefined, launches, copies: this.copies, durationMs };
  }

  private launchOf(clock: KernelClock, i: number): Launch {
    const { key, op, variant, dtypes, device } = clock.identity;
    const [startMs, launchMs, bytes] = [this.starts[i] ?? 0, this.durations[i] ?? 0, this.bytes[i] ?? 0];
    const obtained = this.phases.get(i);
    const origin: Origin = obtained ? clock.identity.origin : "memory";
    const phases = { ...(obtained ?? nothing), launchMs };
    const base = { key, op, variant, dtypes, device, origin, startMs, phases, bytes };
    const marks = this.marks.get(i);
    const opened = this.devices[i];
    const zero = opened && this.zeros.get(opened);
    if (!marks || !zero) return base;
    const [before, after] = marks;
    const deviceUs = after.since(before) * 1e3;
    const deviceStartMs = zero.atMs + before.since(zero.mark);
    for (const mark of marks) mark.release();
    clock.deviceSamples.push(deviceUs);
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
  const timed = open.size > 0 ? { clock, device, phases, bytes: bytesOf(views) } : undefined;
  for (const recorder of open) recorder.before(device);
  const began = performance.now();
  launch();
  const launchMs = performance.now() - began;
  clock.note(launchMs);
  if (timed) for (const recorder of open) recorder.after(timed, began, launchMs);
}

/** Bytes of distinct elements: a broadcast dimension is read from cache. */
function bytesOf(views: readonly View[]): number {
  let bytes = 0;
  for (const { shape, strides, dtype } of views) {
    let count = dtype.bytes;
    for (let d = 0; d < shape.length; d++) if (strides[d] !== 0) count *= shape[d] as number;
    bytes += count;
  }
  return bytes;
}
