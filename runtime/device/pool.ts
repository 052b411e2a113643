// The blocks of one device, by size. A Storage owns a block, or a share of a chunk if it is small. Blocks that nothing
// reaches are found by its owners (owners.ts) when the rule says so (collection-rule.ts), and when the device is full.
import { env } from "../base/env.js";
import { DeviceError } from "../base/errors.js";
import { bytesText } from "../base/units.js";
import { CollectionRule } from "./collection-rule.js";
import type { Device } from "./device.js";
import { memoryLimit } from "./memory-limit.js";
import { type OwnerKind, openOwners } from "./owners.js";
import { Block, type BlockOwner, noAddress, PooledStorage } from "./pooled-storage.js";
import { Segments } from "./segments.js";
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
  /** All that is held of the device: owned, kept, and the rest of segments. */
  readonly heldBytes: number;
  /** The most that may be held: JITLAB_MEMORY. */
  readonly limitBytes: number;
  readonly allocations: number;
  /** Allocations served from the pools. */
  readonly reused: number;
  /** Requests to the device. */
  readonly deviceAllocations: number;
  /** What finds unreachable blocks: minor collections of garbage by tokens, or only full ones by WeakRefs. */
  readonly owners: OwnerKind;
  /** The number of minor and of full collections, and of blocks found. */
  readonly minorCollections: number;
  readonly collections: number;
  readonly reclaimed: number;
  /** The device's totals. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Allocates a device's memory. */
export interface MemoryPool {
  /** Bytes of owned blocks: reachable, or not yet found unreachable. */
  readonly liveBytes: number;
  allocate(bytes: number, collects?: boolean): PooledStorage;
  /** Finds the unreachable blocks and frees them. */
  collect(): void;
  /** Returns the free blocks to the device. */
  empty(): void;
  stats(): MemoryStats;
}

/** Owners of up to so many bytes share a block, because a token costs a microsecond. */
export const smallBytes = 1024;
const chunkBytes = 2 ** 16;
const alignment = 64;
// Free blocks beyond this share of the device are returned to it.
const cachedShare = 1 / 2;
// Free blocks of other sizes are divided anew, before the device is asked, from this share of what is held.
const dividedShare = 1 / 4;

// What freed blocks are overwritten with in tests.
const poison = new Uint8Array(2 ** 14).fill(0xff);

/** Sees the blocks that pools hand out and get back. */
export interface BlockTrace {
  /** Whether all garbage is found and freed before each block. */
  readonly collects: boolean;
  owned(device: Device, slot: number, bytes: number): void;
  freed(device: Device, slot: number): void;
}

let trace: BlockTrace | undefined;

/** Shows blocks to a trace from now on; returns the one before. */
export function traceBlocks(next: BlockTrace | undefined): BlockTrace | undefined {
  const before = trace;
  trace = next;
  return before;
}

/** The pool of one device. */
export class Pool implements MemoryPool, BlockOwner {
  readonly #free: number[][] = [];
  readonly #owners = openOwners();
  // By number of an owned block: its address, and its size class.
  readonly #pointers: number[] = [];
  readonly #classes: number[] = [];
  readonly #limit: number;
  readonly #segments: Segments;
  readonly #rule: CollectionRule;
  // In tests: after so many allocations a minor collection runs. Freed blocks are overwritten, and small owners have their own.
  readonly #poisons = env("poison");
  // The chunk of small owners, and the offset of the next share.
  #chunk: Block | undefined;
  #chunkNext = 0;
  #liveBytes = 0;
  #liveBlocks = 0;
  #peakBytes = 0;
  #cachedBytes = 0;
  #allocations = 0;
  #fresh = 0;
  #minors = 0;
  #fulls = 0;
  #reclaimed = 0;

  constructor(readonly device: Device) {
    this.#limit = memoryLimit(device.memory().total);
    this.#segments = new Segments(device.allocator, this.#limit);
    this.#rule = new CollectionRule(this.#limit, this.#owners.kind === "tokens");
  }

  /** Memory; with `collects` false no block is freed meanwhile, not even where that makes it fail. */
  allocate(bytes: number, collects = true): PooledStorage {
    this.#allocations++;
    if (bytes > smallBytes || this.#poisons > 0 || !collects) {
      const block = this.#own(bytes, collects);
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
    else this.#dispose(block.slot);
  }

  /** Finds the unreachable blocks and frees them. */
  collect(): void {
    this.#look("full");
  }

  /** Returns the free blocks to the device. */
  empty(): void {
    this.#unstock();
    this.#segments.trim();
  }

  get liveBytes(): number {
    return this.#liveBytes;
  }

  stats(): MemoryStats {
    const { free, total } = this.device.memory();
    return {
      device: this.device.name,
      liveBytes: this.#liveBytes,
      liveBlocks: this.#liveBlocks,
      peakBytes: this.#peakBytes,
      cachedBytes: this.#cachedBytes,
      heldBytes: this.#segments.heldBytes,
      limitBytes: this.#limit,
      allocations: this.#allocations,
      reused: this.#allocations - this.#fresh,
      deviceAllocations: this.#fresh,
      owners: this.#owners.kind,
      minorCollections: this.#minors,
      collections: this.#fulls,
      reclaimed: this.#reclaimed,
      freeBytes: free,
      totalBytes: total,
    };
  }

  /** A block of at least `bytes` bytes, watched. */
  #own(bytes: number, collects = true): Block {
    const isDue = this.#rule.isMinorDue || (this.#poisons > 0 && this.#allocations % this.#poisons === 0);
    if (collects && trace?.collects) this.#look("full");
    else if (collects && isDue) {
      this.#look(this.#rule.hasMinor ? "minor" : "full");
      if (this.#rule.isFullDue(this.#liveBytes)) this.#look("full");
    }
    const sizeClass = classOf(bytes);
    const size = sizeOf(sizeClass);
    const list = this.#listOf(sizeClass);
    if (list.length === 0) this.#obtain(list, size, bytes, collects);
    const slot = this.#owners.number();
    const block = new Block(this, slot, list[list.length - 1] as number);
    this.#owners.watch(block);
    this.#rule.allocated(size);
    // Without a call that an interrupt could end from here on: the block is free, or owned.
    list.pop();
    this.#pointers[slot] = block.pointer;
    this.#classes[slot] = sizeClass;
    this.#cachedBytes -= size;
    this.#liveBlocks++;
    this.#liveBytes += size;
    if (this.#liveBytes > this.#peakBytes) this.#peakBytes = this.#liveBytes;
    trace?.owned(this.device, slot, size);
    return block;
  }

  #nextChunk(): Block {
    const full = this.#chunk;
    this.#chunk = undefined;
    if (full?.shares === 0) this.#dispose(full.slot);
    this.#chunk = this.#own(chunkBytes);
    this.#chunkNext = 0;
    return this.#chunk;
  }

  /** Collects garbage, and frees the blocks that are found. */
  #look(kind: "minor" | "full"): void {
    const start = performance.now();
    const before = this.#liveBytes;
    this.#owners.collect(kind);
    if (kind === "full") this.#fulls++;
    else this.#minors++;
    this.#freeFound();
    this.#rule.collected(kind, start, before, this.#liveBytes);
  }

