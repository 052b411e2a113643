// The seam between operations and the device. Maps (including creation, random numbers and writes), reductions and the
// memory of new tensors go to the open sink; without one, they run at once. A sink that defers returns ordinary tensors
// whose storage is pending.

import type { DType, DTypeName } from "../base/dtype.js";
import type { JitlabError } from "../base/errors.js";
import { atInterruption } from "../base/interruption.js";
import type { RowBody, RowGeometry } from "../codegen/row-spec.js";
import type { KernelSpec } from "../codegen/spec.js";
import type { Walk } from "../codegen/walk-kernel.js";
import type { Device, Mark } from "../device/device.js";
import { allocate } from "../device/memory.js";
import type { Storage } from "../device/storage.js";
import type { Functor } from "../functor/functor.js";
import type { Operand } from "../functor/operand.js";
import type { Reduction, ReductionPlan } from "../functor/reduction.js";
import type { LoopNest } from "../geometry/loop-nest.js";
import type { View } from "../geometry/view.js";
import type { Scalar } from "../ops/op.js";
import type { KernelRequest } from "./obtain.js";

/** Makes an output, in `storage` or in fresh memory; the tensor layer supplies it, so that this layer only uses views. */
export type MakeOutput<V extends View> = (
  shape: readonly number[],
  strides: readonly number[],
  dtype: DType,
  device: Device,
  storage?: Storage,
) => V;

/** State shared by repeated launches with the same geometry and dtypes; made by {@link newSite}. */
export interface LaunchSite {
  nest: LoopNest | undefined;
  /** The width of the accesses of the latest launch, 0 before the first one, and the key of its kernel. */
  vector: number;
  key: number | string;
}

/** The state before the first launch. */
export function newSite(): LaunchSite {
  return { nest: undefined, vector: 0, key: "" };
}

/** Where the kernels of a device mark an index out of bounds. */
export interface IndexFlag {
  /** True if a launch before a mark, or before now, marked an index; it is then no longer marked. */
  isMarked(mark?: Mark): boolean;
}

/**
 * The test of the indexes of a map that reads elements at places that it computes. Its kernel marks an index out of bounds;
 * the host looks after the launch.
 */
export interface IndexCheck {
  /** Set once the indexes were tested. */
  isDone: boolean;
  /** Where kernels of its device mark an index. */
  readonly flag: IndexFlag;
  /** Queues a test of the indexes where nobody then has to wait for a read of so many elements; the mark behind it. */
  queue(elements: number): Mark | undefined;
  /** The error for indexes of which one was marked; undefined if all of these are inside. */
  error(): JitlabError | undefined;
  /** Tests the indexes without reading by them; throws the error. */
  test(): void;
  /** The error when no index is found any more, because the tensor has changed. */
  unknown(): JitlabError;
}

/** Options of a map. */
export interface CallOptions {
  /** Outputs given by the caller, one per result. */
  readonly out?: readonly View[] | undefined;
  /** True if the outputs share no memory with inputs, except element by element. */
  readonly isDisjoint?: boolean | undefined;
  /** Values of captured parameters by name. */
  readonly parameters?: Readonly<Record<string, Scalar>> | undefined;
  /** The same values in the order of the functor's list. */
  readonly scalars?: readonly Scalar[] | undefined;
  /** The test of the indexes of a functor with addressed inputs. */
  readonly check?: IndexCheck | undefined;
  /** Passed by callers that repeat a call; it is valid for one functor, dtypes, shapes, strides and device. */
  readonly site?: LaunchSite | undefined;
  /** The shape and device of the result; needed without tensor inputs. */
  readonly shape?: readonly number[] | undefined;
  readonly dtype?: DType | undefined;
  readonly device?: Device | undefined;
}

/** The maps before a reduction or a scan, in its kernel: the functor that computes the elements, and its operands. */
export interface Prologue {
  readonly functor: Functor;
  readonly inputs: readonly View[];
  readonly parameters: Readonly<Record<string, Scalar>>;
}

/** The maps after a reduction or a scan, in its last kernel, or what is stored of several reductions. */
export interface Epilogue {
  /** Its inputs are the results, then an element of each operand. */
  readonly functor: Functor | undefined;
  /** Of the shape of the results and contiguous, or one element. */
  readonly inputs: readonly View[];
  readonly parameters: Readonly<Record<string, Scalar>>;
  /** For each reduction: true if its results are stored. */
  readonly keeps: readonly boolean[];
  /** What is stored: the kept results, then those of the functor. */
  readonly outputs: readonly View[];
}

