// A bounded cache of values by key, for values that can be made again.

/** Values by key, at most `most` of them; beyond that, the least recently used one is dropped. */
export class RecentValues<V> {
  readonly #values = new Map<string, V>();

  constructor(readonly most: number) {}

  /** The value of a key: the kept one, or a new one. */
  get(key: string, make: () => V): V {
    const value = this.#values.get(key) ?? make();
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.most) this.#values.delete(this.#values.keys().next().value as string);
    return value;
  }
}
