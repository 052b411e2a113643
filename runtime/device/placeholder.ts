// Storage without memory, for launches that are only shown or compiled.
import type { Device } from "./device.js";
import type { Storage } from "./storage.js";

/** An address for memory that is not allocated, aligned like all memory. */
export const someAddress = 4096;

/** The owner of no memory; nothing may read or write it. */
export class Placeholder implements Storage {
  readonly pointer = someAddress;
  readonly pending = false;
  readonly disposed = false;
  readonly shared = false;
  readonly pinned = false;
  readonly isRead = false;
  donatedTo: string | undefined;
  watcher: undefined;

  constructor(
    readonly device: Device,
    readonly bytes: number,
  ) {}

  /** Without memory there is nothing to free, to keep or to show. */
  writing(): void {}
  dispose(): void {}
  earlier(): Placeholder {
    return this;
  }
  keep(): () => void {
    return () => {};
  }
  hostView(): undefined {}
}
