// The status of the cache: totals, entries, and what this process saved.

import { optionsOf } from "../base/arguments.js";
import { counters, origins } from "../cache/counters.js";
import { currentStore, withStore } from "../cache/current-store.js";
import { self } from "../cache/lease-owner.js";
import { whyCompiled } from "../cache/miss-reason.js";
import { remoteSettings } from "../cache/remote/settings.js";
import { type CacheFilter, matches, type StoredKernel, type Verification } from "../cache/store.js";
import { type KernelTiming, memoryHits, type Origin, timings } from "../launch/timings.js";

export type { CacheFilter, Verification };

/** One kernel in the database, as `jl.cache.list()` gives it. */
export interface CacheEntry extends Omit<StoredKernel, "kind"> {
  /** True where this process compiled it. */
  readonly own: boolean;
  /** Where this process got it; absent where it did not use it. */
  readonly here?: Origin;
}

/** Totals of the cache, as `jl.cache.status()` gives them. */
export interface CacheStatus {
  readonly path: string;
  /** `memory` where the folder cannot be used; `reason` says why. */
  readonly mode: "disk" | "memory";
  readonly reason: string;
  /** What to do about `reason`. */
  readonly help: string;
  readonly kernels: number;
  readonly bytes: number;
  readonly maxBytes: number;
  /** The address of the cache that several machines share; absent where there is none. */
  readonly remote?: string;
  /** This process: kernels by origin, launches served from memory, compile time spent and saved. */
  readonly process: {
    readonly compiled: number;
    readonly disk: number;
    /** Fetched from the shared cache. */
    readonly remote: number;
    readonly memoryHits: number;
    readonly compileMs: number;
    readonly savedMs: number;
    /** The part of it that the shared cache saved. */
    readonly remoteSavedMs: number;
    /** The kernel whose call had to compile it last, and why it was not stored. */
    readonly lastMiss?: Pick<KernelTiming, "key" | "op" | "dtypes"> & { readonly why: string };
  };
  /** Every process since the database was made. */
  readonly all: { readonly hits: number; readonly savedMs: number };
}

/** Totals of the cache: where it is, how full, what it saved this process and all of them. */
export function cacheStatus(): CacheStatus {
  const { path, mode, reason, help, maxBytes } = currentStore();
  const { kernels, bytes, hits, savedMs } = withStore((store) => store.totals(), emptyTotals);
  const remote = remoteSettings();
  const rows = timings();
  const missed = rows.findLast((kernel) => kernel.origin === "compiled");
  const lastMiss = missed && {
    key: missed.key,
    op: missed.op,
    dtypes: missed.dtypes,
    why: whyCompiled(missed.key),
  };
  return {
    path,
    mode,
    reason,
    help,
    kernels,
    bytes,
    maxBytes,
    ...(remote && { remote: remote.address }),
    process: { ...counters, memoryHits: memoryHits(), ...(lastMiss && { lastMiss }) },
    all: { hits, savedMs },
  };
}

/** Every stored kernel, or those that a filter names, the last used first. */
export function cacheList(filter: CacheFilter = {}): CacheEntry[] {
  const now = Date.now();
  const wanted = optionsOf("cache.list", filter);
  const stored = withStore((store) => store.list(), []).filter((kernel) => matches(kernel, wanted, now));
  const used = new Set(timings().flatMap((kernel) => (kernel.launches > 1 ? [kernel.key] : [])));
  return stored.map(({ kind, ...kernel }) => {
    const origin = used.has(kernel.key) ? "memory" : origins.get(kernel.key);
    const own = kernel.host === self().host && kernel.pid === self().pid;
    return { ...kernel, own, ...(origin && { here: origin }) };
  });
}

/** Deletes stored kernels, all unless a filter names some, and returns how many. */
export function cacheClear(filter: CacheFilter = {}): number {
  const unwanted = optionsOf("cache.clear", filter);
  return withStore((store) => store.clear(unwanted), 0);
}

/** Checks the checksums and the seal of every stored kernel and deletes those that fail. */
export function cacheVerify(): Verification {
  return withStore((store) => store.verify(), { checked: 0, damaged: 0 });
}

const emptyTotals = { kernels: 0, bytes: 0, hits: 0, savedMs: 0 };
