// Memory of every device: pools of blocks by size. A Storage owns a block, or a share of a chunk if it is small. The pool
// references owners by WeakRef and frees unreachable blocks. Nothing runs in the background: a pool searches for unreachable
// blocks when it has no free block of a size, unless it recently did so, and when a device is out of memory.
import { DeviceError, JitlabError } from "../base/errors.js";
import { atInterruption } from "../base/interruption.js";
import { bytesText } from "../base/units.js";
import type { Device } from "./device.js";
import { collectGarbage, releaseTargets } from "./garbage.js";
import { Block, type BlockOwner, noAddress, PooledStorage, type Watcher } from "./pooled-storage.js";
import { classOf, sizeOf } from "./size-class.js";

/** The memory of one device, as in `jl.memory.stats()`. Bytes count whole blocks. */
export interface MemoryStats {
  readonly device: string;
  /** Owned blocks: reachable, or not yet found unreachable. */
  readonly liveBytes: number;
  readonly liveBlocks: number;
  /** The peak of owned bytes. */
  readonly peakBytes: number;
  /** Free blocks kept for later allocations. */
  readonly cachedBytes: number;
  readonly allocations: number;
  /** Allocations served from the pools. */
  readonly reused: number;
  /** Requests to the device. */
  readonly deviceAllocations: number;
  /** The number of searches for unreachable blocks, and of blocks found. */
  readonly collections: number;
  readonly reclaimed: number;
  /** The device's totals. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

// Searching for dead owners costs a full garbage collection. It pays off when a pool is empty after this many allocated
// bytes, and the time since the last one is this many times its duration; and always at this share of a device's memory.
const leastBytes = 2 ** 25;
const leastBlocks = 2 ** 13;
const patience = 10;
const shareOfDevice = 1 / 4;
// Free blocks beyond this share of the device are returned to it.
const cachedShare = 1 / 2;
/** Owners of up to so many bytes share a block, because a WeakRef costs half a microsecond. */
export const smallBytes = 1024;
const chunkBytes = 2 ** 16;
const alignment = 64;
// WeakRefs get slower when one job keeps many.
const refsPerJob = 512;

// The most bytes of one copy of zeros.
const clearedBytes = 2 ** 24;

let refsInJob = 0;

function noteRef(): void {
  if (++refsInJob < refsPerJob) return;
  refsInJob = 0;
  releaseTargets();
}

/** Allocates a device's memory. */
export interface MemoryPool {
  /** Bytes of owned blocks: reachable, or not yet found unreachable. */
  readonly liveBytes: number;
  allocate(bytes: number): PooledStorage;
  /** Finds the unreachable blocks and frees them. */
  collect(): void;
  /** Returns the free blocks to the device. */
  empty(): void;
  stats(): MemoryStats;
}

/** The blocks of one device. */
class Pool implements MemoryPool, BlockOwner {
  readonly #free: number[][] = [];
  // One slot per owned block, in parallel arrays: the block, its address, its size class.
  readonly #blocks: (WeakRef<Block> | undefined)[] = [];
  readonly #pointers: number[] = [];
  readonly #classes: number[] = [];
  readonly #freeSlots: number[] = [];
  readonly #total: number;
  // The chunk of small owners, and the offset of the next share.
  #chunk: Block | undefined;
  #chunkNext = 0;
  // Bytes allocated since the last collection, when that ended and its duration.
  #newBytes = 0;
  #newBlocks = 0;
  #collectedAt = 0;
  #collectMs = 0;
  #liveBytes = 0;
  #peakBytes = 0;
  #cachedBytes = 0;
  #allocations = 0;
  #fresh = 0;
  #collections = 0;
  #reclaimed = 0;

  constructor(readonly device: Device) {
    this.#total = device.memory().total;
  }

  allocate(bytes: number): PooledStorage {
    this.#allocations++;
    if (bytes > smallBytes) {
      const block = this.#own(bytes);
      return new PooledStorage(this.device, block.pointer, bytes, block);
    }
    const chunk = this.#chunk && this.#chunkNext + smallBytes <= chunkBytes ? this.#chunk : this.#nextChunk();
    const pointer = chunk.pointer + this.#chunkNext;
    this.#chunkNext += Math.ceil(Math.max(bytes, 1) / alignment) * alignment;
    return new PooledStorage(this.device, pointer, bytes, chunk);
  }

