// Deferred operations. A value is the elements of a storage between two writes: it is in memory, or a node computes it. A
// write gives the storage a new value, so operations deferred before it still read the old elements. Nodes are operations on
// values; a slot is their part that is equal in every call.

import type { Device } from "../../device/device.js";
import { donatedError } from "../../device/donated.js";
import { allocate } from "../../device/memory.js";
import { PooledStorage } from "../../device/pooled-storage.js";
import type { Change, Storage, Watcher } from "../../device/storage.js";
import type { Parameter } from "../../functor/functor.js";
import { sameNumbers } from "../../geometry/layout.js";
import type { IndexCheck } from "../../launch/index-check.js";
import type { Scalar } from "../../ops/op.js";
import type { MapSlot, OpaqueSlot, ReduceSlot, ScanSlot, Slot } from "./slot.js";
import type { Window } from "./window.js";

/** The elements of a storage between two writes. */
export class Value implements Watcher {
  /** The node that computes it; undefined once it is in memory, and for uninitialized memory. */
  node: Node | undefined;
  /** The memory of the elements. */
  holder: Storage | undefined;
  /** The storage that shows this value, and takes its memory. */
  home: Storage | undefined;
  /**
   * The memory of a launch that must not run twice, because it overwrites what it reads. Set before the launch, so that an
   * interrupt between the launch and {@link settle} does not repeat it.
   */
  written: PooledStorage | undefined;
  /** The number of pending nodes that read it. */
  readers = 0;
  /** The value that it replaces in a plan, with the same elements in another order. */
  replaces: Value | undefined;
  /** The function that it was donated to, once a result has its memory. */
  takenBy: string | undefined;
  /** The tape that numbers it, and its number there. */
  tape: object | undefined;
  ref = 0;

  constructor(
    readonly device: Device,
    readonly bytes: number,
    /** The layout of the elements, for results of a node that fill their storage. */
    readonly shape: readonly number[] | undefined,
    readonly strides: readonly number[] | undefined,
  ) {}

  /** True where it needs a kernel. */
  get deferred(): boolean {
    // After an interrupt the value may be settled although its node is still set.
    if (this.written !== undefined && this.holder === undefined) this.settle(this.written);
    return this.holder === undefined && this.node !== undefined;
  }

  get isRead(): boolean {
    return this.readers > 0;
  }

  /** The memory; uninitialized if nothing was ever written. */
  memory(): PooledStorage {
    if (this.holder === undefined) {
      if (this.node !== undefined) throw new Error(`${this.node.slot.name} is read before it is computed.`);
      if (this.takenBy !== undefined) throw donatedError("An argument that a result needs", this.takenBy);
      this.settle(allocate(this.device, this.bytes));
    }
    return this.holder as unknown as PooledStorage;
  }

  /** Sets the memory of the value's elements. */
  settle(memory: PooledStorage): void {
    const { home } = this;
    if (home !== undefined && !home.disposed && home.watcher === this) {
      // It is not pending if an interrupt ended this function after the memory was set.
      if (home.pending && home instanceof PooledStorage) home.take(memory);
      this.holder = home;
    } else {
      this.holder = memory;
    }
    this.node = undefined;
    this.written = undefined;
  }

  /**
   * Detaches the value from its storage before that changes. Nodes that still read the value keep its memory, or get a copy.
   */
  changing(storage: Storage, change: Change): void {
    const isInMemory = !this.deferred && this.holder === storage;
    const kept = isInMemory && this.readers > 0 ? storage.earlier(change, allocate) : undefined;
    storage.watcher = undefined;
    this.home = undefined;
    if (isInMemory) this.holder = kept;
  }

  /** True for a window that shows every element in the order in which the node computes them. */
  isWhole({ offset, shape, strides }: Window): boolean {
    if (this.shape === undefined || this.strides === undefined || offset !== 0) return false;
    return sameNumbers(shape, this.shape) && sameNumbers(strides, this.strides);
  }
}

/** The value that a storage shows. */
export function valueIn(storage: Storage): Value {
  const { watcher } = storage;
  if (watcher instanceof Value) return watcher;
  const value = new Value(storage.device, storage.bytes, undefined, undefined);
  value.holder = storage;
  value.home = storage;
  storage.watcher = value;
  return value;
}

/** The values of pending storages, each once; those in `written` are different ones. */
export function pendingIn(written: Iterable<PooledStorage>, wanted: readonly Storage[]): Value[] {
  const values: Value[] = [];
  for (const storage of written) if (storage.pending) values.push(valueIn(storage));
  if (wanted.length === 0) return values;
  for (const storage of wanted) {
    if (storage.pending) values.push(valueIn(storage));
  }
  return values.length > 1 ? [...new Set(values)] : values;
}

