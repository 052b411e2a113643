// The parts of a node outside of its slot: the values that it makes and replaces, and the scalars of its call.

import type { DType } from "../../base/dtype.js";
import type { PooledStorage } from "../../device/pooled-storage.js";
import { type Operand, scalarParts } from "../../functor/operand.js";
import type { View } from "../../geometry/view.js";
import type { CallOptions, MakeOutput } from "../../launch/calls.js";
import type { Scalar } from "../../ops/op.js";
import { type Node, Value } from "../operations/ir.js";
import { deviceAt, type MapSlot, type ResultClass, type Slot } from "../operations/slot.js";
import { type OnPath, passedAs } from "./path.js";

const none: readonly never[] = [];

/** The values that a node makes. */
export function valuesOf(slot: Slot): Value[] {
  const { results } = slot;
  const made = new Array<Value>(results.length);
  for (let i = 0; i < made.length; i++) {
    const { window, bytes, patches } = results[i] as ResultClass;
    const { shape, strides } = window;
    made[i] = new Value(deviceAt(slot, i), bytes, patches ? undefined : shape, patches ? undefined : strides);
  }
  return made;
}

/** The values that a write partly replaces. */
export function basesOf({ results }: Slot, before: readonly Value[]): readonly (Value | undefined)[] {
  for (let i = 0; i < results.length; i++) {
    if (results[i]?.patches) return before.map((value, at) => (results[at]?.patches ? value : undefined));
  }
  return none;
}

/** The tensor that shows a node's result. */
export function outputOf<V extends View>({ slot, made }: Node, i: number, makeOutput: MakeOutput<V>): V {
  const { shape, strides, dtype } = (slot.results[i] as ResultClass).window;
  return makeOutput(shape, strides, dtype, deviceAt(slot, i), (made[i] as Value).home as PooledStorage);
}

/** The operands at the call; throws if a scalar's dtype cannot hold it. */
export function checkedScalars(slot: OnPath<MapSlot>, operands: readonly Operand[]): readonly Operand[] {
  let copy: Operand[] | undefined;
  for (let i = 0; i < operands.length; i++) {
    const passed = passedAs(slot, i);
    if (passed === undefined) continue;
    const value = operands[i] as Scalar;
    const checked = checkedScalar(value, passed, slot.name);
    if (checked === value) continue;
    copy ??= operands.slice();
    copy[i] = checked;
  }
  return copy ?? operands;
}

function checkedScalar(value: Scalar, dtype: DType, what: string): Scalar {
  if (typeof value === "number" && dtype.kind === "float") return value;
  scalarParts(value, dtype, what);
  return typeof value === "object" ? { re: value.re, im: value.im } : value;
}

/** The values of captured parameters, in the order of the functor's list. */
export function parametersOf(
  { functor, parameterTypes, name }: MapSlot,
  given: CallOptions["parameters"],
): readonly Scalar[] {
  if (functor.parameters.length === 0) return none;
  return functor.parameters.map((parameter, i) =>
    checkedScalar(given?.[parameter.name] ?? parameter.value, parameterTypes[i] as DType, name),
  );
}
