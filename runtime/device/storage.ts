// Owners of device memory as a tensor sees them. A storage may be pending: it has no memory yet, and a function computes it
// when somebody asks for the address. memory.ts makes the owners of a device's memory; this file also has the owner of
// memory that belongs to JavaScript: an ArrayBuffer that a tensor shares.
import { JitlabError } from "../base/errors.js";
import type { Device } from "./device.js";

/** Memory as the host sees it: `offset` bytes into a buffer. */
export interface HostView {
  readonly buffer: ArrayBufferLike;
  readonly offset: number;
}

/** The owner of device memory. When it is unreachable, or disposed of, the memory is free again. */
export interface Storage {
  readonly device: Device;
  readonly bytes: number;
  /** The address of the memory; computes it first where it is pending. */
  readonly pointer: number;
  /** True until the memory is computed. */
  readonly pending: boolean;
  /** True where the memory may belong to another owner by now: after dispose(), or when a buffer was transferred. */
  readonly disposed: boolean;
  /** True where the host may read and write the memory at any time: operations on it are never deferred. */
  readonly shared: boolean;
  /** True where somebody holds the address: the host or a graph. Such memory cannot be exchanged for other memory. */
  readonly pinned: boolean;
  /** Called before somebody writes the memory, so that what was deferred finds the elements that it was to read. */
  writing(): void;
  /** Frees the memory now. Memory that the host still sees through {@link hostView} is freed with the last view. */
  dispose(): void;
  /** Keeps the memory from being reused, even after dispose(), until the returned function is called, once. */
  keep(): () => void;
  /** The memory itself, which the buffer keeps from being reused; undefined where the host cannot see it. */
  hostView(): HostView | undefined;
}

/** Memory that belongs to a buffer of JavaScript's: it lives as long as the buffer, which this owner keeps. */
export class AdoptedStorage implements Storage {
  #buffer: ArrayBufferLike | undefined;
  readonly #offset: number;
  readonly bytes: number;
  readonly pending = false;
  readonly shared = true;
  readonly pinned = true;

  constructor(
    readonly device: Device,
    readonly pointer: number,
    memory: ArrayBufferView,
  ) {
    this.#buffer = memory.buffer;
    this.#offset = memory.byteOffset;
    this.bytes = memory.byteLength;
  }

  get disposed(): boolean {
    // A buffer that was transferred to another thread, or a WebAssembly memory that grew, has lost its bytes.
    return this.#buffer === undefined || this.#buffer.byteLength < this.#offset + this.bytes;
  }

  /** Nothing that reads memory of the host is deferred. */
  writing(): void {}

  /** Lets go of the buffer, which stays as it is. */
  dispose(): void {
    this.#buffer = undefined;
  }

  keep(): () => void {
    // A graph replays addresses without a look at the buffer, whose memory may be gone by then.
    throw new JitlabError(
      "shared-memory",
      "Memory of a typed array cannot be recorded in a graph: the array may lose it between two replays.",
      "Record a copy, x.clone(), and write new values into it with copy_().",
    );
  }

  hostView(): HostView | undefined {
    return this.#buffer && { buffer: this.#buffer, offset: this.#offset };
  }
}
