// Argument blocks in native memory, as parts of slabs: making native memory visible to the host costs a tenth of a
// millisecond, which slabs share. Released blocks are reused by size.

import { ffi } from "./ffi.js";
import type { ArgumentBlock } from "./loaded-code.js";

const slabBytes = 2 ** 14;
// Each block starts on its own cache line, to avoid false sharing between threads of the cpu device.
const alignment = 64;

interface Slab {
  readonly address: number;
  readonly buffer: ArrayBuffer;
  used: number;
}

let slab: Slab | undefined;
const released = new Map<number, ArgumentBlock[]>();

/** The address in two words of a block. */
export function addressIn(words: Uint32Array, at: number): number {
  return (words[at] as number) + (words[at + 1] as number) * 2 ** 32;
}

/** A zeroed block of at least `bytes` bytes, 64-byte aligned. */
export function argumentBlock(bytes: number): ArgumentBlock {
  const size = Math.ceil(Math.max(bytes, 1) / alignment) * alignment;
  const again = released.get(size)?.pop();
  if (again) {
    again.bytes.fill(0);
    return again;
  }
  if (!slab || slab.used + size > slab.buffer.byteLength) slab = newSlab(Math.max(size, slabBytes));
  const { address, buffer, used } = slab;
  slab.used += size;
  const block: ArgumentBlock = {
    address: address + used,
    ...blockViews(buffer, used, size),
    release: () => {
      const list = released.get(size);
      if (list) list.push(block);
      else released.set(size, [block]);
    },
  };
  return block;
}

/** A part of a block that begins at a multiple of 8 bytes. */
export function partOfBlock(
  { address, bytes, release }: ArgumentBlock,
  from: number,
  length: number,
): ArgumentBlock {
  return { address: address + from, ...blockViews(bytes.buffer, bytes.byteOffset + from, length), release };
}

/** The views of a block at an offset of a buffer. */
export function blockViews(buffer: ArrayBufferLike, at: number, bytes: number) {
  return {
    bytes: new Uint8Array(buffer, at, bytes),
    i32: new Int32Array(buffer, at, bytes / 4),
    u32: new Uint32Array(buffer, at, bytes / 4),
    f32: new Float32Array(buffer, at, bytes / 4),
    f64: new Float64Array(buffer, at, bytes / 8),
    i64: new BigInt64Array(buffer, at, bytes / 8),
  };
}

function newSlab(bytes: number): Slab {
  const raw = Number(ffi().alloc("uint8_t", bytes + alignment));
  const address = Math.ceil(raw / alignment) * alignment;
  const buffer = ffi().view(address, bytes);
  new Uint8Array(buffer).fill(0);
  return { address, buffer, used: 0 };
}
