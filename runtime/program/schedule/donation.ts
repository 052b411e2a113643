// Donated arguments: their memory goes to results.

import { donateTo } from "../../device/donated.js";
import { PooledStorage } from "../../device/pooled-storage.js";
import type { Storage } from "../../device/storage.js";
import { type Value, valueIn } from "../operations/ir.js";

/** The arguments that a call gave away. */
export class Donation {
  readonly #values = new Set<Value>();

  /** Disposes of donated storages; the call's kernels may still read their elements. */
  constructor(
    readonly name: string,
    storages: readonly Storage[],
  ) {
    for (const storage of storages) {
      const isExchangeable = storage instanceof PooledStorage && !storage.pinned && !storage.disposed;
      if (isExchangeable) this.#values.add(valueIn(storage));
      donateTo(name, storage);
    }
  }

  /** True for a donated value. */
  has(value: Value): boolean {
    return this.#values.has(value);
  }

  /** Takes the memory of a value, which cannot be read any more; undefined if it is not donated. */
  take(value: Value): PooledStorage | undefined {
    if (!this.has(value) || value.holder === undefined) return undefined;
    const memory = value.memory();
    value.holder = undefined;
    value.takenBy = this.name;
    return memory;
  }
}
