// The status of the cache: totals, entries, and the savings of this process.

import { optionsOf } from "../base/arguments.js";
import { counters, origins } from "../cache/counters.js";
import { currentStore, withStore } from "../cache/current-store.js";
import { self } from "../cache/lease-owner.js";
import { whyCompiled } from "../cache/miss-reason.js";
import { remoteSettings } from "../cache/remote/settings.js";
import { type CacheFilter, matches, type StoredKernel, type Verification } from "../cache/store.js";
import { type KernelTiming, memoryHits, type Origin, timings } from "../launch/timings.js";

export type { CacheFilter, Verification };

/** One kernel in the database, as in `jl.cache.list()`. */
export interface CacheEntry extends Omit<StoredKernel, "kind"> {
  /** True if this process compiled it. */
  readonly own: boolean;
  /** Where this process got it; absent if it did not use it. */
  readonly here?: Origin;
}

/** Totals of the cache, as in `jl.cache.status()`. */
export interface CacheStatus {
  readonly path: string;
  /** `memory` if the folder cannot be used; `reason` says why. */
  readonly mode: "disk" | "memory";
  readonly reason: string;
  /** The remedy for `reason`. */
  readonly help: string;
  readonly kernels: number;
  readonly bytes: number;
  readonly maxBytes: number;
  /** The address of the cache that several machines share; absent without one. */
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
    /** The part saved by the shared cache. */
    readonly remoteSavedMs: number;
    /** The kernel that a call compiled last, and why it was not stored. */
    readonly lastMiss?: Pick<KernelTiming, "key" | "op" | "dtypes"> & { readonly why: string };
  };
  /** Every process since the database was created. */
  readonly all: { readonly hits: number; readonly savedMs: number };
}

/** Totals of the cache: its path, its size, and the time it saved this process and all processes. */
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

const filterNames = ["op", "device", "olderThanMs"] as const;

/** All stored kernels, or those that a filter selects, the most recently used first. */
export function cacheList(filter: CacheFilter = {}): CacheEntry[] {
  const now = Date.now();
  const wanted = optionsOf("cache.list", filter, filterNames);
  const stored = withStore((store) => store.list(), []).filter((kernel) => matches(kernel, wanted, now));
  const used = new Set(timings().flatMap((kernel) => (kernel.launches > 1 ? [kernel.key] : [])));
  return stored.map(({ kind, ...kernel }) => {
    const origin = used.has(kernel.key) ? "memory" : origins.get(kernel.key);
    const own = kernel.host === self().host && kernel.pid === self().pid;
    return { ...kernel, own, ...(origin && { here: origin }) };
  });
}

/** Deletes stored kernels, all or those that a filter selects, and returns how many. */
export function cacheClear(filter: CacheFilter = {}): number {
  const unwanted = optionsOf("cache.clear", filter, filterNames);
  return withStore((store) => store.clear(unwanted), 0);
}

/** Checks the checksums and the seal of every stored kernel and deletes those that fail. */
export function cacheVerify(): Verification {
  return withStore((store) => store.verify(), { checked: 0, damaged: 0 });
}

const emptyTotals = { kernels: 0, bytes: 0, hits: 0, savedMs: 0 };
