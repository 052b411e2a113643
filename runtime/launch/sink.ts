// The seam between operations and the device. Maps (with them creation, random numbers and writes), reductions and the memory
// of new tensors go to the open sink; while none is open, they run at once. A sink that defers returns ordinary tensors
// whose storage is pending.

import type { DType } from "../base/dtype.js";
import type { RowBody, RowGeometry } from "../codegen/row-spec.js";
import type { Device } from "../device/device.js";
import { allocate } from "../device/memory.js";
import type { Storage } from "../device/storage.js";
import type { Functor } from "../functor/functor.js";
import type { Operand } from "../functor/operand.js";
import type { Reduction, ReductionPlan } from "../functor/reduction.js";
import type { LoopNest } from "../geometry/loop-nest.js";
import type { View } from "../geometry/view.js";
import type { Scalar } from "../ops/op.js";

/** Makes an output, in `storage` or in fresh memory; the tensor layer supplies it, so that this layer knows views only. */
export type MakeOutput<V extends View> = (
  shape: readonly number[],
  strides: readonly number[],
  dtype: DType,
  device: Device,
  storage?: Storage,
) => V;

/** What launches that are repeated over the same geometry and dtypes share. */
export interface LaunchSite {
  nest: LoopNest | undefined;
  /** The width of the accesses of the latest launch, 0 before the first one, and the key of its kernel. */
  vector: number;
  key: number | string;
}

/** How a map differs from the plain one. */
export interface CallOptions {
  /** Outputs given by the caller, one per result. */
  readonly out?: readonly View[] | undefined;
  /** True where the outputs are known to share no memory with inputs, unless element by element. */
  readonly isApart?: boolean | undefined;
  /** Values of captured parameters by name. */
  readonly parameters?: Readonly<Record<string, Scalar>> | undefined;
  /** The same in the order of the functor's list, from callers that know it. */
  readonly scalars?: readonly Scalar[] | undefined;
  /** Given by callers that repeat a call; it belongs to one functor, dtypes, shapes, strides and device. */
  readonly site?: LaunchSite | undefined;
  /** The shape and device of the result; needed where there are no tensor inputs. */
  readonly shape?: readonly number[] | undefined;
  readonly dtype?: DType | undefined;
  readonly device?: Device | undefined;
}

/** The maps before a reduction, in its kernel: what computes the elements, from which operands. */
export interface Prologue {
  readonly functor: Functor;
  readonly inputs: readonly View[];
  readonly parameters: Readonly<Record<string, Scalar>>;
}

/** A checked reduction into a fresh contiguous tensor. */
export interface ReduceCall {
  readonly reduction: Reduction;
  readonly plan: ReductionPlan;
  /** What is reduced: a tensor, or the geometry of the elements that the prologue computes. */
  readonly input: View;
  readonly prologue?: Prologue | undefined;
  /** True for each dimension of the input that goes away. */
  readonly gone: readonly boolean[];
  /** The result's shape: without the dimensions that go away, or with their extent 1. */
  readonly shape: readonly number[];
}

/** Reductions over the same rows and the maps around them, in one kernel; see codegen/row-spec.ts. */
export interface RowCall {
  readonly body: RowBody;
  readonly geometry: RowGeometry;
  readonly outputs: readonly View[];
  readonly inputs: readonly View[];
  readonly scalars: readonly Scalar[];
}

/** A map into outputs that are given. */
export interface MapCall {
  readonly functor: Functor;
  readonly operands: readonly Operand[];
  readonly options: CallOptions & { readonly out: readonly View[] };
}

/** One map over several groups of operands, of the same dtypes and kinds in all, row-major and of one shape in each group. */
export interface TableCall {
  readonly functor: Functor;
  readonly groups: readonly MapCall[];
}

/** What operations go to. */
export interface Sink {
  /** A functor over operands: returns fresh outputs, or writes those in `options.out` and returns them. */
  map<V extends View>(
    functor: Functor,
    operands: readonly Operand[],
    makeOutput: MakeOutput<V>,
    options: CallOptions,
  ): readonly V[];
  /** A reduction: returns a fresh output. */
  reduce<V extends View>(call: ReduceCall, makeOutput: MakeOutput<V>): V;
  /** A row kernel of a compiled function, which writes the given outputs; a sink that takes none lets it run. */
  rows?(call: RowCall): void;
  /** A map over several groups, which writes the given outputs; a sink that takes none lets it run. */
  table?(call: TableCall): void;
  /** Memory without values, for a tensor that is written next. */
  storage(device: Device, bytes: number): Storage;
}

let open: Sink | undefined;

/** The sink that operations go to; undefined while they run at once. */
export function openSink(): Sink | undefined {
  return open;
}

/** Sends operations to a sink, or to the device again; returns where they went before. */
export function sendTo(sink: Sink | undefined): Sink | undefined {
  const before = open;
  open = sink;
  return before;
}

/** Memory without values for a new tensor. */
export function newStorage(device: Device, bytes: number): Storage {
  return open === undefined ? allocate(device, bytes) : open.storage(device, bytes);
}
