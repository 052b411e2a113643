// The paths of a compiled function: its operations form a tree. The next operation of a call is compared with the known followers,
// which costs less than resolving its dtypes and geometry again.

import type { DType } from "../../base/dtype.js";
import type { Functor } from "../../functor/functor.js";
import { codeOf } from "../../functor/operand.js";
import type { Reduction } from "../../functor/reduction.js";
import { sameNumbers } from "../../geometry/layout.js";
import type { View } from "../../geometry/view.js";
import type { CallOptions, ReduceCall } from "../../launch/calls.js";
import type { WholeDefinition, WriteDefinition } from "../../launch/operation.js";
import {
  deviceAt,
  type MapSlot,
  type OpaqueSlot,
  type OperandClass,
  type ReduceSlot,
  type ResultClass,
  type ScanSlot,
  type Slot,
} from "../operations/slot.js";
import { type DeferredView, isSameWindow, type Window } from "../operations/window.js";
import type { Plan } from "../schedule/launches.js";

/** The report of a program. */
export interface ProgramReport {
  readonly operations: number;
  readonly kernels: number;
  /** Calls that reused it. */
  hits: number;
  /** The peak memory of its results, in bytes. */
  peakBytes: number;
  /** The dtypes and extents of the tensors that it needs: `float32[n,m], float32[m]`. */
  readonly needs: string;
}

/** The continuations of a step on the path. */
export interface Path {
  /** The latest next operation; the others follow by their `other`. */
  next: OnPath | undefined;
  /** The continuations after elements were computed here, the latest first. */
  readonly evaluations: Evaluation[];
  /** The report of the calls that ended here. */
  program: ProgramReport | undefined;
}

/** A computation of elements: its continuations, and its plan. */
export interface Evaluation extends Path {
  readonly plan: Plan;
  /** True at the end of the function. */
  readonly isLast: boolean;
}

/** What an operation has on a path. */
interface Position extends Path {
  /** The result of {@link guardOf}. */
  readonly guard: readonly unknown[];
  /** The operation that came at its place in an earlier call. */
  other: OnPath | undefined;
}

/** An operation on a path. */
export type OnPath<S extends Slot = Slot> = S & Position;

/** A value on the path. */
interface Numbered {
  readonly ref: number;
}

/** An empty path. */
export function newPath(): Path {
  return { next: undefined, evaluations: [], program: undefined };
}

/** The next operations of a path, the latest first. */
export function followers({ next }: Path): OnPath[] {
  const slots: OnPath[] = [];
  for (let slot = next; slot !== undefined; slot = slot.other) slots.push(slot);
  return slots;
}

/** Adds a next operation to a path, and drops the oldest of too many. */
export function follow(path: Path, slot: OnPath): void {
  slot.other = path.next;
  path.next = slot;
  const last = followers(path)[mostNext - 1];
  if (last) last.other = undefined;
}

/** The known continuation of a path after these values are computed. */
export function knownEvaluation(
  { evaluations }: Path,
  values: readonly Numbered[],
  isLast: boolean,
): Evaluation | undefined {
  for (let i = 0; i < evaluations.length; i++) {
    const evaluation = evaluations[i] as Evaluation;
    if (evaluation.isLast === isLast && areRefs(evaluation.plan.wanted, values)) return evaluation;
  }
  return undefined;
}

function areRefs(refs: readonly number[], values: readonly Numbered[]): boolean {
  if (refs.length !== values.length) return false;
  for (let i = 0; i < refs.length; i++) if (refs[i] !== values[i]?.ref) return false;
  return true;
}

/** The maximum number of continuations of a step: different operations or computations. */
export const mostNext = 8;

/** What an operation is, apart from its operands: its functor, reduction or form, and for a map its dtype and its writing. */
const guardHead = 3;
const guardFields = 2;

/**
 * The values that an operation is compared with first. They are in one short list, because each call visits a slot once and
 * its objects are far apart in memory. After the head, a tensor has its value's number and its window; a scalar has the dtype in
 * which it is passed and its code.
 */
export function guardOf(
  what: Functor | Reduction | WholeDefinition,
  dtype: DType | undefined,
  isInto: boolean,
  operands: readonly OperandClass[],
): readonly unknown[] {
  const fields = operands.flatMap(({ ref, window, code, passed }): unknown[] =>
    window === undefined ? [passed, code] : [ref, alike(window)],
  );
  // Without room for more.
  return ([what, dtype, isInto] as unknown[]).concat(fields);
}

