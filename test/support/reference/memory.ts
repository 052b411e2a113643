// The memory of the reference device: a few large parts of the host's memory, each seen as one array per type of elements.

import { DeviceError } from "../../../dist/runtime/base/errors.js";
import { libc } from "../../../dist/runtime/device/cpu/libc.js";
import { Bytes } from "./runtime.js";

const slabBytes = 2 ** 28;
const unit = 64;
/** Fills freed memory, so that reads of it show. */
const freedByte = 0xdd;
const mostFilled = 2 ** 16;

interface Slab {
  readonly base: number;
  readonly bytes: number;
  readonly memory: Bytes;
  used: number;
}

/** Memory of JavaScript that tensors share. */
interface Shared {
  readonly base: number;
  readonly bytes: number;
  readonly buffer: WeakRef<ArrayBufferLike>;
}

const constructors: Readonly<Record<string, number>> = {
  ...{ u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, f32: 4, i64: 8, u64: 8, f64: 8 },
};

/** Hands out memory, and finds the array and the index of an address. */
export class Memory {
  readonly #slabs: Slab[] = [];
  readonly #free = new Map<number, number[]>();
  readonly #sizes = new Map<number, number>();
  #shared: Shared[] = [];

  allocate(bytes: number): number {
    const size = sizeOf(bytes);
    const again = this.#free.get(size)?.pop();
    const pointer = again ?? this.#fresh(size);
    this.#sizes.set(pointer, size);
    return pointer;
  }

  free(pointer: number): void {
    const size = this.#sizes.get(pointer);
    if (size === undefined) throw new Error(`The address ${pointer} is freed, but was not allocated.`);
    this.#sizes.delete(pointer);
    this.bytesAt(pointer, Math.min(size, mostFilled)).fill(freedByte);
    const list = this.#free.get(size);
    if (list) list.push(pointer);
    else this.#free.set(size, [pointer]);
  }

  #fresh(size: number): number {
    let slab = this.#slabs.at(-1);
    if (!slab || slab.used + size > slab.bytes) {
      const bytes = Math.max(slabBytes, size);
      const memory = fresh(bytes + unit);
      const address = libc().addressOf(memory, memory, 0);
      const base = Math.ceil(address / unit) * unit;
      slab = { base, bytes, memory: new Bytes(memory.buffer, base - address), used: 0 };
      this.#slabs.push(slab);
    }
    slab.used += size;
    return slab.base + slab.used - size;
  }

  /** The bytes at an address. */
  bytesAt(pointer: number, count: number): Uint8Array {
    const { array, index } = this.resolve(pointer, "u8");
    return (array as Uint8Array).subarray(index, index + count);
  }

  /** The address of memory of JavaScript. */
  addressOf(memory: ArrayBufferView): number {
    const address = libc().addressOf(memory, memory, 0);
    const base = address - memory.byteOffset;
    if (!this.#shared.some((one) => one.base === base && one.buffer.deref() === memory.buffer)) {
      this.#shared = this.#shared.filter((one) => one.buffer.deref() !== undefined && one.base !== base);
      this.#shared.push({ base, bytes: memory.buffer.byteLength, buffer: new WeakRef(memory.buffer) });
    }
    return address;
  }

  /** The array of a type in which an address is, and its index there. */
  readonly resolve = (pointer: number, view: string): { array: unknown; index: number } => {
    const step = constructors[view] ?? 1;
    const { base, memory } = this.#around(pointer);
    const index = (pointer - base) / step;
    if (!Number.isInteger(index)) throw new Error(`The address ${pointer} is not aligned to ${step} bytes.`);
    return { array: memory.view(view), index };
  };

  #around(pointer: number): { readonly base: number; readonly memory: Bytes } {
    for (const slab of this.#slabs) {
      if (pointer >= slab.base && pointer < slab.base + slab.bytes) return slab;
    }
    for (const { base, bytes, buffer } of this.#shared) {
      const memory = buffer.deref();
      if (memory && pointer >= base && pointer <= base + bytes) return { base, memory: new Bytes(memory) };
    }
    throw new Error(`A kernel got the address ${pointer}, where no memory is.`);
  }
}

/** Memory of JavaScript: koffi's view of more than 4 GiB ends the process. */
function fresh(bytes: number): Uint8Array {
  try {
    return new Uint8Array(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DeviceError(
      "out-of-memory",
      `The reference device has no ${bytes} bytes.`,
      "Use smaller tensors.",
    );
  }
}

function sizeOf(bytes: number): number {
  return bytes <= 1024 ? Math.ceil(Math.max(bytes, 1) / unit) * unit : 2 ** Math.ceil(Math.log2(bytes));
}
