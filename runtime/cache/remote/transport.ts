// A transport shares rows of bytes by key between machines, and leases to make them. It does not depend on kernels. Its
// promises reject with any error; remote-cache.ts handles them.

/** The most bytes of a row. */
export const largestRow = 2 ** 24;

/** The answer to a lookup: a row, or who makes it. */
export type Looked = Uint8Array | "ours" | "taken";

/** The amount that is stored. */
export interface TransportTotals {
  readonly kernels: number;
  readonly bytes: number;
}

/** A store of rows. */
export interface Transport {
  /** Connects; called once, before anything else. */
  open(): Promise<void>;
  /** A row, or the lease to make it, which lasts for this time unless the row is put earlier. */
  look(key: string, leaseMs: number): Promise<Looked>;
  /** Rows; undefined for missing ones. */
  fetch(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** Stores one row under several keys, replacing existing ones. */
  put(keys: readonly string[], row: Uint8Array): Promise<void>;
  /** All keys, in batches. */
  keys(): AsyncIterable<readonly string[]>;
  totals(): Promise<TransportTotals>;
  /** Deletes everything that jitlab stored, and returns how many keys there were. */
  clear(): Promise<number>;
  /** Closes the transport, even during a request. */
  close(): void;
}
