// The memory of launches that are repeated to measure them: it is not reused meanwhile, and what they write is restored.
import type { Device } from "../device/device.js";
import { PooledStorage } from "../device/pooled-storage.js";
import type { Operand } from "../functor/operand.js";
import { reach } from "../geometry/layout.js";
import { isView, type View } from "../geometry/view.js";

interface Span {
  readonly first: number;
  bytes: number;
}

/** The memory that launches read and write from now on, until it is released. */
export class TouchedMemory {
  readonly #shares: PooledStorage[] = [];
  readonly #spans: Span[] = [];
  #saved: number | undefined;

  constructor(readonly device: Device) {
    open = this;
  }

  /** Adds the operands of a launch. */
  add(outputs: readonly View[], inputs: readonly Operand[]): void {
    for (const { storage } of [...outputs, ...inputs.filter(isView)])
      if (storage instanceof PooledStorage) this.#shares.push(storage.share());
    for (const { pointer, shape, strides, dtype } of outputs) {
      const [low, high] = reach(shape, strides);
      if (high >= low)
        this.#spans.push({ first: pointer + low * dtype.bytes, bytes: (high + 1 - low) * dtype.bytes });
    }
  }

  /** Copies what the launches wrote. The copy is no memory of the pool, which may have given theirs away. */
  save(): void {
    open = undefined;
    const all = this.#spans.splice(0).sort((a, b) => a.first - b.first);
    for (const { first, bytes } of all) {
      const last = this.#spans.at(-1);
      // Spans that only touch may belong to two allocations, which no copy may cross.
      if (last && first < last.first + last.bytes)
        last.bytes = Math.max(last.bytes, first + bytes - last.first);
      else this.#spans.push({ first, bytes });
    }
    this.#saved = this.device.allocator.allocate(Math.max(1, this.#total()));
    this.#copy((own, saved, bytes) => this.device.copy(saved, own, bytes));
  }

  /** Writes it back, and lets go of the memory; nothing when it is called again. */
  release(): void {
    if (open === this) open = undefined;
    if (this.#saved !== undefined) {
      this.#copy((own, saved, bytes) => this.device.copy(own, saved, bytes));
      this.device.synchronize();
      this.device.allocator.free(this.#saved);
      this.#saved = undefined;
    }
    for (const share of this.#shares.splice(0)) share.dispose();
  }

  #total(): number {
    return this.#spans.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #copy(one: (own: number, saved: number, bytes: number) => void): void {
    let saved = this.#saved as number;
    for (const { first, bytes } of this.#spans) {
      one(first, saved, bytes);
      saved += bytes;
    }
  }
}

let open: TouchedMemory | undefined;

/** Notes a launch of the program that is measured, if one is. */
export function noteTouched(outputs: readonly View[], inputs: readonly Operand[]): void {
  open?.add(outputs, inputs);
}