/** A checked reduction into a fresh contiguous tensor. */
export interface ReduceCall {
  readonly reduction: Reduction;
  readonly plan: ReductionPlan;
  /** The input: a tensor, or the geometry of the elements that the prologue computes. */
  readonly input: View;
  readonly prologue?: Prologue | undefined;
  readonly epilogue?: Epilogue | undefined;
  /** True for each reduced dimension of the input. */
  readonly gone: readonly boolean[];
  /** The result's shape: without the reduced dimensions, or with extent 1 there. */
  readonly shape: readonly number[];
  /** True if the caller named the dtype of the result. */
  readonly isDtypeGiven?: boolean | undefined;
  /** True for an extreme whose derivative at a result of NaN is NaN; else it is shared among the elements that are NaN. */
  readonly isNanSpread?: boolean | undefined;
}

/** Reductions over the same rows and the maps around them, in one kernel; see codegen/row-spec.ts. */
export interface RowCall {
  readonly body: RowBody;
  readonly geometry: RowGeometry;
  readonly outputs: readonly View[];
  readonly inputs: readonly View[];
  readonly scalars: readonly Scalar[];
}

/** An operation of whole tensors, into fresh contiguous ones; one object for equal operations. */
interface Whole {
  readonly name: string;
  /** The dtypes and shapes of its results for such inputs. */
  readonly results: (
    inputs: readonly View[],
  ) => readonly (readonly [dtype: DType, shape: readonly number[]])[];
  /** Writes the outputs; a sink of kernels receives what it would launch. */
  readonly run: (inputs: readonly View[], outputs: readonly View[]) => void;
}

/** An operation of which a program knows only what it reads and writes, such as a sort or a matrix product. */
export interface OpaqueOperation extends Whole {
  readonly kind: "opaque";
}

/**
 * How a write joins values with elements: it replaces them, the last of several values stays, or another join. "Of the source" are
 * joins of the values alone: earlier elements have no part in their results.
 */
export interface WriteJoin {
  readonly by:
    | "assign"
    | "sum"
    | "prod"
    | "amax"
    | "amin"
    | "mean"
    | `${"amax" | "amin" | "mean"} of the source`;
  /** The shape of the values that are written, which may be a part of those given. */
  readonly shapeOf: (inputs: readonly View[]) => readonly number[];
  /** The elements of a tensor at the places of the values. */
  readonly at: (from: View, indexes: readonly View[]) => View;
  /** A tensor with values added at their places; only of joins other than `assign` and `sum`. */
  readonly add?: (to: View, indexes: readonly View[], values: View) => View;
}

/**
 * An operation that joins values with the elements of a tensor at places which index tensors name; it has no fresh results.
 * `run` gets the index tensors, then the values, and writes its one output.
 */
export interface WriteOperation extends OpaqueOperation {
  /** The number of index tensors. */
  readonly indexes: number;
  /** How its values join elements, for derivatives; undefined if these are not known. */
  readonly joins?: WriteJoin | undefined;
  /** True if it tests all indexes before it writes. */
  readonly testsFirst: boolean;
}

/** A scan of a tensor in its defined order, into tensors of its shape. */
export interface ScanOperation extends Whole {
  readonly kind: "scan";
  /** The dimension along which it goes. */
  readonly dim: number;
  /**
   * Whether its kernels compute each element of such an input once, or more than once; undefined if these have to be in memory.
   */
  readonly computes: (input: Omit<View, "pointer">) => "once" | "repeatedly" | undefined;
  /** True if it goes along adjacent elements of contiguous tensors of a shape. */
  readonly isDense: (shape: readonly number[]) => boolean;
  /** Runs with the maps around it. */
  readonly scan: (call: ScanCall) => void;
}

/** An operation of whole tensors. */
export type WholeOperation = ScanOperation | OpaqueOperation;

/** A scan of a tensor, or of the elements that its prologue computes, into its outputs or those of its epilogue. */
export interface ScanCall {
  readonly input: View;
  readonly outputs: readonly View[];
  readonly prologue?: Prologue | undefined;
  readonly epilogue?: Epilogue | undefined;
}

/** One launch of a walk: over `shape`, to which the operands broadcast. */
export interface WalkCall {
  readonly walk: Walk;
  readonly shape: readonly number[];
  readonly written: readonly View[];
  readonly read: readonly View[];
  readonly numbers: readonly number[];
  readonly scalars?: readonly Scalar[];
}

/** A map into given outputs. */
export interface MapCall {
  readonly functor: Functor;
  readonly operands: readonly Operand[];
  readonly options: CallOptions & { readonly out: readonly View[] };
}

/**
 * One map over several groups of operands: the same dtypes and kinds in all groups, row-major and of one shape within each.
 */
export interface TableCall {
  readonly functor: Functor;
  readonly groups: readonly MapCall[];
  readonly site: LaunchSite;
}

