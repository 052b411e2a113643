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

// Typed arrays of bytes have at most 2^32 elements; those of wider elements have more bytes.
const mostBytes = 2 ** 30;

/** Copies elements to a device, in parts of a number of bytes. */
export function elementsToDevice(
  device: Device,
  pointer: number,
  elements: ArrayBufferView,
  most = mostBytes,
): void {
  inParts(elements, most, (part, at) => copyToDevice(device, pointer + at, part));
}

/** Copies elements to the host, after all queued work, in parts of a number of bytes. */
export function elementsToHost(
  device: Device,
  pointer: number,
  elements: ArrayBufferView,
  most = mostBytes,
): void {
  inParts(elements, most, (part, at) => copyToHost(device, pointer + at, part));
}

function inParts(
  { buffer, byteOffset, byteLength }: ArrayBufferView,
  most: number,
  copy: (part: Uint8Array, at: number) => void,
): void {
  for (let at = 0; at < byteLength; at += most) {
    copy(new Uint8Array(buffer, byteOffset + at, Math.min(most, byteLength - at)), at);
  }
}

/** Copies bytes from one device to another through the host, in parts of a number of bytes. */
export function copyThroughHost(
  to: { readonly device: Device; readonly pointer: number },
  from: { readonly device: Device; readonly pointer: number },
  bytes: number,
  most = mostBytes,
): void {
  const part = new Uint8Array(Math.min(bytes, most));
  for (let at = 0; at < bytes; at += most) {
    const own = part.subarray(0, bytes - at);
    copyToHost(from.device, from.pointer + at, own);
    copyToDevice(to.device, to.pointer + at, own);
  }
}

function watched(direction: Copy["direction"], device: Device, bytes: number, run: () => void): void {
  const startMs = performance.now();
  run();
  const copy = { device: device.name, direction, bytes, startMs, copyMs: performance.now() - startMs };
  for (const watcher of watchers) watcher(copy);
}
