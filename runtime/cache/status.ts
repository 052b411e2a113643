// What the cache tells about itself: totals, entries, and what this process saved.
import type { Origin } from "../timings.js";

/** One kernel in the database, as `jl.cache.list()` gives it. */
export interface CacheEntry {
  readonly key: string;
  readonly op: string;
  readonly variant: string;
  readonly dtypes: readonly string[];
  readonly arch: string;
  readonly compiler: string;
  /** Bytes of its share of the stored module. */
  readonly bytes: number;
  readonly compileMs: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly lastUse: number;
  /** Who compiled it. */
  readonly host: string;
  readonly pid: number;
  /** Fetches from disk by every process. */
  readonly hits: number;
  /** Where this process has it from; absent where it has not used it. */
  readonly here?: Origin;
}

/** Totals of the cache, as `jl.cache.status()` gives them. */
export interface CacheStatus {
  readonly path: string;
  /** `memory` where the folder cannot be used; `reason` says why. */
  readonly mode: "disk" | "memory";
  readonly reason: string;
  readonly kernels: number;
  readonly bytes: number;
  readonly maxBytes: number;
  /** This process: kernels by origin, launches served from memory, compile time spent and saved. */
  readonly process: {
    readonly compiled: number;
    readonly disk: number;
    readonly memoryHits: number;
    readonly compileMs: number;
    readonly savedMs: number;
  };
  /** Every process since the database was made. */
  readonly all: { readonly hits: number; readonly savedMs: number };
}
