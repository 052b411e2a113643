// Memory for intermediate results that only the plan's kernels need: one allocation on each device, in which a value reuses the
// bytes of those that no later kernel reads.

import type { Device } from "../../device/device.js";
import { allocate } from "../../device/memory.js";
import type { PooledStorage } from "../../device/pooled-storage.js";
import type { Value } from "../operations/ir.js";
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
  const blocks: Block[] = [];
  // The launches after which bytes are free again.
  const ends = new Set<number>();
  launches.forEach((launch, at) => {
    if (ends.has(at - 1))
      for (const block of blocks) block.live = block.live.filter(({ last }) => last >= at);
    for (const { ref } of launch.outputs) {
      if (kept.has(ref)) continue;
      const { device, bytes } = valueFor(ref);
      const size = aligned(bytes);
      let number = blocks.findIndex((block) => block.device === device);
      if (number < 0) number = blocks.push({ device, bytes: 0, live: [] }) - 1;
      const block = blocks[number] as Block;
      const [offset, place] = gapFor(size, block.live);
      const part = { block: number, offset, bytes: size };
      parts.set(ref, part);
      const last = lastReads.get(ref) ?? at;
      block.live.splice(place, 0, { ...part, last });
      ends.add(last);
      block.bytes = Math.max(block.bytes, part.offset + size);
    }
  });
  return parts.size > 0
    ? { blocks: blocks.map(({ device, bytes }) => ({ device, bytes })), parts }
    : undefined;
}

/** Memory of one call for some values, which are all in it. */
export interface Cell {
  readonly refs: readonly number[];
  readonly device: Device;
  readonly bytes: number;
}

/** Scratch memory with further cells behind it. */
export function withCells(scratch: Scratch | undefined, cells: readonly Cell[]): Scratch | undefined {
  if (cells.length === 0) return scratch;
  const blocks = (scratch?.blocks ?? []).map((block) => ({ ...block }));
  const parts = new Map(scratch?.parts);
  for (const { refs, device, bytes } of cells) {
    let number = blocks.findIndex((block) => block.device === device);
    if (number < 0) number = blocks.push({ device, bytes: 0 }) - 1;
    const block = blocks[number] as (typeof blocks)[number];
    const part = { block: number, offset: block.bytes, bytes: aligned(bytes) };
    for (const ref of refs) parts.set(ref, part);
    block.bytes += part.bytes;
  }
  return { blocks, parts };
}

/** An allocation, and what of it is in use. */
interface Block {
  readonly device: Device;
  bytes: number;
  /** Ordered by their offsets. */
  live: (ScratchPart & { readonly last: number })[];
}

function aligned(bytes: number): number {
  return Math.ceil(Math.max(bytes, 1) / alignment) * alignment;
}

/** The first offset with this many free bytes, and the place of what begins behind it. */
function gapFor(size: number, live: readonly ScratchPart[]): readonly [offset: number, place: number] {
  let offset = 0;
  for (let place = 0; place < live.length; place++) {
    const one = live[place] as ScratchPart;
    if (one.offset - offset >= size) return [offset, place];
    offset = Math.max(offset, one.offset + one.bytes);
  }
  return [offset, live.length];
}

/** Allocates the memory and returns each value's part. */
export function allocateScratch(scratch: Scratch): Map<number, PooledStorage> {
  const blocks = scratch.blocks.map(({ device, bytes }) => allocate(device, bytes));
  const shares = sharesOf(blocks, scratch);
  for (const block of blocks) block.dispose();
  return shares;
}

/** Each value's part of the allocations. */
export function sharesOf(blocks: readonly PooledStorage[], { parts }: Scratch): Map<number, PooledStorage> {
  const shares = new Map<number, PooledStorage>();
  for (const [ref, { block, offset, bytes }] of parts)
    shares.set(ref, (blocks[block] as PooledStorage).share(offset, bytes));
  return shares;
}