  /** Called when the last share of a block is disposed of. */
  left(block: Block): void {
    if (block === this.#chunk) this.#chunkNext = 0;
    else this.#release(block.slot);
  }

  /** Finds the unreachable blocks and frees them. */
  collect(): void {
    const start = performance.now();
    collectGarbage();
    this.#collections++;
    for (let slot = 0; slot < this.#blocks.length; slot++) {
      const block = this.#blocks[slot];
      if (block === undefined) continue;
      if (block.deref() === undefined) {
        this.#release(slot);
        this.#reclaimed++;
      } else noteRef();
    }
    releaseTargets();
    this.#newBytes = 0;
    this.#newBlocks = 0;
    this.#collectedAt = performance.now();
    this.#collectMs = this.#collectedAt - start;
  }

  /** Returns the free blocks to the device. */
  empty(): void {
    for (let sizeClass = 0; sizeClass < this.#free.length; sizeClass++) {
      // Each is taken out before it is freed: after an interrupt in between it must not be used again.
      for (let pointer = this.#take(sizeClass); pointer !== undefined; pointer = this.#take(sizeClass)) {
        this.device.allocator.free(pointer);
      }
    }
  }

  get liveBytes(): number {
    return this.#liveBytes;
  }

  stats(): MemoryStats {
    const { free, total } = this.device.memory();
    return {
      device: this.device.name,
      liveBytes: this.#liveBytes,
      liveBlocks: this.#blocks.length - this.#freeSlots.length,
      peakBytes: this.#peakBytes,
      cachedBytes: this.#cachedBytes,
      allocations: this.#allocations,
      reused: this.#allocations - this.#fresh,
      deviceAllocations: this.#fresh,
      collections: this.#collections,
      reclaimed: this.#reclaimed,
      freeBytes: free,
      totalBytes: total,
    };
  }

  /** A block of at least `bytes` bytes, tracked. */
  #own(bytes: number): Block {
    const sizeClass = classOf(bytes);
    const size = sizeOf(sizeClass);
    const pointer = this.#take(sizeClass) ?? this.#obtain(sizeClass, size, bytes);
    const slot = this.#freeSlots.pop() ?? this.#blocks.length;
    const block = new Block(this, slot, pointer);
    this.#blocks[slot] = new WeakRef(block);
    this.#pointers[slot] = pointer;
    this.#classes[slot] = sizeClass;
    this.#newBlocks++;
    this.#newBytes += size;
    this.#liveBytes += size;
    if (this.#liveBytes > this.#peakBytes) this.#peakBytes = this.#liveBytes;
    noteRef();
    return block;
  }

  #nextChunk(): Block {
    const full = this.#chunk;
    this.#chunk = undefined;
    if (full?.shares === 0) this.#release(full.slot);
    this.#chunk = this.#own(chunkBytes);
    this.#chunkNext = 0;
    return this.#chunk;
  }

  #release(slot: number): void {
    const sizeClass = this.#classes[slot] ?? 0;
    const pointer = this.#pointers[slot] ?? 0;
    const size = sizeOf(sizeClass);
    this.#blocks[slot] = undefined;
    this.#freeSlots.push(slot);
    this.#liveBytes -= size;
    if (this.#cachedBytes + size > this.#total * cachedShare) {
      this.device.allocator.free(pointer);
      return;
    }
    this.#cachedBytes += size;
    const list = this.#free[sizeClass];
    if (list) list.push(pointer);
    else this.#free[sizeClass] = [pointer];
  }

