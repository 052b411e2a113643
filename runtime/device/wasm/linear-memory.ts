// The one memory of the wasm device: every kernel's module imports it, it holds every tensor, and it grows up to
// WebAssembly's limit of four gigabytes. From its beginning: the main thread's stack, the constants of the kernel that runs,
// argument blocks and tensors.
import { DeviceError } from "../../base/errors.js";

/** The unit in which memory grows. */
export const pageBytes = 2 ** 16;
/** Four gigabytes. */
export const maxPages = 2 ** 16;
/** The stack of one thread. */
export const stackBytes = 2 ** 20;
/** The start of the tensors, after the stack and the constants of the running kernel. */
export const heapStart = 2 ** 23;

const alignment = 64;
const checkedFrom = 2 ** 26;
const totalBytes = maxPages * pageBytes - heapStart;

interface Gap {
  readonly start: number;
  readonly bytes: number;
}

/** The memory, and its shares by address. */
export class LinearMemory {
  readonly memory: WebAssembly.Memory;
  /** Free shares, by address; neighbors are merged. */
  readonly #gaps: Gap[] = [];
  readonly #sizes = new Map<number, number>();
  /** Memory from this address on was never allocated. */
  #end = heapStart;
  #used = 0;
  #bytes: Uint8Array;

  constructor() {
    try {
      this.memory = new WebAssembly.Memory({
        initial: heapStart / pageBytes,
        maximum: maxPages,
        shared: true,
      });
    } catch (error) {
      throw new DeviceError(
        "no-memory",
        `The engine cannot reserve address space for the device wasm: ${error instanceof Error ? error.message : String(error)}.`,
        "`ulimit -v` may limit it.",
      );
    }
    this.#bytes = new Uint8Array(this.memory.buffer);
  }

  /** All of it. */
  get bytes(): Uint8Array {
    if (this.#bytes.byteLength < this.#end) this.#bytes = new Uint8Array(this.memory.buffer);
    return this.#bytes;
  }

  /** Allocated bytes, and the maximum. */
  get sizes(): { readonly used: number; readonly total: number } {
    return { used: this.#used, total: totalBytes };
  }

  /** A share of at least `bytes` bytes, aligned to a cache line; throws DeviceError `out-of-memory`. */
  allocate(bytes: number): number {
    const size = Math.ceil(Math.max(bytes, 1) / alignment) * alignment;
    const fits = this.#gaps.findIndex((gap) => gap.bytes >= size);
    const start = fits < 0 ? this.#extend(size) : this.#take(fits, size);
    if (start === undefined) {
      throw new DeviceError(
        "out-of-memory",
        `The device wasm has no ${bytes} contiguous bytes of memory left: ${totalBytes - this.#used} of WebAssembly's ${totalBytes} are free, and the system has ${process.availableMemory()}.`,
        "Dispose of unneeded tensors, use smaller ones, or another device.",
      );
    }
    this.#sizes.set(start, size);
    this.#used += size;
    return start;
  }

  /** Frees a share. */
  free(start: number): void {
    const bytes = this.#sizes.get(start);
    if (bytes === undefined) return;
    this.#sizes.delete(start);
    this.#used -= bytes;
    const gaps = this.#gaps;
    let at = gaps.findIndex((gap) => gap.start > start);
    if (at < 0) at = gaps.length;
    const before = gaps[at - 1];
    const after = gaps[at];
    const joinsBefore = before !== undefined && before.start + before.bytes === start;
    const joinsAfter = after !== undefined && start + bytes === after.start;
    const first = joinsBefore ? before.start : start;
    const end = joinsAfter ? after.start + after.bytes : start + bytes;
    gaps.splice(joinsBefore ? at - 1 : at, Number(joinsBefore) + Number(joinsAfter), {
      start: first,
      bytes: end - first,
    });
  }

  #take(at: number, size: number): number {
    const { start, bytes } = this.#gaps[at] as Gap;
    if (bytes === size) this.#gaps.splice(at, 1);
    else this.#gaps[at] = { start: start + size, bytes: bytes - size };
    return start;
  }

  /** A share after all others, including the last gap; undefined at the end of the memory. */
  #extend(size: number): number | undefined {
    const last = this.#gaps.at(-1);
    const start = last !== undefined && last.start + last.bytes === this.#end ? last.start : this.#end;
    const end = start + size;
    const pages = Math.ceil(end / pageBytes) - this.memory.buffer.byteLength / pageBytes;
    const growth = pages * pageBytes;
    // The system overcommits memory and then kills processes, so large requests are checked against the available memory.
    if (growth >= checkedFrom && growth > process.availableMemory()) return undefined;
    try {
      if (pages > 0) this.memory.grow(pages);
    } catch {
      return undefined;
    }
    if (start < this.#end) this.#gaps.pop();
    this.#end = end;
    return start;
  }
}
