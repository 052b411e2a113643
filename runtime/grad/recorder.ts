// The sink that keeps what derivatives need, above the sink that computes: the device, a tape, or another recorder. It knows values,
// the elements of storages between two writes, so that views need no rules and writes in place are like any operation.
import { atInterruption } from "../base/interruption.js";
import type { Device } from "../device/device.js";
import type { Storage } from "../device/storage.js";
import type { View } from "../geometry/view.js";
import type { MakeOutput } from "../launch/calls.js";
import type { LaunchOperation, LoopOperation, Operation } from "../launch/operation.js";
import { perform } from "../launch/perform.js";
import {
  belonging,
  constantRegion,
  isDifferentiated,
  launching,
  newStorage,
  openObserver,
  openSink,
  passedTo,
  type Sink,
  sendingTo,
} from "../launch/sink.js";
import { type Value, valueIn } from "../program/operations/ir.js";
import { isTensor, type Window, windowOn } from "../program/operations/window.js";
import { emptyTensor, type Tensor } from "../tensor/tensor.js";
import { Adjoint } from "./adjoint.js";
import { Kept } from "./kept.js";
import { differentiated } from "./loop-rule.js";
import type { LoopStep } from "./loop-step.js";
import { type Active, type Pull, type Recording, refusal } from "./rule.js";
import { ruleOf } from "./rules.js";

interface Result {
  /** Undefined for results that are no floating numbers, and where nothing was written. */
  readonly adjoint: Adjoint | undefined;
  readonly window: Window;
  /** What the storage had before the operation wrote into it. */
  readonly before: Adjoint | undefined;
}

interface Entry {
  readonly results: readonly Result[];
  readonly pull: Pull;
}

const open = new Set<Recorder>();
let begun = 0;

/** How many times derivatives have been recorded in this process. */
export function recordings(): number {
  return begun;
}

atInterruption(() => {
  for (const one of open) one.release();
});

/** Records the operations of a function that is differentiated. */
export class Recorder implements Sink, Recording {
  readonly name = "recorder";
  /** Inside of other functions of constants its operations are those too. */
  readonly #region = constantRegion();
  readonly #entries: Entry[] = [];
  readonly #adjoints = new WeakMap<Value, Adjoint>();
  /** Those of storages as they were last recorded: memory that the host gets to see is another value then, with the same elements. */
  readonly #latest = new WeakMap<Storage, Adjoint>();
  #kept: Kept[] = [];

  constructor(
    readonly outer: Sink | undefined,
    /** The step of a loop that it records. */
    readonly step?: LoopStep,
  ) {
    if (step !== undefined) return;
    open.add(this);
    begun++;
  }

  /** True if what it computes may be differentiated again, or is looked at. */
  get isNested(): boolean {
    return isDifferentiated(this.outer) || openObserver(this.outer)?.isSeparate === true;
  }

  /** Differentiates by the elements that a tensor has now. */
  watch(x: Tensor): Active {
    return { window: windowOn(x), adjoint: this.#activate(x) };
  }

  #activate(view: View): Adjoint {
    const storage = view.storage as Storage;
    const value = valueIn(storage);
    let adjoint = this.#adjoints.get(value);
    if (adjoint === undefined) {
      adjoint = new Adjoint(value.device, view.dtype, value.bytes / view.dtype.bytes);
      this.#adjoints.set(value, adjoint);
    }
    this.#latest.set(storage, adjoint);
    return adjoint;
  }

  #adjointOf({ storage }: View): Adjoint | undefined {
    if (storage === undefined) return undefined;
    const found = this.#adjoints.get(valueIn(storage));
    return found ?? (storage.shared ? this.#latest.get(storage) : undefined);
  }

