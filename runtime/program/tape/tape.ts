// The tape: the sink that defers. It records an operation as a node and returns ordinary tensors whose storage is pending.
// Reading an address computes its nodes. A tape is open for at most one synchronous job.

import type { Device } from "../../device/device.js";
import { pendingStorage } from "../../device/memory.js";
import type { PooledStorage } from "../../device/pooled-storage.js";
import type { Storage } from "../../device/storage.js";
import type { View } from "../../geometry/view.js";
import type { MakeOutput } from "../../launch/calls.js";
import { computing, openGraph, unrecorded } from "../../launch/graph.js";
import type { KernelRequest } from "../../launch/obtain.js";
import type {
  MapOperation,
  OpaqueOperation,
  Operation,
  ReduceOperation,
  ScanOperation,
  WriteOperation,
} from "../../launch/operation.js";
import { perform } from "../../launch/perform.js";
import { isListed, openSink, type Sink, undeferred } from "../../launch/sink.js";
import type { Scalar } from "../../ops/op.js";
import { valuesBefore } from "../operations/behind.js";
import { UntestedOperations } from "../operations/index-tests.js";
import {
  type MapNode,
  type Node,
  type OpaqueNode,
  pendingIn,
  pendingNodes,
  show,
  Value,
  valueIn,
} from "../operations/ir.js";
import type { MapSlot, Slot } from "../operations/slot.js";
import { mostResults } from "../schedule/binding.js";
import { kernelsOf } from "../schedule/collect.js";
import { Donation } from "../schedule/donation.js";
import type { Plan } from "../schedule/launches.js";
import { timedRun } from "../schedule/timed-run.js";
import { callSite } from "./call-site.js";
import { computeAll, withoutForeign } from "./compute.js";
import { Creations } from "./creations.js";
import { deferrable, shownBy } from "./deferrable.js";
import { areMadeOn, type EarlierValues, earlierIn } from "./earlier-values.js";
import { ExplainedBreak, newEvaluation } from "./evaluations.js";
import { basesOf, checkedScalars, outputOf, parametersOf, valuesOf } from "./node-parts.js";
import { PartLimit } from "./part-limit.js";
import {
  type Evaluation,
  followers,
  isSameMap,
  isSameReduction,
  isSameWhole,
  isSameWrite,
  knownEvaluation,
  type OnPath,
  type Path,
} from "./path.js";
import type { Programs } from "./programs.js";
import { resolveMap, resolveReduction, resolveWhole, resolveWrite } from "./resolve.js";
import { runSeparately, verifiesAll, verify } from "./verification.js";

let lastId = 0;

/** Defers operations and computes them when their elements are read. */
export class Tape implements Sink {
  nodes: Node[] = [];
  leaves: Value[] = [];
  /** The arguments that were given away at the end. */
  donation: Donation | undefined;
  /** What is written of the storages that are not made here; undefined before the first write. */
  written: EarlierValues | undefined;
  /** The values of memory for new tensors; undefined before the first one. */
  made: Set<Value> | undefined;
  path: Path;
  #open = true;
  /** Whether a part of the path was new. */
  #missed = false;
  /** The plans that ran, and for all but the last the operation whose elements were read after it. */
  #ran: { plans: Plan[]; breaks: Slot[] } = { plans: [], breaks: [] };
  /** The object that the numbered values of this part name as their tape. */
  #part: object = this;
  #limit = new PartLimit();
  #creations = new Creations();
  readonly untested = new UntestedOperations();
  readonly #isVerified: boolean;
  readonly name = "tape";

  constructor(
    readonly programs: Programs,
    /** The sink that runs operations when the tape computes them. */
    readonly outer: Sink | undefined,
    /** Called instead of computing when elements are read: with the node and its kernels. */
    readonly explains?: (node: Node, kernels: readonly KernelRequest[]) => void,
  ) {
    this.path = programs.path;
    this.#isVerified = programs.exact && outer === undefined && (programs.verify || verifiesAll());
  }