/** Gives a storage another value, which `compute` computes. */
export function show(storage: PooledStorage, value: Value, compute: (storage: PooledStorage) => void): void {
  const before = valueIn(storage);
  const isInMemory = !before.deferred && before.holder === storage;
  const memory = storage.defer(compute, value);
  // Without a call from here on: an interrupt does not end it half done.
  if (isInMemory) before.holder = memory;
  before.home = undefined;
  value.home = storage;
}

interface Common {
  readonly slot: Slot;
  /** Nodes are numbered in deferral order, across all tapes. */
  readonly id: number;
  /** Its number on its tape. */
  readonly number: number;
  /** The values of its operands; undefined for scalars. */
  readonly values: readonly (Value | undefined)[];
  /** The values of its results. */
  readonly made: readonly Value[];
  /** The values that its results partly replace. */
  readonly bases: readonly (Value | undefined)[];
  /** Values that a kernel of it comes behind, though it may not read them; undefined for none. */
  readonly behind: readonly Value[] | undefined;
}

/** A functor over elements. */
export interface MapNode extends Common {
  readonly slot: MapSlot;
  /** The call's arguments; its scalars are read when the node is computed. */
  readonly operands: readonly unknown[];
  /** The values of captured parameters, in the order of the functor's list. */
  readonly parameters: readonly Scalar[];
  /** The test of its indexes; undefined for a map that reads its own elements only. */
  readonly check: IndexCheck | undefined;
}

/** A reduction of one operand. */
export interface ReduceNode extends Common {
  readonly slot: ReduceSlot;
}

/** A scan of one operand. */
export interface ScanNode extends Common {
  readonly slot: ScanSlot;
}

/** An operation without parts. */
export interface OpaqueNode extends Common {
  readonly slot: OpaqueSlot;
  /** The values of its operation's parameters. */
  readonly parameters: readonly Scalar[];
  /** The test of the indexes of a write; undefined for others. */
  readonly check?: IndexCheck | undefined;
  /** For one that may refuse elements: undoes what its caller did, if it does; undefined once it has run. */
  undo?: (() => void) | undefined;
}

/** One deferred operation. */
export type Node = MapNode | ReduceNode | ScanNode | OpaqueNode;

/** True for a node over elements. */
export function isMap(node: Node): node is MapNode {
  return node.slot.kind === "map";
}

/** True for a scan. */
export function isScan(node: Node): node is ScanNode {
  return node.slot.kind === "scan";
}

/** True for an operation without parts. */
export function isOpaque(node: Node): node is OpaqueNode {
  return node.slot.kind === "opaque";
}

/** True for a reduction. */
export function isReduction(node: Node): node is ReduceNode {
  return node.slot.kind === "reduce";
}

/** The parameters of a node's operation. */
export function parametersIn({ slot }: Node): readonly Parameter[] {
  if (slot.kind === "map") return slot.functor.parameters;
  return (slot.kind === "opaque" && slot.operation.parameters) || [];
}

/** The values of these parameters in its call. */
export function valuesIn(node: Node): readonly Scalar[] {
  return isMap(node) || isOpaque(node) ? node.parameters : [];
}

/** Calls `visit` with every value that a node needs: its operands, and the values that it partly replaces. */
export function eachSource({ values, bases }: Node, visit: (value: Value) => void): void {
  for (let i = 0; i < values.length; i++) if (values[i]) visit(values[i] as Value);
  for (let i = 0; i < bases.length; i++) if (bases[i]) visit(bases[i] as Value);
}

/** The pending nodes that values need, in deferral order; with a tape only those of its numbered values. */
export function pendingNodes(values: readonly Value[], tape: object | undefined): Node[] {
  const found = new Set<Node>();
  const rest = [...values];
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    const { node } = value;
    if (!value.deferred || node === undefined || found.has(node)) continue;
    if (tape !== undefined && value.ref < 0) continue;
    found.add(node);
    eachSource(node, (source) => rest.push(source));
  }
  return [...found].sort((a, b) => a.id - b.id);
}

/** The node that makes each value. */
export type Makers = ReadonlyMap<Value, Node>;

/** The makers of the values of nodes. */
export function makersOf(nodes: readonly Node[]): Makers {
  return new Map(nodes.flatMap((node) => node.made.map((value) => [value, node] as const)));
}

/** The dtype and geometry of an operand of a node; undefined for a scalar. */
export function windowOf(node: Node, operand: number): Window | undefined {
  return node.values[operand] && node.slot.operands[operand]?.window;
}
