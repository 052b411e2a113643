// Resolves a new operation on a path once: its dtypes, its geometry and its errors, as in the separate call. The slot keeps
// them.

import type { DType } from "../../base/dtype.js";
import { RecentValues } from "../../base/recent-values.js";
import { argumentDType } from "../../codegen/maps/map-spec.js";
import type { PooledStorage } from "../../device/pooled-storage.js";
import type { Functor } from "../../functor/functor.js";
import { codeOf, type Operand } from "../../functor/operand.js";
import { contiguousStrides } from "../../geometry/layout.js";
import { checkOverlap } from "../../geometry/overlap.js";
import type { View } from "../../geometry/view.js";
import type { CallOptions, ReduceCall } from "../../launch/calls.js";
import type { WholeDefinition, WriteDefinition } from "../../launch/operation.js";
import { geometryOf, typesOf } from "../../launch/resolve.js";
import type { Value } from "../operations/ir.js";
import type {
  MapSlot,
  OpaqueSlot,
  OperandClass,
  ReduceSlot,
  ResultClass,
  ScanSlot,
} from "../operations/slot.js";
import { type DeferredView, isTensor, type Window, windowAt, windowOn } from "../operations/window.js";
import { keepClass, knownClass, type MapClass } from "./map-classes.js";
import { guardOf, type OnPath } from "./path.js";

/** The slot of a map; throws the errors of the separate call. */
export function resolveMap(
  functor: Functor,
  operands: readonly Operand[],
  values: readonly (Value | undefined)[],
  options: CallOptions,
  before: readonly (Value | undefined)[],
  repeats: number | undefined,
  place: string,
): OnPath<MapSlot> {
  const mapClass =
    knownClass(functor, operands, values, options, before) ?? newClass(functor, operands, options);
  const { device, compute, domain, results, parameterTypes } = mapClass;
  const classes = mapClass.operands.map(({ window, code, passed }, i): OperandClass => {
    return { ref: values[i]?.ref, window, code, passed };
  });
  // First what every call reads.
  return {
    guard: guardOf(
      functor,
      options.dtype,
      mapClass.isInto,
      classes.map((one, i) => (one.window ? { ...one, window: windowOn(operands[i] as View) } : one)),
    ),
    next: undefined,
    other: undefined,
    results: mapClass.isInto ? results.map((result, i) => ({ ...result, before: before[i]?.ref })) : results,
    device,
    kind: "map",
    evaluations: [],
    program: undefined,
    name: functor.name,
    place,
    functor,
    compute,
    domain,
    dtype: options.dtype,
    operands: classes,
    parameterTypes,
    repeats,
    class: mapClass,
  };
}

/** Resolves a map, apart from its values. */
function newClass(functor: Functor, operands: readonly Operand[], options: CallOptions): MapClass {
  const { out, dtype, shape } = options;
  const { device, nest } = geometryOf(functor, operands, options);
  const { compute, inputs, outputs } = typesOf(functor, operands, options);
  if (out) checkOverlap(functor.name, ...distinct(out, operands));
  const types = outputs.map((output) => output.dtype);
  const mapClass = {
    options: { dtype, shape, device: options.device },
    device,
    compute,
    domain: nest.shape,
    operands: operands.map(
      (operand, i): OperandClass => ({
        ref: undefined,
        window: isTensor(operand) ? sharedWindow(operand) : undefined,
        code: codeOf(operand, functor.name),
        passed: inputs[i]?.scalar ? inputs[i].dtype : undefined,
      }),
    ),
    results: out
      ? out.map((view) => resultInto(view as DeferredView, operands))
      : freshResults(nest.shape, nest.outStrides, types),
    isInto: out !== undefined,
    parameterTypes: functor.parameters.map(({ type }) => argumentDType(type, compute)),
  };
  keepClass(functor, mapClass);
  return mapClass;
}

/** The slot of a reduction. */
export function resolveReduction(
  { input, ...call }: ReduceCall,
  value: Value,
  place: string,
): OnPath<ReduceSlot> {
  const { reduction, shape, plan } = call;
  const operands = [{ ref: value.ref, window: windowOn(input), code: 0, passed: undefined }];
  return {
    guard: guardOf(reduction, undefined, false, operands),
    next: undefined,
    other: undefined,
    results: freshResults(shape, contiguousStrides(shape), [plan.result]),
    device: input.device,
    kind: "reduce",
    evaluations: [],
    program: undefined,
    name: reduction.name,
    place,
    call,
    operands,
  };
}

