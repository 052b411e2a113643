// What storages showed before a tape wrote them: elements in memory, or pending ones and how they are computed.

import { PooledStorage } from "../../device/pooled-storage.js";
import type { View } from "../../geometry/view.js";
import { type Value, valueIn } from "../operations/ir.js";

/** A storage's value before a write; `compute` is what computes it if it is pending. */
interface Earlier {
  readonly value: Value;
  readonly compute: ((storage: PooledStorage) => void) | undefined;
}

/** The storages that a tape writes, of those that it has not made. */
export type EarlierValues = Map<PooledStorage, Earlier>;

/** What a storage shows now. */
export function earlierIn(storage: PooledStorage): Earlier {
  return { value: valueIn(storage), compute: storage.computation };
}

/** Gives written storages their earlier values back. */
export function giveBack(written: EarlierValues): void {
  for (const [storage, { value, compute }] of written) {
    if (value.home === storage) continue; // it was not written: an interrupt came first
    if (value.holder) {
      storage.take(value.memory());
      storage.watcher = value;
      value.holder = storage;
    } else if (compute) {
      storage.defer(compute, value);
    }
    value.home = storage;
  }
}

/** What a tape wrote, and the memory that it made for new tensors. */
interface Writes {
  readonly written: EarlierValues | undefined;
  readonly made: ReadonlySet<Value> | undefined;
}

/** True for memory that was made on a part of a tape: nobody has seen other elements in it. */
export function areMadeOn({ written, made }: Writes, part: object, views: readonly View[]): boolean {
  return views.every(({ storage }) => {
    if (!(storage instanceof PooledStorage) || !storage.pending || written?.has(storage)) return false;
    const value = valueIn(storage);
    return value.tape === part && (value.ref >= 0 || made?.has(value) === true);
  });
}
