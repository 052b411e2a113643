// Owners of a device's memory: a block of the pool, or a share of one. The memory can be pending, and it can be exchanged.
import { DeviceError } from "../base/errors.js";
import type { Device } from "./device.js";
import type { HostView, Storage } from "./storage.js";

/** Takes blocks back. */
export interface BlockOwner {
  /** Called when the last share of a block was disposed of. */
  left(block: Block): void;
}

/** Keeps owners reachable through the views of their memory. */
const viewed = new WeakMap<ArrayBuffer, Storage>();

/** What is about to happen to a storage: its elements are written, its memory is let go, or its address is given away. */
export type Change = "write" | "dispose" | "pin";

/** Who must know before a storage's elements or its memory change. */
export interface Watcher {
  changing(storage: PooledStorage, change: Change): void;
}

/** A block of device memory while it is owned. When no Storage reaches it any more, it is free again. */
export class Block {
  /** Storages that were not disposed of. */
  shares = 0;

  constructor(
    readonly owner: BlockOwner,
    readonly slot: number,
    readonly pointer: number,
  ) {}
}

/** What a pending storage has for an address. */
export const noAddress = -1;

/**
 * The owner of memory that a device gave. Its memory can be exchanged: what reads the old memory later has a {@link share}
 * of it.
 */
export class PooledStorage implements Storage {
  #block: Block | undefined;
  #pointer: number;
  #compute: ((storage: PooledStorage) => void) | undefined;
  #view: HostView | undefined;
  #disposed = false;
  #kept = 0;
  /** Who is told of changes; at most one. */
  watcher: Watcher | undefined;

  /** Made by {@link allocate} and {@link pendingStorage}. */
  constructor(
    readonly device: Device,
    pointer: number,
    readonly bytes: number,
    block: Block | undefined,
  ) {
    this.#block = block;
    this.#pointer = pointer;
    if (block) block.shares++;
  }

  get pointer(): number {
    if (this.#pointer === noAddress) this.#settle();
    return this.#pointer;
  }

  get pending(): boolean {
    return this.#pointer === noAddress && !this.#disposed;
  }

  get disposed(): boolean {
    return this.#disposed;
  }

  get shared(): boolean {
    return this.#view !== undefined;
  }

  get pinned(): boolean {
    return this.#view !== undefined || this.#kept > 0;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.watcher?.changing(this, "dispose");
    this.#disposed = true;
    this.#compute = undefined;
    if (!this.#view) this.#leave();
  }

  writing(): void {
    this.watcher?.changing(this, "write");
  }

  keep(): () => void {
    if (this.pending) this.#settle();
    this.watcher?.changing(this, "pin");
    const block = this.#block as Block;
    block.shares++;
    this.#kept++;
    return () => {
      this.#kept--;
      leave(block);
    };
  }

  hostView(): HostView | undefined {
    if (this.#view || this.#disposed) return this.#view;
    const buffer = this.device.hostView(this.pointer, this.bytes);
    if (buffer === undefined) return undefined;
    this.watcher?.changing(this, "pin");
    // Another thread that had the bytes could not keep this owner.
    process.getBuiltinModule("node:worker_threads").markAsUntransferable(buffer);
    viewed.set(buffer, this);
    this.#view = { buffer, offset: 0 };
    return this.#view;
  }

  /**
   * A second owner of the memory, or of a part, which keeps it when this one is disposed of, pending again or given other
   * memory.
   */
  share(offset = 0, bytes = this.bytes): PooledStorage {
    return new PooledStorage(this.device, this.pointer + offset, bytes, this.#block);
  }

  /** Makes the storage pending: `compute` runs when the address is needed, and calls {@link take}. Its memory is let go. */
  defer(compute: (storage: PooledStorage) => void): void {
    this.#leave();
    this.#pointer = noAddress;
    this.#compute = compute;
  }

  /** Takes over the memory of another storage, which counts as disposed of from then on; its own memory is let go. */
  take(other: PooledStorage): void {
    const { pointer } = other;
    const block = other.#block as Block;
    const own = this.#block;
    block.shares++;
    if (this.#disposed) {
      leave(block);
    } else {
      // Before anything is called: an interrupt that comes then finds the memory here.
      this.#block = block;
      this.#pointer = pointer;
      this.#compute = undefined;
      if (own) leave(own);
    }
    other.dispose();
  }

  #leave(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block) leave(block);
  }

  #settle(): void {
    this.#compute?.(this);
    if (this.#pointer !== noAddress || this.#disposed) return;
    throw new DeviceError("not-computed", `A tensor of ${this.bytes} bytes was not computed.`);
  }
}

function leave(block: Block): void {
  if (--block.shares === 0) block.owner.left(block);
}