  #freeFound(): void {
    for (let slot = this.#owners.found(); slot >= 0; slot = this.#owners.found()) {
      if (this.#release(slot)) this.#reclaimed++;
      this.#owners.retire(slot);
    }
    if (this.#cachedBytes > this.#limit * cachedShare) this.empty();
  }

  #dispose(slot: number): void {
    this.#release(slot);
    this.#owners.forget(slot);
    if (this.#cachedBytes > this.#limit * cachedShare) this.empty();
  }

  /** Frees an owned block; false if the number has none. */
  #release(slot: number): boolean {
    const pointer = this.#pointers[slot] ?? noAddress;
    if (pointer === noAddress) return false;
    const sizeClass = this.#classes[slot] as number;
    const size = sizeOf(sizeClass);
    const list = this.#listOf(sizeClass);
    this.#rule.freed(size);
    // Without a call that an interrupt could end.
    this.#pointers[slot] = noAddress;
    this.#liveBlocks--;
    this.#liveBytes -= size;
    this.#cachedBytes += size;
    list.push(pointer);
    trace?.freed(this.device, slot);
    if (this.#poisons > 0) this.device.write(pointer, poison.subarray(0, size));
    return true;
  }

  #listOf(sizeClass: number): number[] {
    const list = this.#free[sizeClass];
    if (list !== undefined) return list;
    const made: number[] = [];
    this.#free[sizeClass] = made;
    return made;
  }

  /** Puts a free block into the empty list of its size. */
  #obtain(list: number[], size: number, bytes: number, collects: boolean): void {
    // What a collection of V8's own has found.
    if (collects) this.#freeFound();
    if (list.length > 0) return;
    if (collects && !this.#rule.hasMinor && this.#rule.isFullDue(this.#liveBytes)) {
      this.collect();
      if (list.length > 0) return;
    }
    if (this.#stock(list, size)) return;
    this.empty();
    if (this.#stock(list, size)) return;
    if (!collects) this.#fail(bytes);
    this.collect();
    if (list.length > 0) return;
    this.empty();
    if (!this.#stock(list, size)) this.#fail(bytes);
  }

  #stock(list: number[], size: number): boolean {
    let pointer = this.#segments.take(size);
    if (
      pointer === undefined &&
      this.#cachedBytes >= Math.max(size, this.#segments.heldBytes * dividedShare)
    ) {
      this.#unstock();
      pointer = this.#segments.take(size);
    }
    if (pointer === undefined && this.#segments.grow(size)) {
      this.#fresh++;
      pointer = this.#segments.take(size);
    }
    if (pointer === undefined) return false;
    this.#cachedBytes += size;
    list.push(pointer);
    return true;
  }

  /** Returns the free blocks to their segments. */
  #unstock(): void {
    for (let sizeClass = 0; sizeClass < this.#free.length; sizeClass++) {
      const list = this.#free[sizeClass];
      if (list === undefined) continue;
      const size = sizeOf(sizeClass);
      for (let pointer = list.pop(); pointer !== undefined; pointer = list.pop()) {
        // Counted before it is freed: after an interrupt in between it must not be used again.
        this.#cachedBytes -= size;
        this.#segments.free(pointer, size);
      }
    }
  }

  #fail(bytes: number): never {
    const { liveBytes, liveBlocks, heldBytes, freeBytes, totalBytes } = this.stats();
    const others = totalBytes - freeBytes - heldBytes;
    const limit =
      this.#limit < totalBytes ? ` JITLAB_MEMORY allows this process ${bytesText(this.#limit)}.` : "";
    // The host's memory has other uses than processes.
    const rest =
      this.device.addressOf === undefined && others > bytes
        ? ` Other processes use ${bytesText(others)}.`
        : "";
    throw new DeviceError(
      "out-of-memory",
      `The device ${this.device.name} has no memory for ${bytesText(bytes)}: ${bytesText(liveBytes)} are in use in ${liveBlocks} blocks, ` +
        `${bytesText(freeBytes)} of ${bytesText(totalBytes)} are free.${limit}${rest}`,
      "Dispose of unneeded tensors (or drop their variables), or use smaller ones.",
    );
  }
}
