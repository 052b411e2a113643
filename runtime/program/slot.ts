// What an operation of a compiled function is at every call that takes the same path: everything but elements and scalars.
// Slots form a tree; the next operation is compared with the slots that followed before, which costs less than resolving
// its dtypes and geometry again.

import type { DType } from "../base/dtype.js";
import type { Device } from "../device/device.js";
import type { Functor } from "../functor/functor.js";
import { codeOf } from "../functor/operand.js";
import { sameNumbers } from "../geometry/layout.js";
import type { ProgramTiming } from "../launch/program-timings.js";
import type { CallOptions, ReduceCall } from "../launch/sink.js";
import type { Launch, ReduceForm } from "./launches.js";
import type { Scratch } from "./scratch.js";
import { type DeferredView, isSameWindow, type Window } from "./window.js";

/** An operand as the path knows it. */
export interface OperandClass {
  /** The number of its value on the tape: from 0 on a result, below 0 a leaf; undefined for a scalar. */
  readonly ref: number | undefined;
  readonly window: Window | undefined;
  /** The code of a scalar, and the dtype in which it is passed. */
  readonly code: number;
  readonly passed: DType | undefined;
}

/** A result as the path knows it. */
export interface ResultClass {
  readonly window: Window;
  /** Bytes of the storage. */
  readonly bytes: number;
  /** True where the storage's other elements stay. */
  readonly patches: boolean;
  /** The number of the value that the storage showed; undefined for a fresh result. */
  readonly before: number | undefined;
}

/** What is told of a program. */
export interface ProgramReport {
  readonly operations: number;
  readonly kernels: number;
  /** Calls that found it. */
  hits: number;
  /** The most that its results held at once. */
  peakBytes: number;
  /** The dtypes and extents of the tensors that it needs: `float32[n,m], float32[m]`. */
  readonly needs: string;
}

/** What follows something on the path. */
export interface Path {
  /** The operations that followed, the latest first. */
  readonly next: Slot[];
  /** How it went on where elements were computed here, the latest first. */
  readonly looks: Look[];
  /** What is told of the calls that ended here. */
  program: ProgramReport | undefined;
}

/** Elements that were computed: what follows then, and the plan that computes them. */
export interface Look extends Path {
  readonly plan: Plan;
  /** True at the end of the function. */
  readonly isLast: boolean;
}

interface Common extends Path {
  readonly name: string;
  /** What {@link guardOf} makes of the operands. */
  readonly guard: readonly unknown[];
  readonly device: Device;
  readonly operands: readonly OperandClass[];
  readonly results: readonly ResultClass[];
  /** Where in the program it was called. */
  readonly place: string;
}

/** A map on the path. */
export interface MapSlot extends Common {
  readonly kind: "map";
  readonly functor: Functor;
  readonly compute: DType;
  readonly domain: readonly number[];
  /** The dtype that was asked for where no operand has one. */
  readonly dtype: DType | undefined;
  readonly parameterTypes: readonly DType[];
  readonly isInto: boolean;
}

/** A reduction on the path. */
export interface ReduceSlot extends Common {
  readonly kind: "reduce";
  readonly call: ReduceForm;
}

/** One step of a path that computes. */
export type Slot = MapSlot | ReduceSlot;

/** What the path knows of a value. */
interface Numbered {
  readonly ref: number;
}

/** The launches that compute some values. */
export interface Plan {
  readonly launches: readonly Launch[];
  /** The operations behind them by the numbers of their nodes, and the numbers of the values, for people. */
  readonly slots: ReadonlyMap<number, Slot>;
  readonly wanted: readonly number[];
  /** Where its kernels leave what only they need; undefined where they leave nothing, or more may be deferred. */
  readonly scratch: Scratch | undefined;
  /** What it costs; undefined for one that runs once. */
  timing?: ProgramTiming;
}

/** An empty path. */
export function newPath(): Path {
  return { next: [], looks: [], program: undefined };
}

/** What followed something on a path is kept for this many different operations or looks. */
export const mostNext = 8;

const guardFields = 5;

/**
 * What operands are compared with first, in one list, because a slot is met once a call and its objects are far apart in
 * memory: of a tensor the number of its value, its dtype and what says where its elements lie; of a scalar its code, and the
 * dtype in which it is passed.
 */
export function guardOf(operands: readonly OperandClass[]): readonly unknown[] {
  return operands.flatMap(({ ref, window, code, passed }) => {
    if (window === undefined) return [undefined, code, passed, undefined, undefined];
    const { dtype, shape, strides, offset } = window;
    return [ref, dtype, shape, strides, offset * dtype.bytes];
  });
}

/** The dtype in which an operand is passed; undefined for a tensor. */
export function passedAs({ guard }: Slot, i: number): DType | undefined {
  const at = i * guardFields;
  return guard[at] === undefined ? (guard[at + 2] as DType) : undefined;
}

/** True where a slot knows an operand that is a tensor. */
function isSameTensor(slot: Slot, i: number, { ref }: Numbered, view: DeferredView): boolean {
  const { guard } = slot;
  const at = i * guardFields;
  if (guard[at] !== ref || guard[at + 1] !== view.dtype || guard[at + 4] !== view.offset) return false;
  // What the path made itself is where its operands were.
  if (ref < 0 && view.device !== slot.device) return false;
  if (guard[at + 2] === view.shape && guard[at + 3] === view.strides) return true;
  return isSameWindow(slot.operands[i]?.window as Window, view);
}

/** True where a map is the one that a slot knows. `values` are those of the tensors among the operands. */
export function isSameMap(
  slot: Slot,
  functor: Functor,
  operands: readonly unknown[],
  values: readonly (Numbered | undefined)[],
  { out, dtype, shape, device }: CallOptions,
  before: readonly (Numbered | undefined)[],
): slot is MapSlot {
  if (slot.kind !== "map" || slot.functor !== functor || slot.dtype !== dtype) return false;
  const { guard } = slot;
  if (slot.isInto !== (out !== undefined) || guard.length !== operands.length * guardFields) return false;
  if (shape !== undefined && !sameNumbers(shape, slot.domain)) return false;
  if (device !== undefined && device !== slot.device) return false;
  for (let i = 0; i < operands.length; i++) {
    const value = values[i];
    if (value !== undefined) {
      if (!isSameTensor(slot, i, value, operands[i] as DeferredView)) return false;
      continue;
    }
    const at = i * guardFields;
    if (guard[at] !== undefined || guard[at + 1] !== codeOf(operands[i], functor.name)) return false;
  }
  if (out === undefined) return true;
  for (let i = 0; i < out.length; i++) {
    const known = slot.results[i] as ResultClass;
    const view = out[i] as DeferredView;
    if (known.before !== before[i]?.ref || !isSameWindow(known.window, view)) return false;
    if (known.bytes !== view.storage?.bytes) return false;
  }
  return true;
}

/** True where a reduction is the one that a slot knows. */
export function isSameReduction(
  slot: Slot,
  { input, reduction, plan, gone, shape }: ReduceCall,
  value: Numbered,
): slot is ReduceSlot {
  if (slot.kind !== "reduce") return false;
  const { call } = slot;
  if (call.reduction !== reduction || call.plan.result !== plan.result || call.plan.compute !== plan.compute)
    return false;
  if (!isSameTensor(slot, 0, value, input as DeferredView)) return false;
  return sameNumbers(call.shape, shape) && gone.every((one, d) => one === call.gone[d]);
}
