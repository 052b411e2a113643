// Memory for tests: each block is filled with a pattern before it is handed out, lies between two guards, and is never
// handed out twice. So elements that nobody wrote are seen, and writes beside a block are found.
import type { Device } from "../../../dist/runtime/device/device.js";
import { type MemoryPool, replacePool } from "../../../dist/runtime/device/memory.js";
import { Block, PooledStorage } from "../../../dist/runtime/device/pooled-storage.js";
import { emptyGarbage } from "../garbage.js";

const guardBytes = 64;
const guardByte = 0xc5;
const guard = new Uint8Array(guardBytes).fill(guardByte);

interface Guarded {
  readonly block: WeakRef<Block>;
  readonly start: number;
  readonly bytes: number;
}

/** Hands out a device's memory, poisoned and guarded. */
export class GuardedMemory implements MemoryPool {
  /** The byte that fills fresh memory: results that depend on it read what nobody wrote. */
  poison = 0xa5;
  liveBytes = 0;
  readonly #blocks = new Map<number, Guarded>();
  #next = 0;
  #allocations = 0;

  /** Replaces the memory of a device. */
  constructor(readonly device: Device) {
    replacePool(device, this);
  }

  /** How many blocks are not freed. */
  get blocks(): number {
    return this.#blocks.size;
  }

  allocate(bytes: number): PooledStorage {
    this.#allocations++;
    const size = guardBytes + bytes + guardBytes;
    const start = this.device.allocator.allocate(size);
    const filled = new Uint8Array(size).fill(this.poison);
    filled.set(guard);
    filled.set(guard, guardBytes + bytes);
    this.device.write(start, filled);
    const slot = this.#next++;
    const block = new Block(this, slot, start + guardBytes);
    this.#blocks.set(slot, { block: new WeakRef(block), start, bytes });
    this.liveBytes += bytes;
    return new PooledStorage(this.device, block.pointer, bytes, block);
  }

  left({ slot }: Block): void {
    this.#release(slot);
  }

  /** Throws if something wrote beside a block. */
  check(): void {
    for (const guarded of this.#blocks.values()) this.#inspect(guarded);
  }

  collect(): void {
    emptyGarbage();
    for (const [slot, { block }] of this.#blocks) if (block.deref() === undefined) this.#release(slot);
  }

  empty(): void {}

  stats(): ReturnType<MemoryPool["stats"]> {
    const { free, total } = this.device.memory();
    const none = { cachedBytes: 0, reused: 0, minorCollections: 0, collections: 0, reclaimed: 0 };
    return {
      ...none,
      owners: "WeakRefs",
      heldBytes: this.liveBytes,
      limitBytes: total,
      device: this.device.name,
      liveBytes: this.liveBytes,
      liveBlocks: this.#blocks.size,
      peakBytes: this.liveBytes,
      allocations: this.#allocations,
      deviceAllocations: this.#allocations,
      freeBytes: free,
      totalBytes: total,
    };
  }

  #release(slot: number): void {
    const guarded = this.#blocks.get(slot);
    if (guarded === undefined) return;
    this.#blocks.delete(slot);
    this.liveBytes -= guarded.bytes;
    this.#inspect(guarded);
    this.device.allocator.free(guarded.start);
  }

  #inspect({ start, bytes }: Guarded): void {
    for (const at of [start, start + guardBytes + bytes]) {
      const found = new Uint8Array(guardBytes);
      this.device.read(at, found);
      const wrong = found.findIndex((byte) => byte !== guardByte);
      if (wrong < 0) continue;
      const where = at - start - guardBytes + wrong;
      throw new Error(`Byte ${where} of a block of ${bytes} bytes was written: it is ${found[wrong]}.`);
    }
  }
}
