// The recorder of what each kernel cost: generate, look up, compile, load, first launch, warm launches, device time.

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
  /** Host milliseconds of each phase; 0 where it was not needed. */
  readonly phases: {
    readonly generateMs: number;
    readonly lookupMs: number;
    readonly compileMs: number;
    readonly loadMs: number;
    readonly launchMs: number;
  };
  readonly deviceUs?: number;
}

/** What `jl.record(fn)` returns. */
export interface Recording<T> {
  readonly value: T;
  readonly launches: readonly Launch[];
  readonly durationMs: number;
}
