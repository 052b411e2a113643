// Each functor and each reduction owns a table of its loaded kernels. When the owner is unreachable, the kernels are
// released.
import { collectGarbage } from "../device/garbage.js";
import { forgetLoaded, type LoadedKernel } from "./loaded-kernel.js";

/** An entry of a table: a loaded kernel, with the data that its owner needs to launch it. */
export interface Entry {
  readonly kernel: LoadedKernel;
}

/** The kernels of one owner. The last used one is found without the map. */
export class KernelTable<E extends Entry> {
  readonly #entries = new Map<number | string, E>();
  #lastKey: number | string = "";
  #last: E | undefined;

  /** The entry of a key. */
  find(key: number | string): E | undefined {
    if (key === this.#lastKey && this.#last !== undefined) return this.#last;
    const entry = this.#entries.get(key);
    this.#lastKey = key;
    this.#last = entry;
    return entry;
  }

  /** Adds the entry that `load` makes; its kernel is retained until the table is cleared. */
  add(key: number | string, load: () => E): E {
    // Before the entry exists: only `load` keeps its owner reachable.
    dropUnreachable();
    const entry = load();
    entry.kernel.retain();
    this.#entries.set(key, entry);
    this.#lastKey = key;
    this.#last = entry;
    return entry;
  }

  /** Every entry. */
  entries(): Iterable<E> {
    return this.#entries.values();
  }

  /** Releases all kernels. */
  clear(): void {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    this.#last = undefined;
    for (const { kernel } of entries) kernel.release();
  }
}

type Table = Pick<KernelTable<Entry>, "clear">;

// All tables, and weak references to their owners.
const tables = new Map<Table, WeakRef<object>>();
const unreachable = new FinalizationRegistry<Table>(drop);
// Finalizers run between jobs. A long job that makes many functors checks for unreachable owners itself.
const loadsPerLook = 512;
let loads = 0;

/** The tables of all owners of one kind. */
export class KernelTables<E extends Entry> {
  readonly #tables = new WeakMap<object, KernelTable<E>>();
  // The last owner stays reachable: consecutive calls often have the same one.
  #lastOwner: object | undefined;
  #last: KernelTable<E> | undefined;

  /** The table of an owner. */
  of(owner: object): KernelTable<E> {
    if (owner === this.#lastOwner && this.#last !== undefined) return this.#last;
    const table = this.#tables.get(owner) ?? this.#newTable(owner);
    this.#lastOwner = owner;
    this.#last = table;
    return table;
  }

  #newTable(owner: object): KernelTable<E> {
    const table = new KernelTable<E>();
    this.#tables.set(owner, table);
    tables.set(table, new WeakRef(owner));
    unreachable.register(owner, table);
    return table;
  }
}

/** Releases every kernel, so that the next call of each asks the cache again. */
export function forgetAll(): void {
  for (const table of tables.keys()) table.clear();
  forgetLoaded();
}

function drop(table: Table): void {
  table.clear();
  tables.delete(table);
}

function dropUnreachable(): void {
  if (++loads % loadsPerLook !== 0) return;
  collectGarbage();
  for (const [table, owner] of tables) if (owner.deref() === undefined) drop(table);
}