  take<V extends View>(operation: Operation, make: MakeOutput<V>): readonly V[] | undefined {
    switch (operation.kind) {
      case "map":
        return this.#map(operation, make);
      case "reduce":
        return this.#reduce(operation, make);
      case "scan":
      case "opaque":
        return this.#whole(operation, make);
      case "write":
        return this.#write(operation) as readonly V[] | undefined;
      default: // Launches run at once.
        return operation.kind === "loop" ? operation.defer(this) : undefined;
    }
  }

  #map<V extends View>(operation: MapOperation, makeOutput: MakeOutput<V>): readonly V[] {
    this.#makeRoom();
    const { inputs, options } = operation;
    const { out } = options;
    const values = deferrable(inputs, this.#numbered);
    const before = values && shownBy(out, this.#numbered);
    // No functions here: every call would allocate the variables.
    if (values === undefined || before === undefined) return undeferred(perform<V>, operation, makeOutput);
    if (out) this.#testBefore(out);
    const repeats = this.#creations.repeated(operation, this.nodes.length);
    const slot = this.#mapSlot(operation, values, before, repeats);
    const node: MapNode = {
      slot,
      id: ++lastId,
      number: this.nodes.length,
      values,
      operands: checkedScalars(slot, inputs),
      parameters: parametersOf(slot, options.parameters),
      bases: out === undefined ? none : basesOf(slot, before),
      made: valuesOf(slot),
      behind: valuesBefore(),
      check: options.check,
    };
    if (node.check) this.untested.add(node);
    this.#add(node, slot, out);
    if (out !== undefined) return out as readonly V[];
    const outputs = new Array<V>(slot.results.length);
    for (let i = 0; i < outputs.length; i++) outputs[i] = outputOf(node, i, makeOutput);
    return outputs;
  }

  /** The slot of the next map; a new one if none of the known followers matches. */
  #mapSlot(
    { functor, inputs, options }: MapOperation,
    values: readonly (Value | undefined)[],
    before: readonly Value[],
    repeats: number | undefined,
  ): OnPath<MapSlot> {
    for (let slot = this.path.next; slot !== undefined; slot = slot.other) {
      if (isSameMap(slot, functor, inputs, values, options, before) && slot.repeats === repeats) return slot;
    }
    return this.#miss(resolveMap(functor, inputs, values, options, before, repeats, callSite()));
  }

