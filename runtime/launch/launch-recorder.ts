// Recordings of launches. Without an open recording, a launch only checks one variable.
import { checkFunction, optionsOf } from "../base/arguments.js";
import { atInterruption } from "../base/interruption.js";
import type { ComposedWork, Device, Mark } from "../device/device.js";
import { type Copy, watchCopies } from "../device/host-copy.js";
import type { ArgumentBlock, LaunchConfig, LoadedCode } from "../device/loaded-code.js";
import type { Operand } from "../functor/operand.js";
import { distinctElements } from "../geometry/layout.js";
import { isView, type View } from "../geometry/view.js";
import type { Region } from "./program-timings.js";
import type { KernelClock, Launch, ObtainPhases, Origin, Recording } from "./timings.js";

/** An open recording. */
export interface OpenRecording {
  /** Closes the recording and returns its launches. */
  stop(): Recording<undefined>;
}

/** The part of a loaded kernel that a recording needs. */
export interface Launchable {
  readonly device: Device;
  readonly code: LoadedCode;
  readonly block: ArgumentBlock;
  readonly clock: KernelClock;
}

/** Data that only few launches have: phases (the first launch of a kernel) and marks in the device's queue. */
interface Extra {
  readonly phases: ObtainPhases | undefined;
  readonly marks: readonly [Mark, Mark] | undefined;
  readonly device: Device;
}

/** A mark in a device's empty queue, with its time on the host's clock. */
interface Zero {
  readonly mark: Mark;
  readonly atMs: number;
}

const nothing: ObtainPhases = { generateMs: 0, lookupMs: 0, compileMs: 0, loadMs: 0 };

// Start, duration and bytes of one launch, in a typed array so that a recording allocates nothing per launch.
const fields = 3;
const firstCapacity = 1024;

