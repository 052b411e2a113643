// Copies between the host and a device: the only caller of a device's `read` and `write`, so that recordings include them.
// Without a watcher, a copy only checks one variable.
import { atInterruption } from "../base/interruption.js";
import type { Device } from "./device.js";

/** One copy between host and device inside `jl.record`. */
export interface Copy {
  readonly device: string;
  readonly direction: "to device" | "to host";
  readonly bytes: number;
  /** Milliseconds since the recording started. */
  readonly startMs: number;
  /** Host milliseconds; a copy to the host waits for earlier queued work. */
  readonly copyMs: number;
}

type Watcher = (copy: Copy) => void;

const watchers = new Set<Watcher>();
atInterruption(() => watchers.clear());

/** Calls `watcher` for every copy until the returned function is called; `startMs` is of the process's clock. */
export function watchCopies(watcher: Watcher): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

let uploads = 0;

/** The number of copies to a device so far. */
export function uploadsSoFar(): number {
  return uploads;
}

/** Copies host bytes to a device. */
export function copyToDevice(device: Device, pointer: number, bytes: Uint8Array): void {
  uploads++;
  if (watchers.size === 0) device.write(pointer, bytes);
  else watched("to device", device, bytes.length, () => device.write(pointer, bytes));
}

let reads = 0;

/** The number of copies to the host so far. */
export function readsSoFar(): number {
  return reads;
}

/** Copies a device's bytes to the host, after all queued work. */
export function copyToHost(device: Device, pointer: number, bytes: Uint8Array): void {
  reads++;
  if (watchers.size === 0) device.read(pointer, bytes);
  else watched("to host", device, bytes.length, () => device.read(pointer, bytes));
}

function watched(direction: Copy["direction"], device: Device, bytes: number, run: () => void): void {
  const startMs = performance.now();
  run();
  const copy = { device: device.name, direction, bytes, startMs, copyMs: performance.now() - startMs };
  for (const watcher of watchers) watcher(copy);
}
