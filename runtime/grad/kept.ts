// Tensors of a forward computation as they were then, for its derivatives. A kept value counts as read: later writes keep or
// copy its memory, as they do for operations that are not computed yet.
import { pendingStorage } from "../device/memory.js";
import type { Storage } from "../device/storage.js";
import { computing } from "../launch/graph.js";
import type { Value } from "../program/operations/ir.js";
import type { Window } from "../program/operations/window.js";
import { computeAll } from "../program/tape/compute.js";
import { Programs } from "../program/tape/programs.js";
import { Tensor } from "../tensor/tensor.js";

const programs = new Programs("grad", "fused", false, true, false);

/** A tensor as it was. */
export class Kept {
  #value: Value | undefined;

  constructor(
    value: Value,
    readonly window: Window,
  ) {
    this.#value = value;
    value.readers++;
  }

  /** The tensor with the elements that it had. */
  tensor(): Tensor {
    const { dtype, offset, shape, strides } = this.window;
    return new Tensor(storageOf(this.#value as Value), offset * dtype.bytes, shape, strides, dtype);
  }

  /** Lets later writes overwrite the memory. */
  release(): void {
    if (this.#value !== undefined) this.#value.readers--;
    this.#value = undefined;
  }
}

/** A storage that shows a value; the value's own storage may have other elements by now. */
function storageOf(value: Value): Storage {
  const { home, holder } = value;
  if (home && !home.disposed && home.watcher === value) return home;
  if (holder) {
    holder.watcher ??= value;
    return holder;
  }
  value.home = pendingStorage(
    value.device,
    value.bytes,
    () => computing(() => computeAll([value], programs)),
    value,
  );
  return value.home;
}
