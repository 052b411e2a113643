// The tape of one step of a loop: it records the step, and computes nothing. What the step reads from outside has stand-ins, which
// show the tape's own values, so that the tape around it goes on as it was.
import { JitlabError } from "../base/errors.js";
import type { Device } from "../device/device.js";
import { pendingStorage } from "../device/memory.js";
import { PooledStorage } from "../device/pooled-storage.js";
import type { Storage } from "../device/storage.js";
import type { Operand } from "../functor/operand.js";
import { isView, type View } from "../geometry/view.js";
import type { MakeOutput } from "../launch/calls.js";
import { MapOperation, type Operation, ReduceOperation, WriteOperation } from "../launch/operation.js";
import type { Sink } from "../launch/sink.js";
import { Value, valueIn } from "../program/operations/ir.js";
import type { DeferredView } from "../program/operations/window.js";
import type { Programs } from "../program/tape/programs.js";
import { Tape } from "../program/tape/tape.js";

/** Ends the recording of a step that cannot be recorded once for all: the loop is its steps then. */
export class NoLoop extends JitlabError {
  constructor() {
    super(
      "bad-argument",
      "A tensor of a step of a loop is read while the step is recorded.",
      "Return it from the step.",
    );
  }
}

function refuse(): never {
  throw new NoLoop();
}

/** What a leaf of the step is. */
export type Source =
  | { readonly kind: "carry" | "along"; readonly index: number }
  | { readonly kind: "outside"; readonly storage: PooledStorage }
  /** Memory that the step makes and never wrote. */
  | { readonly kind: "fresh" };

/** Records one step. */
export class BodyTape extends Tape {
  readonly #sources = new Map<Value, Source>();
  /** The stand-ins. What writes into one writes what is outside, once for each step. */
  readonly #given = new Set<Storage>();
  readonly #standIns = new Map<Storage, PooledStorage>();

  constructor(
    programs: Programs,
    outer: Sink,
    readonly device: Device,
  ) {
    // Where elements are read, or a graph is recorded, operations have to run.
    super(programs, outer, refuse);
  }

  /** Memory for what a step gets. */
  standIn(bytes: number, source: Source): PooledStorage {
    const value = new Value(this.device, bytes, undefined, undefined);
    value.home = pendingStorage(this.device, bytes, refuse, value);
    this.#sources.set(value, source);
    this.#given.add(value.home);
    return value.home as PooledStorage;
  }

  override take<V extends View>(operation: Operation, make: MakeOutput<V>): readonly V[] | undefined {
    if (operation.kind === "launch" || operation.out.some((x) => !this.#isMade(x))) refuse();
    const taken = super.take(this.#within(operation), make);
    return taken || operation.kind === "loop" ? taken : refuse();
  }

  /** True for what the step made, or got. */
  isOwn(x: View): boolean {
    return this.#given.has(x.storage as Storage) || this.#isMade(x);
  }

  #isMade({ storage }: View): boolean {
    const value = storage?.watcher;
    if (!(value instanceof Value) || this.#given.has(storage as Storage)) return false;
    return value.tape === this || this.made?.has(value) === true;
  }

  /** The same elements under a stand-in. */
  #inside<O extends Operand>(x: O): O {
    if (!isView(x) || this.isOwn(x)) return x;
    const { storage, offset, shape, strides, dtype, device, size, isContiguous } = x as View as DeferredView;
    if (!(storage instanceof PooledStorage) || storage.shared || storage.disposed || device !== this.device)
      refuse();
    const own = this.#standIns.get(storage) ?? this.standIn(storage.bytes, { kind: "outside", storage });
    this.#standIns.set(storage, own);
    const inside: DeferredView = {
      get pointer() {
        return own.pointer;
      },
      storage: own,
      offset,
      shape,
      strides,
      dtype,
      device,
      size,
      isContiguous,
    };
    return inside as View as O;
  }

  #within(operation: Operation): Operation {
    switch (operation.kind) {
      case "map":
        return new MapOperation(
          operation.functor,
          operation.inputs.map((x) => this.#inside(x)),
          operation.options,
        );
      case "reduce":
        return new ReduceOperation({ ...operation.call, input: this.#inside(operation.call.input) });
      case "scan":
      case "opaque":
        return { ...operation, inputs: operation.inputs.map((x) => this.#inside(x)) };
      case "write": {
        const { definition, given, target, check } = operation;
        return new WriteOperation(
          definition,
          given.map((x) => this.#inside(x)),
          target,
          check,
        );
      }
      default: // A loop asks for its own stand-ins.
        return operation;
    }
  }

  /** The value of a result of the step; undefined for what it got, and for memory that it never wrote. */
  resultOf(x: View): Value | undefined {
    const value = this.#isMade(x) ? valueIn(x.storage as Storage) : undefined;
    return value?.node && value;
  }

  /** Lets go of the step's tensors: what it kept of them is an error where it is used. */
  close(): void {
    for (const { made } of this.nodes) for (const { home } of made) home?.dispose();
    for (const storage of this.#given) storage.dispose();
  }

  /** What the leaves are, in their order. */
  sources(): Source[] {
    return this.leaves.map((leaf) => {
      const source = this.#sources.get(leaf);
      if (source) return source;
      const { home, holder } = leaf;
      if (holder === undefined) return { kind: "fresh" };
      return home instanceof PooledStorage ? { kind: "outside", storage: home } : refuse();
    });
  }
}