class LaunchRecorder implements OpenRecording {
  readonly began = performance.now();
  readonly #clocks: KernelClock[] = [];
  readonly #extras = new Map<number, Extra>();
  #numbers = new Float64Array(firstCapacity * fields);
  readonly #copies: Copy[] = [];
  readonly #regions: Region[] = [];
  readonly #zeros = new Map<Device, Zero>();
  readonly #unwatch = watchCopies((copy) => {
    this.#copies.push({ ...copy, startMs: copy.startMs - this.began });
  });

  constructor(readonly deviceTime: boolean) {}

  /** Relates a device's clock to the host's before its first launch: an empty queue reaches a mark at once. */
  prepare(device: Device): void {
    if (!this.deviceTime || this.#zeros.has(device)) return;
    device.synchronize();
    this.#zeros.set(device, { mark: device.mark(), atMs: performance.now() - this.began });
  }

  /** Records a launch that began and ended at these times of the process's clock. */
  add(clock: KernelClock, began: number, ended: number, bytes: number, extra: Extra | undefined): void {
    const index = this.#clocks.push(clock) - 1;
    const at = index * fields;
    if (at === this.#numbers.length) {
      const larger = new Float64Array(2 * at);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[at] = began;
    this.#numbers[at + 1] = ended - began;
    this.#numbers[at + 2] = bytes;
    if (extra !== undefined) this.#extras.set(index, extra);
  }

  /** Records a run of a program; its start is on the process's clock. */
  addRegion(region: Region): void {
    this.#regions.push({ ...region, startMs: region.startMs - this.began });
  }

  stop(): Recording<undefined> {
    const durationMs = performance.now() - this.began;
    const index = open.indexOf(this);
    if (index >= 0) open.splice(index, 1);
    if (index >= 0 && this.deviceTime) devices--;
    this.#unwatch();
    const usual = new Map(this.#clocks.map((clock) => [clock, 0]));
    for (const clock of usual.keys()) usual.set(clock, clock.row().launchUs / 1e3);
    const launches = this.#clocks.map((clock, i) => this.#launchOf(clock, i, usual.get(clock) ?? 0));
    for (const { mark } of this.#zeros.values()) mark.release();
    return { value: undefined, launches, copies: this.#copies, regions: this.#regions, durationMs };
  }

  /** The record of a launch; `usualMs` stands in for a duration that was not measured. */
  #launchOf(clock: KernelClock, index: number, usualMs: number): Launch {
    const { key, op, variant, dtypes, device } = clock.identity;
    const [began = 0, timed = 0, bytes = 0] = this.#numbers.subarray(index * fields, (index + 1) * fields);
    const launchMs = Number.isNaN(timed) ? usualMs : timed;
    const startMs = began - this.began;
    const extra = this.#extras.get(index);
    const origin: Origin = extra?.phases ? clock.identity.origin : "memory";
    const phases = { ...(extra?.phases ?? nothing), launchMs };
    const base = { key, op, variant, dtypes, device, origin, startMs, phases, bytes };
    const zero = extra?.marks && this.#zeros.get(extra.device);
    if (!extra?.marks || !zero) return base;
    const [before, after] = extra.marks;
    const deviceUs = after.since(before) * 1e3;
    const deviceStartMs = zero.atMs + before.since(zero.mark);
    for (const mark of extra.marks) mark.release();
    clock.noteDevice(deviceUs);
    return { ...base, deviceUs, deviceStartMs };
  }
}

const open: LaunchRecorder[] = [];
// The number of open recordings with device times.
let devices = 0;
atInterruption(() => {
  open.length = 0;
  devices = 0;
});
// A recording times one in sixteen of the launches that `timings()` skips.
const everySo = 15;
let warmLaunches = 0;

/** True while a recording is open. */
export function isRecording(): boolean {
  return open.length > 0;
}

/** Adds a run of a program to every open recording; its start is on the process's clock. */
export function noteRegion(region: Region): void {
  for (const recorder of open) recorder.addRegion(region);
}

/** Opens a recording; with `device: true` each launch is also timed on the device, between two marks in its queue. */
export function startRecording(given?: { device?: boolean }): OpenRecording {
  const options = optionsOf("startRecording", given, ["device"]);
  const recorder = new LaunchRecorder(options.device ?? false);
  open.push(recorder);
  if (recorder.deviceTime) devices++;
  return recorder;
}

/**
 * Runs a (possibly async) function and returns its value with its launches: kernel key, origin, phases and, with `device:
 * true`, device time.
 *
 * @example (await jl.record(() => jl.ones([2]).add(1))).value.toArray() // [2, 2]
 */
export function record<T>(
  fn: () => T,
  options?: { /** True: times each launch on the device too; default false. */ device?: boolean },
): 0 extends 1 & T ? Recording<T> : T extends Promise<infer V> ? Promise<Recording<V>> : Recording<T> {
  checkFunction("record", "what to run", fn);
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

/** Launches a kernel, measures it and adds it to every open recording; `phases` are those of a first launch. */
export function timedLaunch(
  kernel: Launchable,
  config: LaunchConfig,
  phases: ObtainPhases | undefined,
  bytes: number,
): void {
  if (devices > 0) {
    markedLaunch(kernel, config, phases, bytes);
    return;
  }
  const { clock, device } = kernel;
  // Reading the clock costs more than the rest of a launch, so later launches of a kernel are sampled.
  const exact = clock.sampling || (warmLaunches++ & everySo) === 0;
  const began = performance.now();
  kernel.code.launch(kernel.block, config);
  const ended = exact ? performance.now() : Number.NaN;
  if (exact) clock.note(ended - began);
  else clock.launches++;
  const extra = phases && { phases, marks: undefined, device };
  for (let i = 0; i < open.length; i++) (open[i] as LaunchRecorder).add(clock, began, ended, bytes, extra);
}

function markedLaunch(
  { clock, code, block, device }: Launchable,
  config: LaunchConfig,
  phases: ObtainPhases | undefined,
  bytes: number,
): void {
  for (const recorder of open) recorder.prepare(device);
  const before = device.mark();
  const began = performance.now();
  code.launch(block, config);
  const ended = performance.now();
  const marks = [before, device.mark()] as const;
  clock.note(ended - began);
  for (const recorder of open) {
    const extra = { phases, marks: recorder.deviceTime ? marks : undefined, device };
    recorder.add(clock, began, ended, bytes, extra);
  }
}

/**
 * Queues the launches of a graph as one and adds each to every open recording, with its share of the time. Returns false,
 * and queues nothing, if a recording has device times: those need marks between the launches.
 */
export function timedReplay(
  steps: readonly { readonly kernel: Launchable; readonly bytes: number }[],
  composed: ComposedWork,
): boolean {
  if (devices > 0) return false;
  const began = performance.now();
  composed.launch();
  const share = (performance.now() - began) / steps.length;
  steps.forEach(({ kernel, bytes }, i) => {
    kernel.clock.launches++;
    const start = began + i * share;
    for (const recorder of open) recorder.add(kernel.clock, start, start + share, bytes, undefined);
  });
  return true;
}

/** The bytes that a launch reads and writes. */
export function bytesOf(outputs: readonly View[], operands: readonly Operand[]): number {
  let bytes = 0;
  for (let i = 0; i < outputs.length; i++) bytes += bytesOfView(outputs[i] as View);
  for (let i = 0; i < operands.length; i++) {
    const operand = operands[i] as Operand;
    if (isView(operand)) bytes += bytesOfView(operand);
  }
  return bytes;
}

/** Bytes of distinct elements: a broadcast dimension is read from cache. */
function bytesOfView(view: View): number {
  if (view.isContiguous) return view.size * view.dtype.bytes;
  return distinctElements(view.shape, view.strides) * view.dtype.bytes;
}
