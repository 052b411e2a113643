// Memory for intermediate results that only the plan's kernels need: one allocation, in which a value reuses the bytes of
// those that no later kernel reads.

import type { Device } from "../../device/device.js";
import { allocate } from "../../device/memory.js";
import type { PooledStorage } from "../../device/pooled-storage.js";
import type { Value } from "../graph/ir.js";
import type { Launch, Scratch, ScratchPart } from "./launches.js";

const alignment = 256;

/** The memory of a plan's values that are not `kept`; undefined if there are none. `valueFor` returns one by its number. */
export function scratchOf(
  launches: readonly Launch[],
  kept: ReadonlySet<number>,
  valueFor: (ref: number) => Pick<Value, "device" | "bytes">,
): Scratch | undefined {
  const lastReads = new Map<number, number>();
  launches.forEach(({ operands }, at) => {
    for (const one of operands) if ("ref" in one) lastReads.set(one.ref, at);
  });
  const parts = new Map<number, ScratchPart>();
  let live: (ScratchPart & { readonly last: number })[] = [];
  let [bytes, device]: [number, Device | undefined] = [0, undefined];
  launches.forEach((launch, at) => {
    live = live.filter(({ last }) => last >= at);
    for (const { ref } of launch.outputs) {
      const value = valueFor(ref);
      device ??= value.device;
      if (kept.has(ref) || value.device !== device) continue;
      const size = Math.ceil(Math.max(value.bytes, 1) / alignment) * alignment;
      const part = { offset: gapFor(size, live), bytes: size };
      parts.set(ref, part);
      live.push({ ...part, last: lastReads.get(ref) ?? at });
      bytes = Math.max(bytes, part.offset + size);
    }
  });
  return device && parts.size > 0 ? { device, bytes, parts } : undefined;
}

/** The first offset with this many free bytes. */
function gapFor(size: number, live: readonly ScratchPart[]): number {
  let offset = 0;
  for (const one of [...live].sort((a, b) => a.offset - b.offset)) {
    if (one.offset - offset >= size) break;
    offset = Math.max(offset, one.offset + one.bytes);
  }
  return offset;
}

/** Allocates the memory and returns each value's part. */
export function allocateScratch(scratch: Scratch): Map<number, PooledStorage> {
  const whole = allocate(scratch.device, scratch.bytes);
  const shares = sharesOf(whole, scratch);
  whole.dispose();
  return shares;
}

/** Each value's part of the allocation. */
export function sharesOf(whole: PooledStorage, { parts }: Scratch): Map<number, PooledStorage> {
  const shares = new Map<number, PooledStorage>();
  for (const [ref, part] of parts) shares.set(ref, whole.share(part.offset, part.bytes));
  return shares;
}
