// What several machines share: rows of bytes by key, and who is about to make one. A transport knows nothing of kernels, and
// its promises fail with whatever went wrong; remote-cache.ts decides what then happens.

/** The answer to a look: a row, or whose turn it is to make one. */
export type Looked = Uint8Array | "ours" | "taken";

/** What is stored. */
export interface TransportTotals {
  readonly kernels: number;
  readonly bytes: number;
}

/** A place for rows. */
export interface Transport {
  /** Connects; called once, before anything else. */
  open(): Promise<void>;
  /** A row, or the lease to make it, which lasts for so long unless the row is put before. */
  look(key: string, leaseMs: number): Promise<Looked>;
  /** Rows; undefined where there is none. */
  fetch(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** Stores one row under several keys, in the place of what is there. */
  put(keys: readonly string[], row: Uint8Array): Promise<void>;
  /** Every key, some at a time. */
  keys(): AsyncIterable<readonly string[]>;
  totals(): Promise<TransportTotals>;
  /** Deletes everything that jitlab stored, and returns how many keys there were. */
  clear(): Promise<number>;
  /** Lets go of it, also in the midst of something. */
  close(): void;
}
