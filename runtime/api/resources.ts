// This process's resources: devices, memory and the cache.
import { whyCompiled } from "../cache/miss-reason.js";
import { type CacheExport, type CacheImport, exportCache, importCache } from "../cache/seed.js";
import { collectMemory, memoryStats, releaseMemory } from "../device/memory.js";
import {
  setDevice as chooseDevice,
  type DeviceInfo,
  defaultDevice,
  listDevices,
  getDevice as openDevice,
  openDevices,
} from "../launch/devices.js";
import { forgetAll } from "../launch/kernel-tables.js";
import {
  type CacheEntry,
  type CacheStatus,
  cacheClear,
  cacheList,
  cacheStatus,
  cacheVerify,
} from "./cache-status.js";

export type { CacheEntry, CacheExport, CacheImport, CacheStatus };

/**
 * Lists every device, and why a family has none. Does not open devices.
 *
 * @example jl.devices().map(({ kind }) => kind).includes("cpu") // true
 */
export function devices(): DeviceInfo[] {
  return listDevices();
}

/**
 * Makes a device the default for new tensors, such as `"cpu"` or `"cuda:1"`; throws DeviceError if it does not work.
 *
 * @example (jl.setDevice("cpu"), jl.getDevice()) // "cpu"
 */
export function setDevice(name: string): void {
  chooseDevice(name);
}

/**
 * The name of the default device, which is opened if needed.
 *
 * @example jl.getDevice() === jl.zeros([2]).device.name // true
 */
export function getDevice(): string {
  return defaultDevice().name;
}

/**
 * Waits for all work queued on a device, or on every open one.
 *
 * @example jl.synchronize() // undefined
 */
export function synchronize(device?: string): void {
  const waited = device === undefined ? openDevices() : [openDevice(device)];
  for (const one of waited) one.synchronize();
}

/** The kernel cache: totals, entries, clearing, verification, and seed files. */
export const cache = {
  /** Totals, and this process's compiles, fetches and saved time. */
  status: cacheStatus,
  /** Every stored kernel. */
  list: cacheList,
  /** Deletes stored kernels and unloads the loaded ones; returns how many were deleted. */
  clear(...filter: Parameters<typeof cacheClear>): ReturnType<typeof cacheClear> {
    forgetAll();
    return cacheClear(...filter);
  },
  /** Checks every stored module against its checksum and deletes damaged ones. */
  verify: cacheVerify,
  /** Why a stored kernel had to be compiled: the differences from the nearest earlier kernel, as text. */
  why: whyCompiled,
  /** Writes all stored kernels to a file, which `import` adds to another cache. */
  export: exportCache,
  /** Adds the kernels of a file that `export` wrote. */
  import: importCache,
} as const;

/** Device memory: of tensors, and in pools. */
export const memory = {
  /** Bytes in use, in pools and at their peak, per device. */
  stats: memoryStats,
  /** Finds unreachable memory now, and keeps it for later tensors; milliseconds, more with a large heap. */
  collect: collectMemory,
  /** Finds unreachable memory now, and returns all free memory to the devices. */
  release: releaseMemory,
} as const;
