// The time of each kernel: generating, lookup, compile, load, first launch, warm launches, device time.

import { atInterruption } from "../base/interruption.js";
import { median } from "../base/units.js";
import type { KernelOrigin } from "../cache/counters.js";
import type { Copy } from "../device/host-copy.js";
import type { KernelRequest } from "./obtain.js";
import type { Region } from "./program-timings.js";

/** Where a launch got its kernel: compiled now, fetched from disk or from the shared cache now, or already loaded. */
export type Origin = KernelOrigin | "memory";

/**
 * The time of one kernel in this process; one row of `jl.timings()`. Milliseconds, or microseconds where the name ends in
 * `Us`.
 */
export interface KernelTiming {
  readonly key: string;
  /** The op's name or the functor's entry function. */
  readonly op: string;
  /** Layout class and index width, such as `contiguous` or `strided2 i64`. */
  readonly variant: string;
  /** Output dtypes, then input dtypes; scalar arguments are marked `scalar`. */
  readonly dtypes: readonly string[];
  readonly device: string;
  readonly origin: KernelOrigin;
  readonly generateMs: number;
  readonly lookupMs: number;
  readonly compileMs: number;
  readonly loadMs: number;
  readonly firstLaunchMs: number;
  readonly launches: number;
  /** Median host time of the sampled warm launches, in microseconds; 0 before the second launch. */
  readonly launchUs: number;
  /** Median device time, in microseconds, if it was recorded. */
  readonly deviceUs?: number;
}

/** One launch inside `jl.record`. */
export interface Launch {
  readonly key: string;
  readonly op: string;
  readonly variant: string;
  readonly dtypes: readonly string[];
  readonly device: string;
  readonly origin: Origin;
  /** Milliseconds since the recording started. */
  readonly startMs: number;
  /**
   * Host milliseconds of each phase; 0 for skipped phases. Without device times one warm launch in sixteen is timed, and the
   * others have their kernel's median.
   */
  readonly phases: {
    readonly generateMs: number;
    readonly lookupMs: number;
    readonly compileMs: number;
    readonly loadMs: number;
    readonly launchMs: number;
  };
  /** The bytes that it reads and writes. */
  readonly bytes: number;
  readonly deviceUs?: number;
  /** When the device began, in milliseconds since the recording started, if its time was recorded. */
  readonly deviceStartMs?: number;
}

/** The result of `jl.record(fn)`. */
export interface Recording<T> {
  readonly value: T;
  readonly launches: readonly Launch[];
  /** Copies between the host and devices. */
  readonly copies: readonly Copy[];
  /** The runs of compiled functions' programs. */
  readonly regions: readonly Region[];
  readonly durationMs: number;
}

/** Phases of obtaining a kernel, in milliseconds. */
export interface ObtainPhases {
  readonly generateMs: number;
  readonly lookupMs: number;
  readonly compileMs: number;
  readonly loadMs: number;
}

/** So many launches of each kernel are timed without a recording, one by one. */
export const sampledLaunches = 16;
const mostSamples = 1000;
// Rows of unloaded kernels; the oldest are dropped first.
const mostRetired = 500;
const rows = new Set<KernelClock>();
const retired: KernelClock[] = [];
let listing = true;
atInterruption(() => {
  listing = true;
});
let droppedHits = 0;

/** The clock of one loaded kernel: launches write it, `timings()` reads it. */
export class KernelClock {
  launches = 0;
  firstLaunchMs = 0;
  readonly identity: Pick<KernelTiming, "key" | "op" | "variant" | "dtypes" | "device" | "origin">;
  readonly #samples: number[] = [];
  readonly #deviceSamples: number[] = [];

  constructor(
    readonly request: KernelRequest,
    key: string,
    device: string,
    origin: KernelOrigin,
    readonly phases: ObtainPhases,
  ) {
    const { op, variant, dtypes } = request;
    this.identity = { key, op, variant, dtypes, device, origin };
    if (listing) rows.add(this);
  }

  /** True for the first launches, which are timed without a recording; later ones pay nothing. */
  get sampling(): boolean {
    return this.launches <= sampledLaunches;
  }

  /** Records one timed launch. */
  note(ms: number): void {
    if (this.launches === 0) this.firstLaunchMs = ms;
    else if (this.#samples.length < mostSamples) this.#samples.push(ms * 1e3);
    this.launches++;
  }

  /** Records the device time of one launch. */
  noteDevice(us: number): void {
    if (this.#deviceSamples.length < mostSamples) this.#deviceSamples.push(us);
  }

  /** Called when the kernel is unloaded; its row stays until enough others follow. */
  retire(): void {
    if (!rows.has(this)) return;
    retired.push(this);
    if (retired.length <= mostRetired) return;
    const oldest = retired.shift() as KernelClock;
    rows.delete(oldest);
    droppedHits += oldest.hits;
  }

  /** Launches that found the kernel loaded. */
  get hits(): number {
    return Math.max(0, this.launches - 1);
  }

  row(): KernelTiming {
    const device = this.#deviceSamples.length > 0 ? { deviceUs: median(this.#deviceSamples) } : {};
    return {
      ...this.identity,
      ...this.phases,
      firstLaunchMs: this.firstLaunchMs,
      launches: this.launches,
      launchUs: this.#samples.length > 0 ? median(this.#samples) : 0,
      ...device,
    };
  }
}

/**
 * The times of this process's kernels: one row per loaded kernel, in the order of first use, and the most recently unloaded
 * ones.
 *
 * @example jl.timings().every((row) => row.launches >= 0) // true
 */
export function timings(): KernelTiming[] {
  return [...rows].map((row) => row.row());
}

/** The number of launches of this process that found their kernel loaded. */
export function memoryHits(): number {
  let hits = droppedHits;
  for (const row of rows) hits += row.hits;
  return hits;
}

/** The request of a kernel by its key, while it has a row. */
export function requestOfKey(key: string): KernelRequest | undefined {
  for (const { identity, request } of rows) if (identity.key === key) return request;
  return undefined;
}

/** Runs a function without adding rows for its kernels. */
export function unlisted(run: () => void): void {
  listing = false;
  try {
    run();
  } finally {
    listing = true;
  }
}
