// An operation as data: what a call of the library asks for, before anything runs it. Sinks receive operations and read these facts;
// a definition is the part of an operation that is equal in all its calls.

import type { DType } from "../base/dtype.js";
import type { Functor, Parameter } from "../functor/functor.js";
import type { Operand } from "../functor/operand.js";
import { isView, type View } from "../geometry/view.js";
import type { Scalar } from "../ops/op.js";
import type { CallOptions, ListedKernel, ReduceCall, ScanCall } from "./calls.js";
import type { IndexCheck } from "./index-check.js";

/** The rule of an operation's derivative, by its name in the table of rules; rules that need facts of the operation extend it. */
export interface RuleFacts {
  readonly by: string;
}

/** An operation of whole tensors, into fresh contiguous ones; one object for equal operations. */
interface Definition {
  readonly name: string;
  /** The dtypes and shapes of its results for such inputs. */
  readonly results: (
    inputs: readonly View[],
  ) => readonly (readonly [dtype: DType, shape: readonly number[]])[];
  /** Writes the outputs; a sink of kernels receives what it would launch. */
  readonly run: (inputs: readonly View[], outputs: readonly View[], scalars: readonly Scalar[]) => void;
  /** The rule of its derivative; default: that of its name. */
  readonly rule?: RuleFacts | undefined;
}

/** An operation of which a program knows only what it reads and writes, such as a sort or a matrix product. */
export interface OpaqueDefinition extends Definition {
  readonly kind: "opaque";
  /**
   * How many of each input's last dimensions one result is computed of: 2 of a matrix, 1 of a row. All before them may be a batch,
   * which all inputs have but those that are one for `all`. Undefined if it takes no batch.
   */
  readonly core?: readonly (number | "all")[] | undefined;
  /** True if its batch has exactly one dimension. */
  readonly hasOneBatch?: boolean | undefined;
  /** True if it draws random numbers by a key, which is one of its inputs. */
  readonly draws?: boolean | undefined;
  /** True if its inputs are on several devices, and each result on the device of its input. */
  readonly spansDevices?: boolean | undefined;
  /** The numbers that differ from call to call; default none. */
  readonly parameters?: readonly Parameter[] | undefined;
  /** True if it reads its inputs in the layouts of the call. */
  readonly readsLayouts?: boolean | undefined;
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

/** The dimension along which a write goes, and whether its index is one vector for all sub-tensors. */
export interface WritePlace {
  readonly dim: number;
  readonly isRows: boolean;
  /** The same write at another place. */
  readonly at: (dim: number, isRows: boolean) => WriteDefinition;
}

/**
 * An operation that joins values with the elements of a tensor at places which index tensors name; it has no fresh results.
 * `run` gets the index tensors, then the values, and writes its one output.
 */
export interface WriteDefinition extends OpaqueDefinition {
  /** The number of index tensors. */
  readonly indexes: number;
  /** How its values join elements, for derivatives; undefined if these are not known. */
  readonly joins?: WriteJoin | undefined;
  /** True if it tests all indexes before it writes. */
  readonly testsFirst: boolean;
  /** Undefined if it goes along several dimensions. */
  readonly place?: WritePlace | undefined;
}

/** A scan of a tensor in its defined order, into tensors of its shape. */
export interface ScanDefinition extends Definition {
  readonly kind: "scan";
  /** The dimension along which it goes. */
  readonly dim: number;
  /** True if it goes from the last element to the first. */
  readonly isReversed: boolean;
  /** The same scan along another dimension. */
  readonly along: (dim: number) => ScanDefinition;
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
export type WholeDefinition = ScanDefinition | OpaqueDefinition;

/** What a sink can read of every operation. */
interface Facts {
  readonly name: string;
  /** What it reads: tensors and numbers. */
  readonly inputs: readonly Operand[];
  /** The given tensors that it writes; none if its results are fresh. */
  readonly out: readonly View[];
}

const none: readonly never[] = [];

/** A functor over elements: creation, random numbers and copies too. */
export class MapOperation implements Facts {
  readonly kind = "map";

  constructor(
    readonly functor: Functor,
    readonly inputs: readonly Operand[],
    readonly options: CallOptions,
  ) {}

  get name(): string {
    return this.functor.name;
  }

  get out(): readonly View[] {
    return this.options.out ?? none;
  }
}

/** A reduction. */
export class ReduceOperation implements Facts {
  readonly kind = "reduce";
  readonly inputs: readonly [View];
  readonly out = none;

