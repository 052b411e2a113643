// Memory of every device, by pools of blocks (pool.ts). Nothing runs in the background: a pool searches for unreachable
// blocks while it allocates.
import { JitlabError } from "../base/errors.js";
import { atInterruption } from "../base/interruption.js";
import type { Device } from "./device.js";
import { type MemoryPool, type MemoryStats, Pool } from "./pool.js";
import { noAddress, PooledStorage } from "./pooled-storage.js";
import type { Watcher } from "./storage.js";

export { type MemoryPool, type MemoryStats, smallBytes } from "./pool.js";

// The most bytes of one copy of zeros.
const clearedBytes = 2 ** 24;

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

/** Memory for a call in progress, which has the addresses of its operands alone: finds no unreachable blocks. */
export function allocateInCall(device: Device, bytes: number): PooledStorage {
  return (pools[device.id] ?? poolOf(device)).allocate(bytes, false);
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

/** Finds unreachable memory now. */
export function collectMemory(): void {
  for (const pool of pools) pool?.collect();
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
