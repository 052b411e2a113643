// Owners of a device's memory: a block of the pool, or a share of one. The memory may be pending, and it can be exchanged.
import { DeviceError } from "../base/errors.js";
import type { Device } from "./device.js";
import type { Change, HostView, Storage, Watcher } from "./storage.js";

/** Receives released blocks. */
export interface BlockOwner {
  /** Called when the last share of a block is disposed of. */
  left(block: Block): void;
}

/** Keeps owners reachable through views of their memory. */
const viewed = new WeakMap<ArrayBuffer, Storage>();

/** An owned block of device memory. It is freed when no Storage reaches it. */
export class Block {
  /** The number of storages that are not disposed of. */
  shares = 0;
  /** Dies with the block, which the pool then learns. */
  token: object | undefined;

  constructor(
    readonly owner: BlockOwner,
    readonly slot: number,
    readonly pointer: number,
  ) {}
}

/** The address of a pending storage. */
export const noAddress = -1;

/** The owner of device memory. Its memory can be exchanged: later readers of the old memory keep a {@link share} of it. */
export class PooledStorage implements Storage {
  #block: Block | undefined;
  #pointer: number;
  #compute: ((storage: PooledStorage) => void) | undefined;
  #view: HostView | undefined;
  #disposed = false;
  #kept = 0;
  watcher: Watcher | undefined;
  /** True for a flag that kernels set: deferred operations need no earlier one, they set this one too. */
  isFlag = false;
  donatedTo: string | undefined;

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

  /** The work that computes the memory; undefined if it is not pending. */
  get computation(): ((storage: PooledStorage) => void) | undefined {
    return this.#compute;
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

  get isRead(): boolean {
    return this.watcher?.isRead ?? false;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.watcher?.changing(this, "dispose");
    this.#disposed = true;
    this.#compute = undefined;
    if (!this.#view) this.#leave();
  }

  writing(): void {
    if (!this.isFlag) this.watcher?.changing(this, "write");
  }

  earlier(change: Change, allocate: (device: Device, bytes: number) => Storage): Storage {
    if (change === "replace" || change === "dispose") return this.share();
    const copy = allocate(this.device, this.bytes);
    this.device.copy(copy.pointer, this.pointer, this.bytes);
    return copy;
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
    // Another thread with the bytes could not keep this owner alive.
    process.getBuiltinModule("node:worker_threads").markAsUntransferable(buffer);
    viewed.set(buffer, this);
    this.#view = { buffer, offset: 0 };
    return this.#view;
  }

  /**
   * A second owner of the memory, or of a part, which keeps it when this one is disposed of, pending again or gets other
   * memory.
   */
  share(offset = 0, bytes = this.bytes): PooledStorage {
    return new PooledStorage(this.device, this.pointer + offset, bytes, this.#block);
  }

  /**
   * Makes the storage pending, with a new watcher: `compute` runs when the address is needed, and calls {@link take}. Returns
   * the new owner of its memory; undefined if it was pending.
   */
  defer(compute: (storage: PooledStorage) => void, watcher?: Watcher): PooledStorage | undefined {
    const block = this.#block;
    const memory = block && new PooledStorage(this.device, this.#pointer, this.bytes, block);
    // Without a call from here on: an interrupt does not end it half done.
    this.watcher = watcher;
    this.#compute = compute;
    this.#pointer = noAddress;
    this.#block = undefined;
    if (block) block.shares--;
    return memory;
  }

  /** Takes over the memory of another storage, which is then disposed of; its own memory is released. */
  take(other: PooledStorage): void {
    const { pointer } = other;
    const block = other.#block as Block;
    const own = this.#block;
    block.shares++;
    if (this.#disposed) {
      leave(block);
    } else {
      // Set before any call, so that after an interrupt the memory is here.
      this.#block = block;
      this.#pointer = pointer;
      this.#compute = undefined;
      if (own) leave(own);
    }
    other.dispose();
  }

  /** Takes other memory, with new elements; deferred operations keep that of the earlier ones. */
  replace(other: PooledStorage): void {
    this.watcher?.changing(this, "replace");
    this.take(other);
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

/** The owner of memory outside the pool, which its device keeps to its end. */
export function lastingStorage(device: Device, pointer: number, bytes: number): PooledStorage {
  return new PooledStorage(device, pointer, bytes, new Block({ left: () => {} }, 0, pointer));
}

function leave(block: Block): void {
  if (--block.shares === 0) block.owner.left(block);
}
