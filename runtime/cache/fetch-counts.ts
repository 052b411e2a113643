// Fetches of stored kernels, gathered so that fetching waits for no write: what is still to be written, and how many were
// this process's own.

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

  /** Called where a key is stored, with which its count begins. */
  begin(key: string): void {
    this.#own.delete(key);
  }

  /** What was counted since the last call, to be written now. */
  take(): [key: string, hits: number][] {
    const taken = [...this.#pending];
    this.#pending.clear();
    return taken;
  }
}
