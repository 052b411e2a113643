// Owners of tensors' memory. A storage may be pending: it has no memory yet, and a function computes it when its address is
// read. memory.ts makes the owners of device memory; this file also has the owner of JavaScript memory: an ArrayBuffer that
// a tensor shares.
import { JitlabError } from "../base/errors.js";
import type { Device } from "./device.js";

/** Memory visible to the host: `offset` bytes into a buffer. */
export interface HostView {
  readonly buffer: ArrayBufferLike;
  readonly offset: number;
}

/**
 * An upcoming change of a storage: its elements are written, it gets other memory, its memory is released, or its address is
 * exposed.
 */
export type Change = "write" | "replace" | "dispose" | "pin";

/** A listener that is called before a storage's elements or memory change. */
export interface Watcher {
  /** True while deferred operations read the elements. */
  readonly isRead: boolean;
  changing(storage: Storage, change: Change): void;
}

/** The owner of device memory. When it is unreachable or disposed of, the memory is freed. */
export interface Storage {
  readonly device: Device;
  readonly bytes: number;
  /** The address of the memory; computes pending memory first. */
  readonly pointer: number;
  /** True until the memory is computed. */
  readonly pending: boolean;
  /** True if the memory may belong to another owner: after dispose(), or after a buffer was transferred. */
  readonly disposed: boolean;
  /** True if the host may read and write the memory at any time: operations on it are never deferred. */
  readonly shared: boolean;
  /** True if the host or a graph has the address. Such memory cannot be exchanged. */
  readonly pinned: boolean;
  /** True while deferred operations read the elements. */
  readonly isRead: boolean;
  /** The name of the function that it was donated to; undefined for most. */
  donatedTo: string | undefined;
  /** The listener of changes; at most one. */
  watcher: Watcher | undefined;
  /** The owner of the elements that it has now, for those who read them after a change. */
  earlier(change: Change, allocate: (device: Device, bytes: number) => Storage): Storage;
  /** Throws where the host cannot read the elements, as those of a lane; `what` reads them. */
  readonly refuseRead?: ((what: string) => void) | undefined;
  /** Called before the memory is written, so that deferred operations read the earlier elements. */
  writing(): void;
  /** Frees the memory now, or with the last {@link hostView} of it. */
  dispose(): void;
  /** Prevents reuse of the memory, even after dispose(), until the returned function is called once. */
  keep(): () => void;
  /** The memory as a buffer, which prevents its reuse; undefined if the host cannot access it. */
  hostView(): HostView | undefined;
}

/** Memory of a JavaScript buffer, which this owner keeps alive. */
export class AdoptedStorage implements Storage {
  #buffer: ArrayBufferLike | undefined;
  readonly #offset: number;
  readonly bytes: number;
  readonly pending = false;
  readonly shared = true;
  readonly pinned = true;
  readonly isRead = false;
  donatedTo: string | undefined;
  watcher: Watcher | undefined;

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
    // A transferred buffer, or a WebAssembly memory that grew, has lost its bytes.
    return this.#buffer === undefined || this.#buffer.byteLength < this.#offset + this.bytes;
  }

  /** Operations on host memory are not deferred; after a write it has another value. */
  writing(): void {
    this.watcher = undefined;
  }

  earlier(): never {
    throw new Error("What reads memory of a typed array later has a copy.");
  }

  /** Releases the buffer without changing it. */
  dispose(): void {
    this.#buffer = undefined;
  }

  keep(): () => void {
    // A graph replays addresses without checking the buffer, whose memory may be released by then.
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
