// The memory of a tensor inside of jl.vmap: it has the shape of one lane, and its storage knows where the other lanes are. Views share
// the storage, so they need no rule.
import type { DType } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import type { Device } from "../device/device.js";
import type { Change, HostView, Storage, Watcher } from "../device/storage.js";
import { newStorage } from "../launch/sink.js";
import { Tensor } from "../tensor/tensor.js";

/** The lanes of a call, for their memory. */
export interface Batch {
  readonly count: number;
  /** False after the function has returned. */
  readonly isOpen: boolean;
  /** Runs operations on the sink beneath. */
  below<R>(run: () => R): R;
}

/** What an error of vmap says, and what to do. */
export function refusal(problem: string, help: string): JitlabError {
  return new JitlabError("bad-vmap", `vmap: ${problem}.`, help);
}

/** Lanes in the memory of another storage, `apart` bytes from each other; without `apart` the elements are one for all lanes. */
export class LaneStorage implements Storage {
  watcher: Watcher | undefined;
  donatedTo: string | undefined;
  /** The memory beneath; made when it is needed. */
  base: Storage | undefined;
  /** Bytes from the start of the memory beneath to that of the first lane. */
  start = 0;
  apart: number | undefined;
  /** The dtype of what was written last. */
  dtype: DType | undefined;
  /** True for memory that was made inside. */
  isMade = false;
  /** The dimension of the argument, if it was copied because its lanes are not one behind the other. */
  copiedFrom: number | undefined;
  #disposed = false;

  constructor(
    readonly batch: Batch,
    readonly device: Device,
    /** Bytes of a lane, from its first element to its last. */
    readonly bytes: number,
  ) {}

  /** The memory beneath. */
  memory(): Storage {
    this.base ??= this.batch.below(() => newStorage(this.device, this.bytes));
    return this.base;
  }

  get pointer(): number {
    this.refuseRead("an operation without a form for lanes");
    return this.memory().pointer + this.start;
  }

  refuseRead(what: string): void {
    if (this.apart === undefined) {
      this.base?.refuseRead?.(what);
      return;
    }
    if (!this.batch.isOpen)
      throw refusal(
        "a tensor of a lane is used after the function has returned",
        "Return it: the result has those of all lanes.",
      );
    throw refusal(
      `${what} reads the elements of a lane, but the function runs once for all lanes`,
      "Choose with where(...) instead of a condition, or return the tensor and read it after vmap; a loop over the lanes can read each.",
    );
  }

  get pending(): boolean {
    return this.apart === undefined && (this.base?.pending ?? false);
  }

  get shared(): boolean {
    return this.base?.shared ?? false;
  }

  get pinned(): boolean {
    return this.base?.pinned ?? false;
  }

  get disposed(): boolean {
    return this.#disposed || (this.base?.disposed ?? false);
  }

  get isRead(): boolean {
    return this.watcher?.isRead ?? false;
  }

  writing(): void {
    this.watcher?.changing(this, "write");
  }

  earlier(change: Change): Storage {
    const other = new LaneStorage(this.batch, this.device, this.bytes);
    Object.assign(other, { base: this.base, start: this.start, apart: this.apart, dtype: this.dtype });
    if (change === "write" || change === "pin") other.#copy();
    return other;
  }

  /** Gives each lane elements of its own. */
  divide(): void {
    if (this.apart !== undefined) return;
    this.apart = 0;
    if (this.base === undefined) {
      this.base = this.batch.below(() => newStorage(this.device, this.bytes * this.batch.count));
      this.apart = this.bytes;
    } else {
      this.#copy();
    }
  }

  /** Moves the elements to new memory, where the lanes are one behind the other. */
  #copy(): void {
    const { base, dtype, apart } = this;
    if (base === undefined || dtype === undefined) return;
    const length = this.bytes / dtype.bytes;
    const lanes = apart === undefined ? [] : [this.batch.count];
    const strides = apart === undefined ? [] : [apart / dtype.bytes];
    const all = new Tensor(base, this.start, [...lanes, length], [...strides, 1], dtype);
    this.base = this.batch.below(() => all.clone()).storage;
    this.start = 0;
    if (apart !== undefined) this.apart = this.bytes;
  }

  dispose(): void {
    if (this.disposed) return;
    const { isRead } = this;
    this.watcher?.changing(this, "dispose");
    this.#disposed = true;
    if (this.isMade && !isRead) this.base?.dispose();
  }

  keep(): () => void {
    this.refuseRead("a graph");
    return this.memory().keep();
  }

  hostView(): HostView | undefined {
    this.refuseRead("asTypedArray()");
    const view = this.memory().hostView();
    return view && { buffer: view.buffer, offset: view.offset + this.start };
  }
}
