// Counts fetches of stored kernels in memory, so that a fetch never waits for a write.

/** Fetches by key. */
export class FetchCounts {
  readonly #pending = new Map<string, number>();
  readonly #own = new Map<string, number>();

  /** Counts one fetch. */
  count(key: string): void {
    this.#pending.set(key, (this.#pending.get(key) ?? 0) + 1);
    this.#own.set(key, (this.#own.get(key) ?? 0) + 1);
  }

  /** This process's fetches of a key since it was stored. */
  own(key: string): number {
    return this.#own.get(key) ?? 0;
  }

  /** Called when a key is stored: its count starts at zero. */
  begin(key: string): void {
    this.#own.delete(key);
  }

  /** Returns the counts since the last call, for writing. */
  take(): [key: string, hits: number][] {
    const taken = [...this.#pending];
    this.#pending.clear();
    return taken;
  }
}
