// The sink that keeps what derivatives need, above the sink that computes: the device, a tape, or another recorder. It knows values,
// the elements of storages between two writes, so that views need no rules and writes in place are like any operation.
import { atInterruption } from "../base/interruption.js";
import type { Device } from "../device/device.js";
import type { PooledStorage } from "../device/pooled-storage.js";
import type { Storage } from "../device/storage.js";
import type { Functor } from "../functor/functor.js";
import type { Operand } from "../functor/operand.js";
import type { View } from "../geometry/view.js";
import { dispatch } from "../launch/dispatch.js";
import { dispatchReduction } from "../launch/reduce-launch.js";
import {
  type CallOptions,
  type IndexCheck,
  type MakeOutput,
  newStorage,
  type ReduceCall,
  type Sink,
  sendingTo,
  type WholeOperation,
  type WriteOperation,
} from "../launch/sink.js";
import { renewValue, type Value, valueIn } from "../program/graph/ir.js";
import { isTensor, type Window, windowOn } from "../program/graph/window.js";
import { passesTape } from "../program/tape/undeferred.js";
import type { Tensor } from "../tensor/tensor.js";
import { wholeResults, writeWhole } from "../tensor/whole.js";
import { Adjoint } from "./adjoint.js";
import { Kept } from "./kept.js";
import { mapPull } from "./map-rules.js";
import { PastRecorder } from "./past-recorder.js";
import { reducePull } from "./reduce-rules.js";
import { type Active, type Pull, type Recording, refusal } from "./rule.js";
import { wholePull } from "./whole-rules.js";
import { writePull } from "./write-rules.js";

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
atInterruption(() => {
  for (const one of open) one.release();
});

/** Records the operations of a function that is differentiated. */
export class Recorder implements Sink, Recording {
  readonly keeps = "derivatives";
  readonly takesGathers = true;
  readonly past: Sink = new PastRecorder(this);
  readonly #entries: Entry[] = [];
  readonly #adjoints = new WeakMap<Value, Adjoint>();
  /** Those of storages as they were last recorded: memory that the host gets to see is another value then, with the same elements. */
  readonly #latest = new WeakMap<Storage, Adjoint>();
  #kept: Kept[] = [];
  #paused = 0;

  constructor(readonly outer: Sink | undefined) {
    open.add(this);
  }

  /** True if what it computes may be differentiated again. */
  get isNested(): boolean {
    for (let sink = this.outer; sink !== undefined; sink = sink.outer)
      if (sink.keeps === "derivatives") return true;
    return false;
  }

  /** Differentiates by the elements that a tensor has now. */
  watch(x: Tensor): Active {
    return { window: windowOn(x), adjoint: this.#activate(x) };
  }

  #activate(view: View): Adjoint {
    const storage = view.storage as Storage;
    const value = valueIn(storage as PooledStorage);
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
    const found = this.#adjoints.get(valueIn(storage as PooledStorage));
    return found ?? (storage.shared ? this.#latest.get(storage) : undefined);
  }

  /** The operand if its elements depend on what is watched. */
  active(operand: unknown): Active | undefined {
    if (this.#paused > 0 || !isTensor(operand)) return undefined;
    const adjoint = this.#adjointOf(operand);
    if (adjoint === undefined) return undefined;
    const { kind } = operand.dtype;
    return kind === "float" || kind === "complex" ? { window: windowOn(operand), adjoint } : undefined;
  }

  /** Keeps a tensor as it is now. */
  keep(view: View): Kept {
    const { storage } = view as Tensor;
    // The host may write into memory that it shares without a sign.
    const own = (storage as PooledStorage).shared ? this.below(() => (view as Tensor).clone()) : view;
    const kept = new Kept(valueIn(own.storage as PooledStorage), windowOn(own));
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
    let sink = this.outer;
    if (passesTape()) while (sink?.keeps === "operations") sink = sink.outer;
    return sendingTo(sink, run);
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
    if (active.every((one) => one === undefined)) return value;
    const pull = this.below(() => pullOf(value, active));
    this.#record(resultsOf(value), [], pull);
    return value;
  }

  /** Runs an operation and records how cotangents go back; `out` are the tensors that it writes into. */
  protected recorded<R>(
    inputs: readonly (Active | undefined)[],
    out: readonly View[],
    prepare: () => (outputs: readonly View[]) => Pull,
    run: () => R,
    outputsOf: (result: R) => readonly View[],
  ): R {
    const befores = out.map((view) => this.#adjointOf(view));
    const isRead = inputs.some((one) => one !== undefined);
    if (!isRead && !befores.some((one) => one !== undefined)) return this.below(run);
    return this.below(() => {
      const pullOf = isRead ? prepare() : undefined;
      const result = run();
      const outputs = outputsOf(result);
      for (const { storage } of out) if (storage) renewValue(storage);
      this.#record(outputs, befores, pullOf?.(outputs) ?? nothing);
      return result;
    });
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

  map<V extends View>(
    functor: Functor,
    operands: readonly Operand[],
    makeOutput: MakeOutput<V>,
    options: CallOptions,
  ): readonly V[] {
    const active = operands.map((operand) => this.active(operand));
    return this.recorded(
      active,
      options.out ?? [],
      () => mapPull(this, functor, operands, active, options),
      () => dispatch(functor, operands, makeOutput, options),
      (outputs) => outputs,
    );
  }

  reduce<V extends View>(call: ReduceCall, makeOutput: MakeOutput<V>): V {
    const active = this.active(call.input);
    return this.recorded(
      [active],
      [],
      () => reducePull(this, call, active as Active),
      () => dispatchReduction(call, makeOutput),
      (output) => [output],
    );
  }

  whole<V extends View>(
    operation: WholeOperation,
    inputs: readonly View[],
    _makeOutput: MakeOutput<V>,
    undo?: () => void,
  ): readonly V[] {
    const tensors = inputs as readonly Tensor[];
    const active = inputs.map((one) => this.active(one));
    return this.recorded(
      active,
      [],
      () => wholePull(this, operation, tensors, active),
      () => wholeResults(operation, tensors, undo),
      (outputs) => outputs,
    ) as unknown as readonly V[];
  }

  write(operation: WriteOperation, inputs: readonly View[], target: View, check: IndexCheck): boolean {
    const tensors = inputs as readonly Tensor[];
    const active = [...inputs, target].map((one) => this.active(one));
    this.recorded(
      active,
      [target],
      () => writePull(this, operation, tensors, target as Tensor, active, check),
      () => writeWhole(operation, tensors, target as Tensor, check),
      () => [target],
    );
    return true;
  }

  /** Makes what an operation without a rule writes an error where it is differentiated. */
  launching(name: string, used: readonly unknown[]): ((written: readonly View[]) => void) | undefined {
    if (used.every((one) => this.active(one) === undefined)) return undefined;
    return (written) => this.#record(written, [], refusal(name));
  }

  constant<T>(run: () => T): T {
    this.#paused++;
    try {
      const { outer } = this;
      return outer?.constant ? outer.constant(run) : run();
    } finally {
      this.#paused--;
    }
  }

  storage(device: Device, bytes: number): Storage {
    return this.below(() => newStorage(device, bytes));
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
    for (const entry of this.#entries.toReversed()) pullBack(entry);
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
  const cotangents = results.map(({ adjoint, window }) => adjoint?.of(window));
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
