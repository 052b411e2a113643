// The calls of launches: what each of their functions gets, as data.

import type { DType } from "../base/dtype.js";
import type { KernelSpec } from "../codegen/maps/map-spec.js";
import type { RowBody, RowGeometry } from "../codegen/rows/row-spec.js";
import type { Walk } from "../codegen/walk-kernel.js";
import type { Device } from "../device/device.js";
import type { Storage } from "../device/storage.js";
import type { Functor } from "../functor/functor.js";
import type { Operand } from "../functor/operand.js";
import type { Reduction, ReductionPlan } from "../functor/reduction.js";
import type { LoopNest } from "../geometry/loop-nest.js";
import type { View } from "../geometry/view.js";
import type { Scalar } from "../ops/op.js";
import type { IndexCheck } from "./index-check.js";
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
