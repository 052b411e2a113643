// The recorder of what each kernel cost: generate, look up, compile, load, first launch, warm launches, device time.

import type { Copy } from "./host-copy.js";

/** Where a kernel came from at one launch: compiled now, fetched from disk now, or loaded before in this process. */
export type Origin = "compiled" | "disk" | "memory";

/** What one kernel cost in this process; one row of `jl.timings()`. Milliseconds, except where the name says `Us`. */
export interface KernelTiming {
  readonly key: string;
  /** The op's name or the functor's entry function. */
  readonly op: string;
  /** Layout class and index width, such as `contiguous` or `strided2 i64`. */
  readonly variant: string;
  /** Output dtypes, then input dtypes; a scalar argument is marked `scalar`. */
  readonly dtypes: readonly string[];
  readonly device: string;
  readonly origin: "compiled" | "disk";
  readonly generateMs: number;
  readonly lookupMs: number;
  readonly compileMs: number;
  readonly loadMs: number;
  readonly firstLaunchMs: number;
  readonly launches: number;
  /** Median host time of the warm launches that were sampled, in microseconds; 0 before the second launch. */
  readonly launchUs: number;
  /** Median device time, in microseconds, where it was recorded. */
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
   * Host milliseconds of each phase; 0 where it was not needed. Without device times one warm launch in sixteen is timed, and
   * the others have their kernel's median.
   */
  readonly phases: {
    readonly generateMs: number;
    readonly lookupMs: number;
    readonly compileMs: number;
    readonly loadMs: number;
    readonly launchMs: number;
  };
  /** Bytes of the operands that it reads and writes. */
  readonly bytes: number;
  readonly deviceUs?: number;
  /** When the device began, in milliseconds since the recording started, where its time was recorded. */
  readonly deviceStartMs?: number;
}

/** What `jl.record(fn)` returns. */
export interface Recording<T> {
  readonly value: T;
  readonly launches: readonly Launch[];
  /** Copies between the host and devices. */
  readonly copies: readonly Copy[];
  readonly durationMs: number;
}

/** Phases of obtaining a kernel, in milliseconds. */
export interface ObtainPhases {
  readonly generateMs: number;
  readonly lookupMs: number;
  readonly compileMs: number;
  readonly loadMs: number;
}

const sampledLaunches = 16;
const rows: KernelClock[] = [];

/** The clock of one kernel: dispatch tells it of launches, `timings()` reads it. */
export class KernelClock {
  launches = 0;
  firstLaunchMs = 0;
  readonly samples: number[] = [];
  readonly deviceSamples: number[] = [];

  constructor(
    readonly identity: Pick<KernelTiming, "key" | "op" | "variant" | "dtypes" | "device" | "origin">,
    readonly phases: ObtainPhases,
  ) {
    rows.push(this);
  }

  /** True while launches should still be timed without a recording: the first ones, so that warm launches cost nothing. */
  get sampling(): boolean {
    return this.launches <= sampledLaunches;
  }

  /** Notes one timed launch. */
  note(ms: number): void {
    if (this.launches === 0) this.firstLaunchMs = ms;
    else if (this.samples.length < 1000) this.samples.push(ms * 1e3);
    this.launches++;
  }

  row(): KernelTiming {
    const device = this.deviceSamples.length > 0 ? { deviceUs: median(this.deviceSamples) } : {};
    return {
      ...this.identity,
      ...this.phases,
      firstLaunchMs: this.firstLaunchMs,
      launches: this.launches,
      launchUs: median(this.samples),
      ...device,
    };
  }
}

/** What each kernel of this process cost, one row per kernel, in the order of first use. */
export function timings(): KernelTiming[] {
  return rows.map((row) => row.row());
}

/** Runs a function whose kernels are to leave no rows. */
export function unlisted(run: () => void): void {
  const { length } = rows;
  try {
    run();
  } finally {
    rows.length = length;
  }
}

function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? 0)) / 2;
}