  #reduce<V extends View>(operation: ReduceOperation, make: MakeOutput<V>): readonly V[] | undefined {
    const { call } = operation;
    return this.#fresh(
      operation,
      (slot, [value]) => isSameReduction(slot, call, value as Value),
      ([value]) => resolveReduction(call, value as Value, callSite()),
      make,
    );
  }

  #whole<V extends View>(
    operation: ScanOperation | OpaqueOperation,
    make: MakeOutput<V>,
  ): readonly V[] | undefined {
    const { definition, inputs } = operation;
    return this.#fresh(
      operation,
      (slot, values) => isSameWhole(slot, definition, inputs, values),
      (values) => resolveWhole(definition, inputs, values, callSite()),
      make,
      operation.undo,
      "scalars" in operation ? operation.scalars : undefined,
    );
  }

  #write(operation: WriteOperation): readonly View[] | undefined {
    this.#makeRoom();
    const { definition, given, target, check, out } = operation;
    const values = deferrable(given, this.#numbered) as readonly Value[] | undefined;
    const before = values && shownBy(out, this.#numbered);
    if (values === undefined || before === undefined) return undefined;
    this.#testBefore(out);
    const [earlier] = before as readonly [Value];
    const isSame = (one: OnPath) => isSameWrite(one, definition, given, values, target, earlier);
    const slot =
      followers(this.path).find(isSame) ??
      this.#miss(resolveWrite(definition, given, values, target, earlier, callSite()));
    const bases = basesOf(slot, before);
    const made = valuesOf(slot);
    const node = { slot, ...this.#next(), values, bases, made, check, parameters: none } as OpaqueNode;
    this.untested.add(node);
    this.#add(node, slot, out);
    return out;
  }

  #next() {
    return { id: ++lastId, number: this.nodes.length, behind: valuesBefore() };
  }

  /** Defers an operation of tensors into fresh ones; undefined if that cannot be deferred. */
  #fresh<V extends View>(
    { inputs }: ReduceOperation | ScanOperation | OpaqueOperation,
    isSame: (slot: OnPath, values: readonly Value[]) => boolean,
    resolve: (values: readonly Value[]) => OnPath,
    makeOutput: MakeOutput<V>,
    undo?: () => void,
    parameters: readonly Scalar[] = none,
  ): readonly V[] | undefined {
    this.#makeRoom();
    const values = deferrable(inputs, this.#numbered) as readonly Value[] | undefined;
    if (values === undefined) return undefined;
    const slot = followers(this.path).find((one) => isSame(one, values)) ?? this.#miss(resolve(values));
    const made = valuesOf(slot);
    const node = { slot, ...this.#next(), values, bases: none, made, undo, parameters } as Node;
    if (undo) this.untested.add(node as OpaqueNode);
    this.#add(node, slot, undefined);
    return made.map((_, i) => outputOf(node, i, makeOutput));
  }

  storage(device: Device, bytes: number): Storage {
    const value = new Value(device, bytes, undefined, undefined);
    value.home = pendingStorage(device, bytes, (own) => void valueIn(own).memory(), value);
    this.made ??= new Set();
    this.made.add(value);
    return value.home;
  }

  /** Computes the values of the storages in `wanted` and all writes, and closes the tape. `donated` storages are disposed of. */
  finish(wanted: readonly Storage[], donated: readonly Storage[] = none): void {
    if (donated.length > 0) {
      // Operations that no result needs cannot be tested later.
      if (!this.untested.isEmpty)
        this.#testElements(pendingNodes(this.#pendingOf(wanted, donated), this.#part));
      this.donation = new Donation(this.programs.name, donated);
    }
    this.#open = false;
    this.#run(this.#pendingOf(wanted));
    if (!this.untested.isEmpty) this.#testElements();
    if (!this.#missed && this.path.program !== undefined) this.programs.hits++;
    this.#end();
  }

  /** Reports the plans that ran. Pending tensors keep the tape alive, but not the other deferred operations. */
  #end(): void {
    const ran = this.#ran;
    const { program } = this.path;
    if (this.#missed || program === undefined) this.programs.learned(this.nodes, ran, this.path);
    else this.programs.repeated(ran, program);
    this.nodes = [];
    this.leaves = [];
  }

  /** The end of the path, if one plan computed everything. */
  get only(): Evaluation | undefined {
    const { plans, breaks } = this.#ran;
    const isWhole = this.#part === this && plans.length === 1 && breaks.length === 0;
    return isWhole ? (this.path as Evaluation) : undefined;
  }

  #makeRoom(): void {
    if (this.#limit.isReached(this.nodes.length) && this.explains === undefined) this.#compute();
  }

  /** Computes the deferred results that no operation has read; later operations form a new program. */
  #compute(): void {
    this.programs.divided(this.nodes.length, (this.nodes.at(-1) as Node).slot);
    const ends = this.nodes.flatMap(({ made }) => made.filter(({ readers, home }) => readers === 0 && home));
    this.#run([...new Set([...this.#pendingOf([]), ...ends.filter(({ deferred }) => deferred)])]);
    if (!this.untested.isEmpty) this.#testElements();
    this.#end();
    this.written = undefined;
    this.path = this.programs.path;
    this.#missed = false;
    this.#ran = { plans: [], breaks: [] };
    this.#part = {};
    this.#limit = new PartLimit();
    this.#creations = new Creations();
  }

  /** The kernels that {@link finish} would launch. */
  requests(wanted: readonly Storage[]): readonly KernelRequest[] {
    this.#open = false;
    const values = this.#pendingOf(wanted).filter(({ deferred }) => deferred);
    return values.length === 0 ? [] : kernelsOf(values, this.programs, true);
  }

  /** The values of pending storages, among the written and the wanted ones. */
  #pendingOf(wanted: readonly Storage[], donated: readonly Storage[] = none): Value[] {
    const written = this.written?.keys() ?? none;
    const kept = donated.length === 0 ? written : [...written].filter((one) => !donated.includes(one));
    return pendingIn(kept, wanted);
  }

  readonly #numbered = (value: Value): Value => {
    if (value.tape !== this.#part) {
      value.tape = this.#part;
      value.ref = -this.leaves.push(value);
    }
    return value;
  };

  #miss<S extends OnPath>(slot: S): S {
    this.#missed = true;
    this.programs.missed(this.path, slot, this.nodes.length);
    return slot;
  }

  /** Adds a node to the tape; the storages of `out`, or new ones, show its results. */
  #add(node: Node, slot: OnPath, out: readonly View[] | undefined): void {
    const { made, values, bases } = node;
    for (let i = 0; i < values.length; i++) if (values[i]) (values[i] as Value).readers++;
    for (let i = 0; i < bases.length; i++) if (bases[i]) (bases[i] as Value).readers++;
    if (this.#isVerified) runSeparately(node, this.programs.seen);
    this.nodes.push(node);
    this.path = slot;
    for (let i = 0; i < made.length; i++) {
      const value = made[i] as Value;
      value.node = node;
      value.tape = this.#part;
      value.ref = node.number * mostResults + i;
      const given = out?.[i]?.storage as PooledStorage | undefined;
      if (given === undefined) {
        value.home = pendingStorage(value.device, value.bytes, this.#evaluate, value);
        continue;
      }
      const before = valueIn(given);
      // Before the write, so that undo() knows of it after an interrupt.
      if (before.ref < 0 && !this.made?.has(before)) {
        this.written ??= new Map();
        this.written.set(given, earlierIn(given));
      }
      show(given, value, this.#evaluate);
    }
  }

  /** Before a write that others can see: what is wrong with earlier operations has to be an error first. */
  #testBefore(out: readonly View[]): void {
    if (!this.untested.isEmpty && !areMadeOn(this, this.#part, out)) this.#testElements();
  }

  /** Tests the elements of which deferred operations may refuse some, but not those of operations that run later. */
  #testElements(later: readonly Node[] = none): void {
    // A sink beneath launches nothing.
    if (this.outer !== undefined) return;
    const compute = (node: Node) => {
      this.#ran.breaks.push(node.slot);
      this.#run(node.made);
    };
    computing(() => this.untested.test(compute, later));
  }

  readonly #evaluate = (storage: PooledStorage): void => {
    const value = valueIn(storage);
    const { node } = value;
    if (this.#open && node && value.tape === this.#part) {
      this.programs.refuseBreak(node.slot);
      if (this.explains) {
        undeferred(() => unrecorded(() => this.explains?.(node, kernelsOf([value], this.programs, false))));
        throw new ExplainedBreak();
      }
      this.programs.broken(node.slot);
      this.#ran.breaks.push(node.slot);
      this.#run([value]);
    } else {
      computing(() => computeAll([value], this.programs));
    }
  };

  /** Computes values by the path's plan for them, or by a new one. */
  #run(values: readonly Value[]): void {
    if (values.length === 0) return;
    // At the end of a function nothing is open.
    if ((openSink() !== undefined && !isListed()) || openGraph()) computing(() => this.#launch(values));
    else this.#launch(values);
  }

  #launch(values: readonly Value[]): void {
    const own = withoutForeign(values, this.leaves, this.#part, this.programs);
    const evaluation =
      knownEvaluation(this.path, own, !this.#open) ?? newEvaluation(this.path, own, this, !this.#open);
    this.#ran.plans.push(evaluation.plan);
    timedRun(evaluation.plan, this);
    verify(evaluation.plan, this, this.programs.name);
    for (const value of values) if (value.holder === undefined) value.memory();
    this.path = evaluation;
  }
}

const none: readonly never[] = [];
