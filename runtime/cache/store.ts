// The interface of stores of compiled kernels: the database of disk.ts, or this process's memory without one.
import type { DeviceKind } from "../device/kinds.js";
import type { LeaseOwner } from "./lease-owner.js";
import type { TuningStore } from "./tuning.js";

/** What several kernels that were compiled together share. */
export interface Module {
  readonly binary: Uint8Array;
  /** PTX or the host's assembly. */
  readonly assembly: string;
  readonly log: string;
  readonly kind: DeviceKind;
  readonly arch: string;
  /** The compiler's identity. */
  readonly compiler: string;
  readonly flags: readonly string[];
  readonly compileMs: number;
  /** Who compiled it and when, where that was not this process now. */
  readonly made?: { readonly createdAt: number; readonly host: string; readonly pid: number };
}

/** One kernel of a module, as it was asked for. */
export interface KernelRecord {
  readonly key: string;
  readonly symbol: string;
  readonly op: string;
  readonly variant: string;
  readonly dtypes: readonly string[];
  readonly source: string;
  /** Its share of the module's compile time. */
  readonly compileMs: number;
}

/** A stored kernel whose checksum and seal were right. */
export interface Fetched {
  /** The name of its function in the code. */
  readonly symbol: string;
  readonly binary: Uint8Array;
  readonly compileMs: number;
}

/** The assembly and the log that came with a kernel. */
export interface FetchedText {
  readonly assembly: string;
  readonly log: string;
}

/** The outcome of asking to compile a key: ours to compile, compiled by another, or stored by now. */
export type Claim = "ours" | LeaseOwner | "stored";

/** One stored kernel and its history. */
export interface StoredKernel {
  readonly key: string;
  readonly op: string;
  readonly variant: string;
  readonly dtypes: readonly string[];
  readonly kind: DeviceKind;
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
  /** How many of the hits are this process's. */
  readonly hitsHere: number;
}

/** A module with all its kernels, for another cache. */
export interface StoredModule {
  readonly module: Module;
  readonly kernels: readonly KernelRecord[];
}

/** What decided the code of a stored kernel, for comparing it with others of its op. */
export interface Relative {
  readonly key: string;
  readonly module: string;
  readonly symbol: string;
  readonly variant: string;
  readonly dtypes: readonly string[];
  readonly kind: DeviceKind;
  readonly arch: string;
  readonly compiler: string;
  readonly flags: readonly string[];
  readonly source: string;
}

/** Which kernels to clear: those that meet every given condition. */
export interface CacheFilter {
  /** The op's name or the functor's entry function. */
  readonly op?: string;
  /** The family of devices, such as `cuda`. */
  readonly device?: string;
  /** Only kernels that were last used longer ago than this, in milliseconds. */
  readonly olderThanMs?: number;
}

/** What a verification found. */
export interface Verification {
  readonly checked: number;
  /** Kernels whose stored bytes or seal were wrong; they were deleted. */
  readonly damaged: number;
}

/** Sums over a store. */
export interface StoreTotals {
  readonly kernels: number;
  readonly bytes: number;
  readonly hits: number;
  /** Compile time saved by all hits. */
  readonly savedMs: number;
}

/** A place for compiled kernels. */
export interface Store {
  /** What was chosen for kernels, and what ran of those that may be tuned. */
  readonly tuning: TuningStore;
  fetch(key: string): Fetched | undefined;
  fetchText(key: string): FetchedText | undefined;
  has(key: string): boolean;
  /** True where there are kernels of an architecture. */
  knows(arch: string): boolean;
  /** Takes the lease of a key, so that one process compiles it. */
  claim(key: string): Claim;
  /** Releases a lease without storing a kernel. */
  release(key: string): void;
  /** Stores the kernels of one compile and releases their leases. */
  put(module: Module, kernels: readonly KernelRecord[]): void;
  /** Deletes a kernel that could not be used, and the kernels compiled with it. */
  remove(key: string): void;
  /** Every kernel, the last used first. */
  list(): StoredKernel[];
  /** The kernels of the same op stored before a kernel, and that kernel last; empty if it is not stored. */
  relatives(key: string): Relative[];
  /** Everything that is intact. */
  modules(): Iterable<StoredModule>;
  totals(): StoreTotals;
  /** Deletes the kernels that a filter names, and returns how many. */
  clear(filter: CacheFilter): number;
  verify(): Verification;
}

/** True for a kernel that a filter names. */
export function matches(kernel: StoredKernel, filter: CacheFilter, now: number): boolean {
  const { op, device, olderThanMs } = filter;
  return (
    (op === undefined || kernel.op === op) &&
    (device === undefined || kernel.kind === device.split(":")[0]) &&
    (olderThanMs === undefined || now - kernel.lastUse > olderThanMs)
  );
}