/** A kernel that a launch would run. */
export interface ListedKernel {
  readonly request: KernelRequest;
  /** What its text was rendered from, if that may share a text with other kernels. */
  readonly spec?: KernelSpec | undefined;
  /** True for a library's code, which needs no compiler. */
  readonly isCompiled?: boolean;
}

/** Gives functions of the library operands in another dtype, above the sink that computes. */
export interface Casts {
  /** The name of the dtype of products. */
  readonly dtype: DTypeName;
  /** Calls a function, known by its name, on operands in its dtype; the sink beneath is open meanwhile. */
  call<A extends readonly unknown[], R>(name: string, fn: (...args: A) => R, args: A): R;
  /** Runs operations on the sink beneath. */
  beneath<R>(run: () => R): R;
  /** The same function, whose operands are cast above the sink that is open when it is called. */
  around<F extends (...args: never[]) => unknown>(fn: F): F;
}

/** The receiver of operations. */
export interface Sink {
  /**
   * What a sink keeps: operations that `outer` runs later, kernels of operations that never run, or what the derivatives of
   * operations need, which `outer` runs; or the casts of operands above a sink that keeps nothing.
   */
  readonly keeps?: "operations" | "kernels" | "derivatives" | "casts";
  /** The sink beneath one that keeps something. */
  readonly outer?: Sink | undefined;
  /** True if it takes maps with addressed inputs; without it, reads by index tensors run at once. */
  readonly takesGathers?: boolean;
  /** A functor over operands: returns fresh outputs, or writes those in `options.out` and returns them. */
  map<V extends View>(
    functor: Functor,
    operands: readonly Operand[],
    makeOutput: MakeOutput<V>,
    options: CallOptions,
  ): readonly V[];
  /** A reduction: returns a fresh output. */
  reduce<V extends View>(call: ReduceCall, makeOutput: MakeOutput<V>): V;
  /** The kernel of a launch, which is then not launched: of rows, walks, tables and libraries. Without this method it runs at once. */
  kernel?(kernel: ListedKernel): void;
  /**
   * An operation of whole tensors: returns fresh outputs; undefined if it runs at once, as without this method. An operation
   * that may refuse elements has `undo`, which then undoes what the caller and later operations have done to the library.
   */
  whole?<V extends View>(
    operation: WholeOperation,
    inputs: readonly View[],
    makeOutput: MakeOutput<V>,
    undo?: () => void,
  ): readonly V[] | undefined;
  /** A write by index tensors into a part of a tensor; false if it runs at once, as without this method. */
  write?(operation: WriteOperation, inputs: readonly View[], target: View, check: IndexCheck): boolean;
  /** The sink of operations that run at once, past this one; without it they have none. */
  readonly past?: Sink | undefined;
  /** Notes what a launch uses that no other method receives, such as a walk; gets what it has written after it. */
  launching?(name: string, used: readonly View[]): ((written: readonly View[]) => void) | undefined;
  /** Runs operations whose results do not depend on anything for differentiation; without it they just run. */
  constant?<T>(run: () => T): T;
  /** Uninitialized memory for a tensor that is written next. */
  storage(device: Device, bytes: number): Storage;
  /** A sink that casts operands. It is above all others: those that are opened later go beneath it. */
  readonly casts?: Casts;
}

let open: Sink | undefined;
atInterruption(() => {
  open = undefined;
});

/** The open sink; undefined while operations run at once. */
export function openSink(): Sink | undefined {
  return open;
}

/** Opens a sink, or sends operations to the device again; returns the previous sink. */
export function sendTo(sink: Sink | undefined): Sink | undefined {
  const before = open;
  open = sink;
  return before;
}

/** Runs operations with this sink open, or on the device without one. */
export function sendingTo<R>(sink: Sink | undefined, run: () => R): R {
  const before = sendTo(sink);
  try {
    return run();
  } finally {
    sendTo(before);
  }
}

/** Runs operations whose results count as constants where they are differentiated. */
export function constant<T>(run: () => T): T {
  return open?.constant ? open.constant(run) : run();
}

/** Uninitialized memory for a new tensor. */
export function newStorage(device: Device, bytes: number): Storage {
  return open === undefined ? allocate(device, bytes) : open.storage(device, bytes);
}

/** What casts the operands of functions now. */
export function openCasts(): Casts | undefined {
  return open?.casts;
}

/** Opens another sink for a function, beneath the one that casts operands: the function gets to cast them itself. */
export function beneathCasts<F extends (...args: never[]) => unknown, R>(fn: F, run: (fn: F) => R): R {
  const casts = open?.casts;
  return casts === undefined ? run(fn) : casts.beneath(() => run(casts.around(fn)));
}
