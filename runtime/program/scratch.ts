// Memory for intermediate results that only the plan's kernels need: one allocation, in which a value reuses the bytes of
// those that no later kernel reads.

import type { Device } from "../device/device.js";
import { allocate } from "../device/memory.js";
import type { PooledStorage } from "../device/pooled-storage.js";
import type { Launch } from "./launches.js";

/** The offsets of values in the allocation, by their numbers. */
export interface Scratch {
  readonly device: Device;
  readonly bytes: number;
  readonly places: ReadonlyMap<number, Place>;
}

interface Place {
  readonly offset: number;
  readonly bytes: number;
}

const alignment = 256;

/** The memory of a plan's values that are not `kept`; undefined if there are none. `bytesOf` returns a value's size. */
export function scratchOf(
  launches: readonly Launch[],
  kept: ReadonlySet<number>,
  bytesOf: (ref: number) => number,
): Scratch | undefined {
  const lastReads = new Map<number, number>();
  launches.forEach(({ operands }, at) => {
    for (const one of operands) if ("ref" in one) lastReads.set(one.ref, at);
  });
  const places = new Map<number, Place>();
  let live: (Place & { readonly last: number })[] = [];
  let [bytes, device]: [number, Device | undefined] = [0, undefined];
  launches.forEach((launch, at) => {
    live = live.filter(({ last }) => last >= at);
    for (const { ref } of launch.outputs) {
      device ??= launch.device;
      if (kept.has(ref) || launch.device !== device) continue;
      const size = Math.ceil(Math.max(bytesOf(ref), 1) / alignment) * alignment;
      const place = { offset: gapFor(size, live), bytes: size };
      places.set(ref, place);
      live.push({ ...place, last: lastReads.get(ref) ?? at });
      bytes = Math.max(bytes, place.offset + size);
    }
  });
  return device && places.size > 0 ? { device, bytes, places } : undefined;
}

/** The first offset with this many free bytes. */
function gapFor(size: number, live: readonly Place[]): number {
  let offset = 0;
  for (const one of [...live].sort((a, b) => a.offset - b.offset)) {
    if (one.offset - offset >= size) break;
    offset = Math.max(offset, one.offset + one.bytes);
  }
  return offset;
}

/** Allocates the memory and returns each value's part. */
export function allocateScratch({ device, bytes, places }: Scratch): Map<number, PooledStorage> {
  const whole = allocate(device, bytes);
  const shares = new Map<number, PooledStorage>();
  for (const [ref, place] of places) shares.set(ref, whole.share(place.offset, place.bytes));
  whole.dispose();
  return shares;
}
