// The interface of stores of compiled kernels: the database of disk.ts, or this process's memory without one.
import type { DeviceKind } from "../device/kinds.js";
import type { LeaseOwner } from "./lease-owner.js";

/** The common part of kernels that were compiled together. */
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
  /** Who compiled it and when, unless this process just did. */
  readonly made?: { readonly createdAt: number; readonly host: string; readonly pid: number };
}

/** One kernel of a module, as requested. */
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

/** A stored kernel with a valid checksum and seal. */
export interface Fetched {
  /** The name of its function in the code. */
  readonly symbol: string;
  readonly binary: Uint8Array;
  readonly compileMs: number;
}

/** The assembly and the log of a kernel. */
export interface FetchedText {
  readonly assembly: string;
  readonly log: string;
}

/** The outcome of requesting a lease: granted, held by another, or already stored. */
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
  /** The number of this process's hits. */
  readonly hitsHere: number;
}

/** A module with all its kernels, for another cache. */
export interface StoredModule {
  readonly module: Module;
  readonly kernels: readonly KernelRecord[];
}

/** The inputs that determined a stored kernel's code, for comparison with others of its op. */
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

/** Selects kernels to clear: those that meet every given condition. */
export interface CacheFilter {
  /** The op's name or the functor's entry function. */
  readonly op?: string;
  /** The family of devices, such as `cuda`. */
  readonly device?: string;
  /** Only kernels that were last used longer ago than this, in milliseconds. */
  readonly olderThanMs?: number;
}

/** The result of a verification. */
export interface Verification {
  readonly checked: number;
  /** Kernels with wrong bytes or a wrong seal; they were deleted. */
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

/** A store of compiled kernels. */
export interface Store {
  fetch(key: string): Fetched | undefined;
  fetchText(key: string): FetchedText | undefined;
  has(key: string): boolean;
  /** True if there are kernels of an architecture. */
  knows(arch: string): boolean;
  /** Takes the lease of a key, so that one process compiles it. */
  claim(key: string): Claim;
  /** Releases a lease without storing a kernel. */
  release(key: string): void;
  /** Stores the kernels of one compile and releases their leases. */
  put(module: Module, kernels: readonly KernelRecord[]): void;
  /** Deletes a kernel that could not be used, and the kernels compiled with it. */
  remove(key: string): void;
  /** All kernels, the most recently used first. */
  list(): StoredKernel[];
  /** The kernels of the same op stored before a kernel, and that kernel last; empty if it is not stored. */
  relatives(key: string): Relative[];
  /** All intact modules. */
  modules(): Iterable<StoredModule>;
  totals(): StoreTotals;
  /** Deletes the kernels that a filter selects, and returns how many. */
  clear(filter: CacheFilter): number;
  verify(): Verification;
}

/** True for a kernel that a filter selects. */
export function matches(kernel: StoredKernel, filter: CacheFilter, now: number): boolean {
  const { op, device, olderThanMs } = filter;
  return (
    (op === undefined || kernel.op === op) &&
    (device === undefined || kernel.kind === device.split(":")[0]) &&
    (olderThanMs === undefined || now - kernel.lastUse > olderThanMs)
  );
}