/** The slot of an operation of whole tensors. */
export function resolveWhole(
  operation: WholeDefinition,
  inputs: readonly View[],
  values: readonly Value[],
  place: string,
): OnPath<ScanSlot | OpaqueSlot> {
  const results = operation
    .results(inputs)
    .flatMap(([dtype, shape]) => freshResults(shape, contiguousStrides(shape), [dtype]));
  return wholeSlot(operation, inputs, values, results, place);
}

/** The slot of a write by index tensors into a view, whose storage shows the value `before`. */
export function resolveWrite(
  operation: WriteDefinition,
  inputs: readonly View[],
  values: readonly Value[],
  target: View,
  before: Value,
  place: string,
): OnPath<OpaqueSlot> {
  // Elements that no index names stay, also where the view fills its storage.
  const result = { ...resultInto(target as DeferredView, []), patches: true, before: before.ref };
  return wholeSlot(operation, inputs, values, [result], place) as OnPath<OpaqueSlot>;
}

function wholeSlot(
  operation: WholeDefinition,
  inputs: readonly View[],
  values: readonly Value[],
  results: readonly ResultClass[],
  place: string,
): OnPath<ScanSlot | OpaqueSlot> {
  const operands = inputs.map((input, i) => {
    return { ref: values[i]?.ref, window: windowOn(input), code: 0, passed: undefined };
  });
  return {
    guard: guardOf(operation, undefined, false, operands),
    next: undefined,
    other: undefined,
    results,
    device: (inputs[0] as View).device,
    devices:
      operation.kind === "opaque" && operation.spansDevices ? inputs.map(({ device }) => device) : undefined,
    kind: operation.kind,
    evaluations: [],
    program: undefined,
    name: operation.name,
    place,
    operation,
    operands,
  } as OnPath<ScanSlot | OpaqueSlot>;
}

// Slots share equal results and windows: each call visits every slot once, and what they share stays in the processor's cache.
const windows = new RecentValues<Window>(256);
const known = new RecentValues<readonly ResultClass[]>(256);

/** The window of an operand; its guard keeps the arrays of the first call's tensor, which later calls often pass again. */
function sharedWindow(operand: View): Window {
  const window = windowOn(operand);
  const { dtype, offset, shape, strides } = window;
  return windows.get(`${dtype.id};${offset};${shape};${strides}`, () => window);
}

function freshResults(
  shape: readonly number[],
  strides: readonly number[],
  types: readonly DType[],
): readonly ResultClass[] {
  return known.get(`${types.map(({ id }) => id)};${shape};${strides}`, () =>
    types.map((dtype) => {
      const window = windowAt(dtype, 0, shape, strides);
      return { window, bytes: window.size * dtype.bytes, patches: false, before: undefined, self: undefined };
    }),
  );
}

/** The result for a given view: its whole storage, or a part. */
function resultInto(view: DeferredView, operands: readonly Operand[]): ResultClass {
  const window = windowOn(view);
  const { bytes } = view.storage as PooledStorage;
  // Outputs do not overlap themselves, so as many elements as the storage has fill it.
  const fills =
    window.offset === 0 &&
    view.size * view.dtype.bytes === bytes &&
    view.strides.every((stride) => stride >= 0);
  const self = operands.indexOf(view);
  return { window, bytes, patches: !fills, before: undefined, self: self < 0 ? undefined : self };
}

/** Views for overlap checks, with distinct addresses for different storages. */
function distinct(out: readonly View[], operands: readonly Operand[]): [View[], Operand[]] {
  const storages: unknown[] = [];
  const moved = (view: View): View => {
    const { storage, offset, shape, strides, dtype, device, size, isContiguous } = view as DeferredView;
    if (!storages.includes(storage)) storages.push(storage);
    const pointer = (storages.indexOf(storage) + 1) * 2 ** 44 + offset;
    return { pointer, shape, strides, dtype, device, size, isContiguous };
  };
  return [out.map(moved), operands.map((operand) => (isTensor(operand) ? moved(operand) : operand))];
}
