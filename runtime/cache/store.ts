// What a place for compiled kernels can do: the database of disk.ts, or this process's memory where there is none.

/** What several kernels that were compiled together share. */
export interface Module {
  readonly binary: Uint8Array;
  /** PTX or the host's assembly. */
  readonly assembly: string;
  readonly log: string;
  readonly arch: string;
  /** The compiler's identity. */
  readonly compiler: string;
  readonly flags: readonly string[];
  readonly compileMs: number;
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

/** A stored kernel whose checksum was right. */
export interface Fetched {
  readonly binary: Uint8Array;
  readonly compileMs: number;
}

/** The outcome of asking to compile a key: it is ours to compile, another process compiles it, or it is there by now. */
export type Claim = "ours" | "theirs" | "stored";

/** A place for compiled kernels. No method throws: a place that fails says so once and forgets. */
export interface Store {
  fetch(key: string): Fetched | undefined;
  /** The assembly and the log that came with a kernel. */
  fetchText(key: string): { readonly assembly: string; readonly log: string } | undefined;
  /** Takes the lease of a key, so that one process compiles it. */
  claim(key: string): Claim;
  /** Gives a lease back without a kernel. */
  release(key: string): void;
  /** Stores kernels of one compile, and gives their leases back. */
  put(module: Module, kernels: readonly KernelRecord[]): void;
  /** Forgets a kernel that could not be used. */
  remove(key: string): void;
}
