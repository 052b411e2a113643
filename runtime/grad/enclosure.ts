// The sink of a function that has a pull of its own: what it reads and writes besides its arguments would not be differentiated, so
// that is an error.
import { JitlabError } from "../base/errors.js";
import type { Device } from "../device/device.js";
import type { Storage } from "../device/storage.js";
import type { View } from "../geometry/view.js";
import type { MakeOutput } from "../launch/calls.js";
import type { Operation } from "../launch/operation.js";
import { launching, openSink } from "../launch/sink.js";
import { type Value, valueIn } from "../program/operations/ir.js";
import { isTensor } from "../program/operations/window.js";
import { callSite } from "../program/tape/call-site.js";
import type { Tensor } from "../tensor/tensor.js";
import { Recorder } from "./recorder.js";
import type { Active } from "./rule.js";

/** Records nothing, beneath recorders that take a function as one operation of its arguments. */
export class Enclosure extends Recorder {
  readonly #made = new WeakSet<Storage>();
  readonly #given: ReadonlySet<Value>;

  constructor(
    readonly what: string,
    readonly recorders: readonly Recorder[],
    given: readonly Tensor[],
  ) {
    super(openSink());
    this.#given = new Set(given.map(({ storage }) => valueIn(storage)));
  }

  /** True for a tensor that was made inside. */
  isOwn({ storage }: Tensor): boolean {
    return this.#made.has(storage);
  }

  override active(operand: unknown): Active | undefined {
    if (!isTensor(operand) || this.#given.has(valueIn(operand.storage as Storage))) return undefined;
    if (this.recorders.some((one) => one.active(operand) !== undefined)) {
      throw this.#refusal(
        "reads a tensor that is differentiated by and is no argument",
        "Pass it as an argument.",
      );
    }
    return undefined;
  }

  override take<V extends View>(operation: Operation, make: MakeOutput<V>): readonly V[] | undefined {
    const { kind, inputs, out } = operation;
    for (const one of inputs) this.active(one);
    if (kind === "launch") {
      for (const one of out) this.active(one);
      return this.#noted(this.below(() => launching(operation)) as readonly V[]);
    }
    if (out.some(({ storage }) => storage === undefined || !this.#made.has(storage)))
      throw this.#refusal("writes into a tensor from outside of it", "Return the new elements instead.");
    const results = super.take(operation, make);
    return results && this.#noted(results);
  }

  override storage(device: Device, bytes: number): Storage {
    const made = super.storage(device, bytes);
    this.#made.add(made);
    return made;
  }

  #noted<V extends View>(views: readonly V[]): readonly V[] {
    for (const { storage } of views) if (storage) this.#made.add(storage);
    return views;
  }

  #refusal(problem: string, help: string): JitlabError {
    const place = callSite();
    return new JitlabError(
      "no-derivative",
      `${this.what}: the function ${problem}${place === "" ? "" : `, at ${place}`}.`,
      help,
    );
  }
}
