// Memory in which blocks that wait for each other pass accumulators on. It is zero before each launch, and kernels leave it so.
// Launches of a device run one after the other, so all of them share it.
import type { Device } from "../device/device.js";
import { retryAfterFreeing } from "../device/retry.js";

/** Memory that the launches of a device share. */
export interface ExchangeMemory {
  readonly pointer: number;
  readonly bytes: number;
}

const memories = new WeakMap<Device, ExchangeMemory>();
const least = 2 ** 20;

/** The address of this much zeroed memory on a device. It stays allocated: graphs have its address. */
export function exchangeMemory(device: Device, bytes: number): number {
  const known = memories.get(device);
  if (known && known.bytes >= bytes) return known.pointer;
  // Twice as much as before, so that all that stays allocated is at most twice what is needed.
  const size = Math.max(least, 2 ** Math.ceil(Math.log2(bytes)));
  const pointer = retryAfterFreeing(device, () => device.allocator.allocate(size));
  device.write(pointer, new Uint8Array(size));
  memories.set(device, { pointer, bytes: size });
  return pointer;
}

/** The memory in which a device's launches have met so far; undefined if none has any. */
export function openExchangeMemory(device: Device): ExchangeMemory | undefined {
  return memories.get(device);
}
