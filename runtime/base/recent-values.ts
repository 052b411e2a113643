// A bounded cache of values by key, for values that can be made again.

/** Values by key, at most `most` of them; beyond that, the least recently used one is dropped. */
export class RecentValues<V> {
  readonly #values = new Map<string, V>();

  constructor(
    readonly most: number,
    /** Called with a value that is dropped. */
    private readonly dropped?: (value: V) => void,
  ) {}

  /** The value of a key: the kept one, or a new one. */
  get(key: string, make: () => V): V {
    const value = this.#values.get(key) ?? make();
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.most) {
      const [oldest, unused] = this.#values.entries().next().value as [string, V];
      this.#values.delete(oldest);
      this.dropped?.(unused);
    }
    return value;
  }
}
