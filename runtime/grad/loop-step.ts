// The step of a loop that is differentiated: what it keeps is stored for each step, and what it reads from outside is found while it is
// recorded.
import type { Storage } from "../device/storage.js";
import type { View } from "../geometry/view.js";
import { type Value, valueIn } from "../program/operations/ir.js";
import { sameWindow, type Window, windowOn } from "../program/operations/window.js";
import { Tensor } from "../tensor/tensor.js";
import type { Adjoint } from "./adjoint.js";
import { Kept } from "./kept.js";
import type { Active, Recording } from "./rule.js";

/** A tensor from outside whose derivative is asked for, in the step and around the loop. */
export interface Closed {
  readonly own: Active;
  readonly around: Active;
}

/** A tensor of a step: the reverse of each step sees the one that its own step stored. */
class StepKept extends Kept {
  constructor(
    readonly value: Value,
    window: Window,
    readonly step: LoopStep,
    readonly number: number,
  ) {
    super(value, window);
  }

  /** The tensor of the step that is recorded. */
  recorded(): Tensor {
    return super.tensor();
  }

  override tensor(): Tensor {
    const { storage, offset } = this.step.shown[this.number] as Tensor;
    const { dtype, offset: start, shape, strides } = this.window;
    return new Tensor(storage, offset + start * dtype.bytes, shape, strides, dtype);
  }
}

/** What a recorder of one step asks. */
export class LoopStep {
  /** What a step stored, in the order of {@link stored}. */
  shown: readonly Tensor[] = [];
  /** What the step reads from outside. */
  readonly outside: View[] = [];
  readonly #own = new WeakSet<Storage>();
  readonly #kept: StepKept[] = [];
  readonly #numbers = new Map<Value, number>();
  readonly #closed = new Map<Value, { readonly around: Active[]; own?: Adjoint }>();

  constructor(readonly around: Recording) {}

  /** Notes what the step gets or makes. */
  owns(made: readonly Pick<View, "storage">[]): void {
    for (const { storage } of made) this.#own.add(storage as Storage);
  }

  /** Keeps a tensor as it is now. */
  keep(view: View): Kept {
    const storage = view.storage as Storage;
    if (!this.#own.has(storage)) return this.around.keep(view);
    const value = valueIn(storage);
    const number = this.#numbers.get(value) ?? this.#numbers.size;
    const kept = new StepKept(value, windowOn(view), this, number);
    if (number === this.#numbers.size) this.#kept.push(kept);
    this.#numbers.set(value, number);
    return kept;
  }

  /** True for a tensor from outside whose derivative is asked for. */
  closes(view: View): boolean {
    const storage = view.storage as Storage;
    if (this.#own.has(storage)) return false;
    this.outside.push(view);
    const around = this.around.active(view);
    if (around === undefined) return false;
    const value = valueIn(storage);
    const known = this.#closed.get(value);
    if (known) known.around.push(around);
    else this.#closed.set(value, { around: [around] });
    return true;
  }

  /** Sets where the step adds the cotangents of such a tensor. */
  closesAs(view: View, own: Adjoint): void {
    const known = this.#closed.get(valueIn(view.storage as Storage));
    if (known) known.own = own;
  }

  /** The tensors from outside: the part that the step reads, or all elements where it reads several parts. */
  closed(): Closed[] {
    return [...this.#closed.values()].map(({ around, own }) => {
      const [first] = around as [Active];
      const adjoint = own as Adjoint;
      const isOne = first.window.isContiguous && around.every((one) => sameWindow(one.window, first.window));
      const window = isOne ? first.window : adjoint.whole;
      return { own: { window, adjoint }, around: { window, adjoint: first.adjoint } };
    });
  }

  /** What each step stores, after the step. */
  stored(): Tensor[] {
    return this.#kept.map((kept) => {
      const x = kept.recorded();
      const { storage, dtype } = x;
      const isWhole = x.offset === 0 && x.isContiguous && x.size * dtype.bytes === storage.bytes;
      return isWhole ? x : new Tensor(storage, 0, [storage.bytes / dtype.bytes], [1], dtype);
    });
  }

  /** Equal for steps that keep tensors in the same layouts, in the same order. */
  get layouts(): string {
    const layout = ({ value, window }: StepKept) => {
      const { dtype, offset, shape, strides } = window;
      return `${dtype.name} ${offset} ${shape} ${strides} of ${value.bytes}`;
    };
    return this.#kept.map(layout).join(";");
  }
}