  /** The operand if its elements depend on what is watched. */
  active(operand: unknown): Active | undefined {
    if (constantRegion() !== this.#region || !isTensor(operand)) return undefined;
    const { kind } = operand.dtype;
    if (kind !== "float" && kind !== "complex") return undefined;
    const isClosed = this.step?.closes(operand) === true;
    const adjoint = this.#adjointOf(operand) ?? (isClosed ? this.#activate(operand) : undefined);
    if (adjoint && isClosed) this.step?.closesAs(operand, adjoint);
    return adjoint && { window: windowOn(operand), adjoint };
  }

  /** Keeps a tensor as it is now. */
  keep(view: View): Kept {
    if (this.step) return this.step.keep(view);
    const { storage } = view as Tensor;
    // The host may write into memory that it shares without a sign.
    const own = storage.shared ? this.below(() => (view as Tensor).clone()) : view;
    const kept = new Kept(valueIn(own.storage as Storage), windowOn(own));
    this.#kept.push(kept);
    return kept;
  }

  /** The results of the function as they are now. */
  ends(results: readonly Tensor[]): ReadonlyMap<Tensor, Active> {
    return new Map(
      results.flatMap((x) => {
        const end = this.active(x);
        return end ? [[x, end] as const] : [];
      }),
    );
  }

  /** Runs operations without recording them. */
  below<R>(run: () => R): R {
    return sendingTo(passedTo(this.outer), run);
  }

  /** Runs a function as one operation of these tensors, with its own pull. */
  asOne<R>(
    inputs: readonly Tensor[],
    run: () => R,
    resultsOf: (value: R) => readonly Tensor[],
    pullOf: (value: R, active: readonly (Active | undefined)[]) => Pull,
  ): R {
    const active = inputs.map((one) => this.active(one));
    const value = this.below(run);
    this.step?.owns(resultsOf(value));
    if (active.every((one) => one === undefined)) return value;
    const pull = this.below(() => belonging("customVjp", pullOf(value, active)));
    this.#record(resultsOf(value), [], pull);
    return value;
  }

  take<V extends View>(operation: Operation, make: MakeOutput<V>): readonly V[] | undefined {
    if (operation.kind === "loop") return this.#loop(operation) as readonly V[] | undefined;
    const active = operation.inputs.map((one) => this.active(one));
    if (operation.kind === "launch") return this.#launched(operation, active) as readonly V[];
    const befores = operation.out.map((view) => this.#adjointOf(view));
    const isRead = active.some((one) => one !== undefined);
    if (!isRead && !befores.some((one) => one !== undefined))
      return this.below(() => this.#perform(operation, make));
    return this.below(() => {
      const pullOf = isRead ? ruleOf(operation)(this, operation as never, active) : undefined;
      const outputs = this.#perform(operation, make);
      const pull = pullOf?.(outputs);
      this.#record(outputs, befores, pull ? belonging(operation.name, pull) : nothing);
      return outputs;
    });
  }

  #perform<V extends View>(operation: Operation, make: MakeOutput<V>): readonly V[] {
    const outputs = perform(operation, make);
    this.step?.owns(outputs);
    return outputs;
  }

  /** A loop as one operation; undefined if its steps run one by one. */
  #loop(operation: LoopOperation): readonly View[] | undefined {
    const run = (loop: LoopOperation) => {
      const results = openSink()?.take(loop, emptyTensor);
      if (results) this.step?.owns(results);
      return results;
    };
    return this.below(() => {
      const found = differentiated(this, operation, run, (step) => new Recorder(openSink(), step));
      if (found?.pull) this.#record(found.results, [], belonging(operation.name, found.pull));
      return found?.results;
    });
  }

  /** What launches write is an error where it is differentiated, if they use something that is. */
  #launched(operation: LaunchOperation, active: readonly (Active | undefined)[]): readonly View[] {
    const isUsed = [...active, ...operation.out.map((one) => this.active(one))].some(
      (one) => one !== undefined,
    );
    const written = this.below(() => launching(operation));
    this.step?.owns(written);
    if (isUsed) this.#record(written, [], refusal(operation.name));
    return written;
  }

  #record(outputs: readonly View[], befores: readonly (Adjoint | undefined)[], pull: Pull): void {
    const results = outputs.map((view, i): Result => {
      const isNumber = view.dtype.kind === "float" || view.dtype.kind === "complex";
      const adjoint = isNumber ? this.#activate(view) : undefined;
      const before = befores[i];
      const window = windowOn(view);
      // A part without elements was written: the storage has the value that it had.
      if (before !== undefined && before === adjoint)
        return { adjoint: undefined, window, before: undefined };
      return { adjoint, window, before };
    });
    if (results.some(({ adjoint }) => adjoint !== undefined)) this.#entries.push({ results, pull });
  }

  storage(device: Device, bytes: number): Storage {
    const made = this.below(() => newStorage(device, bytes));
    this.step?.owns([{ storage: made }]);
    return made;
  }

  /**
   * Adds the cotangents of all watched tensors, given those of results; not while it is open. `ends` are the results as they were
   * at the end of the function, if they may have changed since.
   */
  pull(results: readonly (readonly [Tensor, Tensor])[], ends?: ReadonlyMap<Tensor, Active>): void {
    for (const [x, g] of results) {
      const end = ends ? ends.get(x) : this.active(x);
      end?.adjoint.add(end.window, g);
    }
    try {
      for (const entry of this.#entries.toReversed()) pullBack(entry);
    } catch (error) {
      // The reverse of a step may be recorded again.
      for (const { adjoint } of this.#entries.flatMap((entry) => entry.results)) adjoint?.clear();
      throw error;
    }
  }

  /** Lets go of all that it keeps. */
  release(): void {
    open.delete(this);
    for (const kept of this.#kept) kept.release();
    this.#kept = [];
    this.#entries.length = 0;
  }
}

function pullBack({ results, pull }: Entry): void {
  const [only] = results;
  if (only !== undefined && results.length === 1) {
    pullOne(only, pull);
    return;
  }
  if (results.every(({ adjoint }) => adjoint === undefined || adjoint.isEmpty)) return;
  const cotangents = results.map(({ adjoint, window }) =>
    adjoint === undefined || adjoint.isEmpty ? undefined : adjoint.of(window),
  );
  const adjoints = new Set(results.map(({ adjoint }) => adjoint));
  for (const adjoint of adjoints) {
    if (adjoint === undefined) continue;
    let left = adjoint;
    const own = results.filter((one) => one.adjoint === adjoint);
    const before = own[0]?.before;
    if (before !== undefined) {
      for (const { window } of own) left = left.without(window);
      before.addAll(left);
    }
    adjoint.clear();
  }
  pull(cotangents);
}

/** The same of an operation with one result. */
function pullOne({ adjoint, window, before }: Result, pull: Pull): void {
  if (adjoint === undefined || adjoint.isEmpty) return;
  const cotangent = adjoint.of(window);
  if (before !== undefined) before.addAll(adjoint.without(window));
  adjoint.clear();
  pull([cotangent]);
}

const nothing: Pull = () => {};
