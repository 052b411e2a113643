// A watcher sees launches. A capture keeps what they read and write, byte by byte, so that they can be repeated elsewhere. Without
// an open watcher, a launch only checks one variable.
import { atInterruption } from "../base/interruption.js";
import type { Device } from "../device/device.js";
import type { ArgumentBlock, LaunchConfig } from "../device/loaded-code.js";
import type { Operand } from "../functor/operand.js";
import { reach } from "../geometry/layout.js";
import { isView, type View } from "../geometry/view.js";
import { type ExchangeMemory, openExchangeMemory } from "./exchange-memory.js";
import type { LoadRequest } from "./load-request.js";
import { keyOf } from "./obtain.js";
import type { KernelClock } from "./timings.js";

/** Bytes of a device's memory: those of an operand's owner. */
export interface MemoryPart {
  readonly first: number;
  readonly bytes: number;
  readonly dtype: string;
  /** The shape of a contiguous view of all of it. */
  readonly shape: readonly number[] | undefined;
  /** Its contents; undefined if they were not read. */
  readonly contents: Uint8Array | undefined;
}

/** One launch with all that it depends on. */
export interface CapturedLaunch {
  readonly device: Device;
  /** The kernel; undefined for code of a library, which cannot be compiled. */
  readonly request: LoadRequest | undefined;
  readonly op: string;
  readonly config: LaunchConfig;
  /** The bytes of its arguments. */
  readonly block: Uint8Array;
  /** The addresses of its operands. */
  readonly addresses: ReadonlySet<number>;
  /** The variables of its code that were set. */
  readonly constants: ReadonlyMap<string, Uint8Array>;
  /** Its operands before the launch, and the written ones after it. */
  readonly before: readonly MemoryPart[];
  readonly after: readonly MemoryPart[];
}

/** Where a kernel's argument block has the addresses of its operands, and for which addresses the kernel was chosen. */
export interface Addressing {
  /** The first byte of each address. */
  readonly offsets: readonly number[];
  /** The largest power of two up to `among` of which all addresses are multiples. */
  readonly alignment: number;
  readonly among: number;
}

/** The kernel of a launch that is watched. */
export interface WatchedKernel {
  readonly device: Device;
  readonly block: ArgumentBlock;
  readonly clock: KernelClock;
  readonly request: LoadRequest;
  /** Undefined if the places of its addresses are not known. */
  readonly addressing: Addressing | undefined;
  /** True if it queues work on several devices. */
  readonly spansDevices: boolean;
  /** False after its code was unloaded. */
  readonly isLoaded: boolean;
  /** The block, for the arguments of the next launch. */
  fill(): ArgumentBlock;
  /** Launches with the arguments in the block, over memory that nothing deferred reads. */
  again(config: LaunchConfig): void;
  /** Gives such a launch to the device, without counting it. */
  queue(config: LaunchConfig): void;
  /** Counts a launch. */
  count(): void;
}

/** What sees launches; it calls `run`, which makes one. */
export interface LaunchWatcher {
  launch(
    kernel: WatchedKernel,
    config: LaunchConfig,
    outputs: readonly View[],
    inputs: readonly Operand[],
    run: () => void,
  ): void;
}

/** How much a capture reads. */
export interface CaptureLimits {
  /** The most bytes of one operand that are read; larger ones and all results are left out. */
  readonly perOperand: number;
  /** The most bytes in all; the capture ends beyond it. */
  readonly total: number;
}

/** An open capture. */
export class Capture implements LaunchWatcher {
  readonly launches: CapturedLaunch[] = [];
  /** The bytes of all operands so far. */
  bytes = 0;

  constructor(readonly limits: CaptureLimits) {}

  /** Captures a launch that `run` makes. */
  launch(
    { device, block, clock, request }: WatchedKernel,
    config: LaunchConfig,
    outputs: readonly View[],
    inputs: readonly Operand[],
    run: () => void,
  ): void {
    const views = [...outputs, ...inputs.filter(isView)];
    const memory = openExchangeMemory(device);
    const meeting = memory && hasAddress(block.bytes, memory.pointer) ? memory : undefined;
    const before = this.#read(device, views, meeting);
    const argument = block.bytes.slice();
    const constants = new Map(request.constants ?? []);
    const addresses = new Set([
      ...views.map(({ pointer }) => pointer),
      ...(meeting ? [meeting.pointer] : []),
    ]);
    const kept = { ...config, grid: [...config.grid], block: [...config.block] } as unknown as LaunchConfig;
    run();
    const isWhole = this.limits.perOperand === Number.POSITIVE_INFINITY;
    const after = isWhole ? this.#read(device, outputs, undefined) : [];
    // The code of a library has a key of its own.
    const own = clock.identity.key === keyOf(request) ? request : undefined;
    this.launches.push({
      device,
      request: own,
      op: request.op,
      config: kept,
      block: argument,
      addresses,
      constants,
      before,
      after,
    });
  }

  #read(device: Device, views: readonly View[], meeting: ExchangeMemory | undefined): MemoryPart[] {
    const parts = new Map<string, Omit<MemoryPart, "contents">>();
    for (const view of views) {
      if (view.size === 0) continue;
      const { first, bytes } = memoryOf(view);
      const { dtype, size, isContiguous, shape } = view;
      const own = isContiguous && size * dtype.bytes === bytes ? shape : undefined;
      parts.set(`${first} ${bytes}`, { first, bytes, dtype: dtype.name, shape: own });
    }
    if (meeting) {
      const { pointer, bytes } = meeting;
      parts.set("", { first: pointer, bytes, dtype: "int64", shape: undefined });
    }
    return [...parts.values()].map((part) => {
      this.bytes += part.bytes;
      const isLeftOut = part.bytes > this.limits.perOperand || this.bytes > this.limits.total;
      const contents = isLeftOut ? undefined : new Uint8Array(part.bytes);
      if (contents) device.read(part.first, contents);
      return { ...part, contents };
    });
  }
}

/** The memory of a view's owner: kernels that read by indexes leave the view. */
function memoryOf({ pointer, shape, strides, dtype, storage }: View): Pick<MemoryPart, "first" | "bytes"> {
  const [low, high] = reach(shape, strides);
  const [first, last] = [pointer + low * dtype.bytes, pointer + (high + 1) * dtype.bytes];
  if (storage && !storage.pending && !storage.disposed) {
    const { pointer: start, bytes } = storage;
    if (start <= first && last <= start + bytes) return { first: start, bytes };
  }
  return { first, bytes: last - first };
}

function hasAddress(bytes: Uint8Array, address: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 8 <= bytes.byteLength; at += 8)
    if (Number(view.getBigUint64(at, true)) === address) return true;
  return false;
}

let open: LaunchWatcher | undefined;
atInterruption(() => {
  open = undefined;
});

/** What sees the launches; undefined while nothing does. */
export function openWatcher(): LaunchWatcher | undefined {
  return open;
}

/** Calls a function, whose launches `watcher` sees. */
export function watchLaunches<T>(watcher: LaunchWatcher, run: () => T): T {
  open = watcher;
  try {
    return run();
  } finally {
    open = undefined;
  }
}

/** Calls a function and captures its launches. */
export function captureLaunches<T>(
  limits: CaptureLimits,
  run: () => T,
): { readonly value: T; readonly capture: Capture } {
  const capture = new Capture(limits);
  return { value: watchLaunches(capture, run), capture };
}