/** By their shapes, the windows of guards: tensors with the same arrays have one, which stays in the processor's cache. */
const windows = new WeakMap<readonly number[], Window>();

function alike(window: Window): Window {
  const { dtype, offset, shape, strides } = window;
  const known = windows.get(shape);
  if (known?.strides === strides && known.dtype === dtype && known.offset === offset) return known;
  windows.set(shape, window);
  return window;
}

/** The dtype in which an operand is passed; undefined for a tensor. */
export function passedAs({ guard }: OnPath, i: number): DType | undefined {
  const first = guard[guardHead + i * guardFields];
  return typeof first === "number" ? undefined : (first as DType);
}

/** True if a tensor operand matches the slot's. */
function isSameTensor(slot: OnPath, i: number, { ref }: Numbered, view: DeferredView): boolean {
  const { guard } = slot;
  const at = guardHead + i * guardFields;
  // A value made on the path is on the device of its place.
  if (guard[at] !== ref || (ref < 0 && view.device !== deviceAt(slot, i))) return false;
  return isSameWindow(guard[at + 1] as Window, view);
}

/** True if a map matches a slot. `values` are those of the tensors among the operands. */
export function isSameMap(
  slot: OnPath,
  functor: Functor,
  operands: readonly unknown[],
  values: readonly (Numbered | undefined)[],
  { out, dtype, shape, device }: CallOptions,
  before: readonly (Numbered | undefined)[],
): slot is OnPath<MapSlot> {
  const { guard } = slot;
  if (guard[0] !== functor || guard[1] !== dtype || guard[2] !== (out !== undefined)) return false;
  if (guard.length !== guardHead + operands.length * guardFields) return false;
  if (shape !== undefined && !sameNumbers(shape, (slot as MapSlot).domain)) return false;
  if (device !== undefined && device !== slot.device) return false;
  for (let i = 0; i < operands.length; i++) {
    const value = values[i];
    if (value !== undefined) {
      if (!isSameTensor(slot, i, value, operands[i] as DeferredView)) return false;
      continue;
    }
    if (guard[guardHead + i * guardFields + 1] !== codeOf(operands[i], functor.name)) return false;
  }
  if (out === undefined) return true;
  for (let i = 0; i < out.length; i++) {
    const known = slot.results[i] as ResultClass;
    const view = out[i] as DeferredView;
    // A matching operand has the same window and value.
    if (known.self !== undefined && operands[known.self] === view && known.bytes === view.storage?.bytes)
      continue;
    if (!isSameTarget(known, view, before[i])) return false;
  }
  return true;
}

/** True if a written view, whose storage shows that value, matches a result. */
function isSameTarget(known: ResultClass, view: DeferredView, before: Numbered | undefined): boolean {
  if (known.bytes !== view.storage?.bytes || known.before !== before?.ref) return false;
  return isSameWindow(known.window, view);
}

/** True if a reduction matches a slot. */
export function isSameReduction(
  slot: OnPath,
  { input, reduction, plan, gone, shape }: ReduceCall,
  value: Numbered,
): slot is OnPath<ReduceSlot> {
  if (slot.guard[0] !== reduction) return false;
  const { call } = slot as ReduceSlot;
  if (call.plan.result !== plan.result || call.plan.compute !== plan.compute) return false;
  if (!isSameTensor(slot, 0, value, input as DeferredView)) return false;
  return sameNumbers(call.shape, shape) && gone.every((one, d) => one === call.gone[d]);
}

/** True if an operation of whole tensors matches a slot. */
export function isSameWhole(
  slot: OnPath,
  operation: WholeDefinition,
  inputs: readonly View[],
  values: readonly Numbered[],
): slot is OnPath<ScanSlot | OpaqueSlot> {
  if (slot.guard[0] !== operation) return false;
  return inputs.every((input, i) => isSameTensor(slot, i, values[i] as Numbered, input as DeferredView));
}

/** True if a write into a view, whose storage shows that value, matches a slot. */
export function isSameWrite(
  slot: OnPath,
  operation: WriteDefinition,
  inputs: readonly View[],
  values: readonly Numbered[],
  target: View,
  before: Numbered,
): slot is OnPath<OpaqueSlot> {
  if (!isSameWhole(slot, operation, inputs, values)) return false;
  return isSameTarget(slot.results[0] as ResultClass, target as DeferredView, before);
}