  #take(sizeClass: number): number | undefined {
    const pointer = this.#free[sizeClass]?.pop();
    if (pointer !== undefined) this.#cachedBytes -= sizeOf(sizeClass);
    return pointer;
  }

  #obtain(sizeClass: number, size: number, bytes: number): number {
    if (this.#worthCollecting()) {
      this.collect();
      const pointer = this.#take(sizeClass);
      if (pointer !== undefined) return pointer;
    }
    this.#fresh++;
    const fresh = this.#ask(size);
    if (fresh !== undefined) return fresh;
    this.empty();
    const afterEmptying = this.#ask(size);
    if (afterEmptying !== undefined) return afterEmptying;
    this.collect();
    const reclaimed = this.#take(sizeClass);
    if (reclaimed !== undefined) return reclaimed;
    this.empty();
    return this.#ask(size) ?? this.#fail(bytes);
  }

  #worthCollecting(): boolean {
    if (this.#newBytes > this.#total * shareOfDevice) return true;
    if (this.#newBytes < leastBytes && this.#newBlocks < leastBlocks) return false;
    return performance.now() - this.#collectedAt > patience * this.#collectMs;
  }

  #ask(size: number): number | undefined {
    try {
      return this.device.allocator.allocate(size);
    } catch (error) {
      if (error instanceof JitlabError && error.code === "out-of-memory") return undefined;
      throw error;
    }
  }

  #fail(bytes: number): never {
    const { liveBytes, liveBlocks, freeBytes, totalBytes } = this.stats();
    throw new DeviceError(
      "out-of-memory",
      `The device ${this.device.name} has no memory for ${bytesText(bytes)}: ${bytesText(liveBytes)} are in use in ${liveBlocks} blocks, ` +
        `${bytesText(freeBytes)} of ${bytesText(totalBytes)} are free.`,
      "Dispose of unneeded tensors (or drop their variables), or use smaller ones.",
    );
  }
}

const pools: (MemoryPool | undefined)[] = [];

let clears = false;
atInterruption(() => {
  clears = false;
});

/** Calls a function; memory that is allocated meanwhile is zero, so that equal calls find equal bytes everywhere. */
export function withClearedMemory<T>(run: () => T): T {
  clears = true;
  try {
    return run();
  } finally {
    clears = false;
  }
}

/**
 * Memory on a device, uninitialized and at least 64-byte aligned. It may collect garbage: a caller with only the address of
 * another Storage must keep that Storage reachable until its work is queued.
 */
export function allocate(device: Device, bytes: number): PooledStorage {
  if (!Number.isSafeInteger(bytes) || bytes < 0) {
    throw new JitlabError(
      "bad-size",
      `Memory of ${bytes} bytes cannot be allocated.`,
      "Sizes are integers from 0 to 2^53-1.",
    );
  }
  const made = (pools[device.id] ?? poolOf(device)).allocate(bytes);
  if (clears) clear(device, made.pointer, bytes);
  return made;
}

function clear(device: Device, pointer: number, bytes: number): void {
  const zeros = new Uint8Array(Math.min(bytes, clearedBytes));
  for (let at = 0; at < bytes; at += zeros.length)
    device.write(pointer + at, zeros.subarray(0, Math.min(zeros.length, bytes - at)));
}

/** A watched storage without memory: `compute` runs when its address is needed, and sets its memory with `take`. */
export function pendingStorage(
  device: Device,
  bytes: number,
  compute: (storage: PooledStorage) => void,
  watcher?: Watcher,
): PooledStorage {
  const storage = new PooledStorage(device, noAddress, bytes, undefined);
  storage.defer(compute, watcher);
  return storage;
}

/** Frees the memory of unreachable tensors, and free blocks kept for later. */
export function freeUnused(device: Device): void {
  const pool = pools[device.id];
  pool?.collect();
  pool?.empty();
}

/** Bytes of owned blocks on all devices: reachable, or not yet found unreachable. */
export function liveBytes(): number {
  let bytes = 0;
  for (const pool of pools) if (pool) bytes += pool.liveBytes;
  return bytes;
}

/** The memory of all used devices, or of one. */
export function memoryStats(device?: Device): MemoryStats[] {
  const known = device ? [poolOf(device)] : pools;
  return known.flatMap((pool) => (pool ? [pool.stats()] : []));
}

/** Finds unreachable memory now and returns all free blocks to the devices. */
export function releaseMemory(): void {
  for (const pool of pools) {
    pool?.collect();
    pool?.empty();
  }
}

function poolOf(device: Device): MemoryPool {
  const pool = pools[device.id] ?? new Pool(device);
  pools[device.id] = pool;
  return pool;
}

/** Lets `pool` hand out a device's memory from now on: one that checks it, in tests. */
export function replacePool(device: Device, pool: MemoryPool): void {
  pools[device.id] = pool;
}
