// What maps that differ only in their values share, such as the steps of an optimizer over a list of parameters: dtypes,
// geometry, and that nothing is wrong with them. It is resolved once.

import type { DType } from "../../base/dtype.js";
import type { Device } from "../../device/device.js";
import type { Functor } from "../../functor/functor.js";
import { codeOf, type Operand } from "../../functor/operand.js";
import { sameNumbers } from "../../geometry/layout.js";
import type { CallOptions } from "../../launch/calls.js";
import type { Value } from "../operations/ir.js";
import type { OperandClass, ResultClass } from "../operations/slot.js";
import { type DeferredView, isSameWindow, isTensor } from "../operations/window.js";

/** A resolved map, apart from its values. */
export interface MapClass {
  readonly options: Pick<CallOptions, "dtype" | "shape" | "device">;
  /** The device of its tensors. */
  readonly device: Device;
  readonly compute: DType;
  readonly domain: readonly number[];
  /** Without the numbers of their values. */
  readonly operands: readonly OperandClass[];
  /** Without the numbers of the earlier values. */
  readonly results: readonly ResultClass[];
  readonly isInto: boolean;
  readonly parameterTypes: readonly DType[];
}

/** The maximum number of classes of one functor; the latest are kept. */
const most = 4;
const classes = new WeakMap<Functor, MapClass[]>();

/** The class of a map; undefined for a new one. `values` are those of the tensors among the operands. */
export function knownClass(
  functor: Functor,
  operands: readonly Operand[],
  values: readonly (Value | undefined)[],
  options: CallOptions,
  before: readonly (Value | undefined)[],
): MapClass | undefined {
  return classes
    .get(functor)
    ?.find(
      (mapClass) =>
        hasOptions(mapClass, options) &&
        mapClass.operands.length === operands.length &&
        mapClass.operands.every((known, i) => isAlike(known, operands[i], mapClass, functor.name)) &&
        writesAlike(mapClass, operands, values, options, before),
    );
}

/** Keeps a class. */
export function keepClass(functor: Functor, mapClass: MapClass): void {
  const known = classes.get(functor);
  if (known === undefined) classes.set(functor, [mapClass]);
  else if (known.unshift(mapClass) > most) known.pop();
}

function hasOptions(mapClass: MapClass, { dtype, shape, device, out }: CallOptions): boolean {
  const { options } = mapClass;
  if (options.dtype !== dtype || options.device !== device || mapClass.isInto !== (out !== undefined))
    return false;
  return shape === undefined || options.shape === undefined
    ? shape === options.shape
    : sameNumbers(shape, options.shape);
}

function isAlike(
  { window, code }: OperandClass,
  operand: unknown,
  { device }: MapClass,
  what: string,
): boolean {
  if (!isTensor(operand)) return window === undefined && code === codeOf(operand, what);
  return window !== undefined && operand.device === device && isSameWindow(window, operand);
}

/** True if outputs are as in a class: the same operands, which share no memory with the others. */
function writesAlike(
  { results }: MapClass,
  operands: readonly Operand[],
  values: readonly (Value | undefined)[],
  { out }: CallOptions,
  before: readonly (Value | undefined)[],
): boolean {
  if (out === undefined) return true;
  if (out.length !== 1 || results.length !== 1) return false;
  const [view] = out as readonly [DeferredView];
  const [{ self, bytes }] = results as readonly [ResultClass];
  if (self === undefined || operands[self] !== view || view.storage?.bytes !== bytes) return false;
  return values.every((value, i) => i === self || value === undefined || value !== before[0]);
}