  constructor(readonly call: ReduceCall) {
    this.inputs = [call.input];
  }

  get name(): string {
    return this.call.reduction.name;
  }
}

/** A scan. */
export interface ScanOperation extends Facts {
  readonly kind: "scan";
  readonly definition: ScanDefinition;
  readonly inputs: readonly View[];
  readonly undo: undefined;
}

/**
 * An operation without parts. One that may refuse elements has `undo`, which then undoes what the caller and later operations have
 * done to the library.
 */
export interface OpaqueOperation extends Facts {
  readonly kind: "opaque";
  readonly definition: OpaqueDefinition;
  readonly inputs: readonly View[];
  readonly undo: (() => void) | undefined;
  /** The values of its parameters; default none. */
  readonly scalars?: readonly Scalar[] | undefined;
}

/** The operation of a definition over tensors. */
export function wholeOperation(
  definition: WholeDefinition,
  inputs: readonly View[],
  undo?: () => void,
  scalars?: readonly Scalar[],
): ScanOperation | OpaqueOperation {
  const { kind, name } = definition;
  return { kind, name, definition, inputs, out: none, undo, scalars } as ScanOperation | OpaqueOperation;
}

/** A write by index tensors; its inputs are the index tensors, the values, and the tensor that is written. */
export class WriteOperation implements Facts {
  readonly kind = "write";

  constructor(
    readonly definition: WriteDefinition,
    /** The index tensors, then the values. */
    readonly given: readonly View[],
    readonly target: View,
    readonly check: IndexCheck,
  ) {}

  get name(): string {
    return this.definition.name;
  }

  get inputs(): readonly View[] {
    return [...this.given, this.target];
  }

  get out(): readonly View[] {
    return [this.target];
  }
}

/** Launches of which nothing else is known, such as a walk, a raw kernel or a copy to another device. They always run at once. */
export interface LaunchOperation extends Facts {
  readonly kind: "launch";
  readonly inputs: readonly View[];
  /** The kernel that it would run; undefined if that is not known before. */
  readonly kernel?: (() => ListedKernel) | undefined;
  /** Makes the launches; returns what they have written, given or fresh. */
  readonly run: () => readonly View[];
}

/** The same steps many times: each gets the carry of the one before, and one element of each of the tensors that it goes along. */
export interface LoopOperation extends Facts {
  readonly kind: "loop";
  readonly steps: number;
  /** True if it goes from the last elements to the first. */
  readonly isReversed: boolean;
  /** True if a sink takes it as one operation or not at all: its step has to be the same for all. */
  readonly isWhole?: boolean | undefined;
  readonly carry: readonly View[];
  readonly along: readonly View[];
  /** The carry, then the tensors that it goes along. */
  readonly inputs: readonly View[];
  /** One step: the next carry and the results of the step. */
  readonly body: (
    carry: readonly View[],
    elements: readonly View[],
  ) => readonly [carry: readonly View[], results: readonly View[]];
  /** Runs the steps one by one, on the open sink: the last carry, then the results of all steps. */
  readonly run: () => readonly View[];
  /** Defers all steps as one operation of that tape; undefined if they cannot be one. */
  readonly defer: <V extends View>(tape: unknown) => readonly V[] | undefined;
}

/** What a call of the library asks for. */
export type Operation =
  | MapOperation
  | ReduceOperation
  | ScanOperation
  | OpaqueOperation
  | WriteOperation
  | LaunchOperation
  | LoopOperation;

/** How many of an input's last dimensions one result is computed of: those before may be a batch; undefined if none may. */
export function coreOf(operation: Operation, input: number): number | "all" | undefined {
  const operand = operation.inputs[input];
  const rank = isView(operand) ? operand.shape.length : 0;
  switch (operation.kind) {
    case "map":
      return 0;
    case "reduce":
      return rank;
    case "scan":
      return rank - operation.definition.dim;
    case "opaque":
      return operation.definition.core?.[input];
    case "write": {
      const { place } = operation.definition;
      return place && rank - place.dim;
    }
    case "launch":
    case "loop":
      return undefined;
    default:
      return operation satisfies never;
  }
}

/** True if its results are random numbers: they differ in calls with equal inputs. Others that draw get a key that a map has drawn. */
export function isDraw(operation: Operation): boolean {
  return operation.kind === "map" && operation.functor.parameters.some(({ draw }) => draw !== undefined);
}
