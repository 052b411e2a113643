// Tensors as plain lists, for tests: a view is the list of places in its base, made by enumeration instead of strides; and
// the reference evaluator, which runs an operation's definition over such lists.

import { codeOf, commonDType } from "../../dist/runtime/functor/operand.js";
import * as jl from "../../dist/runtime/index.js";
import type { DType, DTypeName } from "../../runtime/base/dtype.js";
import type { Op, Scalar } from "../../runtime/ops/op.js";
import { dtypes, planOf, roundTo } from "./functor-harness.js";
import { convert } from "./golden.js";

/** A tensor and what it must hold: element `i` in row-major order is `base[places[i]]`. */
export interface Modelled {
  readonly tensor: jl.Tensor;
  readonly shape: readonly number[];
  readonly places: readonly number[];
  /** The elements of the memory that the tensor is a view of, and the tensor over all of it. */
  readonly base: Scalar[];
  readonly whole: jl.Tensor;
}

const product = (shape: readonly number[]) => shape.reduce((a, b) => a * b, 1);

/** The index of element `i` in row-major order. */
function indexOf(i: number, shape: readonly number[]): number[] {
  const index = new Array<number>(shape.length);
  for (let d = shape.length - 1, rest = i; d >= 0; d--) {
    const extent = shape[d] as number;
    index[d] = rest % extent;
    rest = Math.floor(rest / extent);
  }
  return index;
}

function placeOf(index: readonly number[], shape: readonly number[]): number {
  return index.reduce((place, i, d) => place * (shape[d] as number) + i, 0);
}

/** The places of a view of `shape` whose element at an index is the one of `from` at `source(index)`. */
function through(
  from: { readonly shape: readonly number[]; readonly places: readonly number[] },
  shape: readonly number[],
  source: (index: readonly number[]) => readonly number[],
): number[] {
  return Array.from(
    { length: product(shape) },
    (_, i) => from.places[placeOf(source(indexOf(i, shape)), from.shape)] as number,
  );
}

/** How a dimension of a view lies in its base. */
export interface Dimension {
  /** Distance of its elements in the base's dimension, backwards where negative; 0 repeats one element. */
  readonly step: number;
  /** Elements of the base before the first one used. */
  readonly skip: number;
}

/** A new tensor of a shape whose dimensions lie in their base as said, the base's dimensions in the order `order`. */
export function model(
  shape: readonly number[],
  dimensions: readonly Dimension[],
  order: readonly number[],
  dtype: DTypeName,
  element: (i: number) => Scalar,
  device: string,
): Modelled {
  const room = shape.map((extent, d) => {
    const { step, skip } = dimensions[d] as Dimension;
    return step === 0 ? 1 : skip + Math.max(extent, 0) * Math.abs(step);
  });
  const baseShape = order.map((d) => room[d] as number);
  const base = Array.from({ length: product(baseShape) }, (_, i) => element(i));
  const whole = jl.tensor(base as never, { dtype, device }).reshape(...baseShape);
  const inverse = shape.map((_, d) => order.indexOf(d));
  let tensor = shape.length > 0 ? whole.permute(...inverse) : whole;
  const text = dimensions
    .map(({ step, skip }, d) => {
      const extent = shape[d] as number;
      if (step === 0 || extent === 0) return step === 0 ? ":" : "0:0";
      const last = skip + extent * Math.abs(step) - 1;
      return step > 0 ? `${skip}:${last + 1}:${step}` : `${last}:${skip === 0 ? "" : skip - 1}:${step}`;
    })
    .join(", ");
  tensor = tensor.slice(text).expand(...shape);
  const places = through({ shape: baseShape, places: base.map((_, i) => i) }, shape, (index) => {
    const inBase = index.map((i, d) => {
      const { step, skip } = dimensions[d] as Dimension;
      if (step === 0) return 0;
      const last = skip + (shape[d] as number) * Math.abs(step) - 1;
      return step > 0 ? skip + i * step : last + i * step;
    });
    return order.map((d) => inBase[d] as number);
  });
  return { tensor, shape, places, base, whole };
}

/** The elements of a tensor in row-major order; integers of every width as bigints. */
export function elementsOf(x: jl.Tensor): Scalar[] {
  const { kind } = x.dtype;
  const flat = (x.ndim === 0 ? [x.item()] : (x.toArray() as unknown[]).flat(20)) as Scalar[];
  return kind === "signed" || kind === "unsigned" ? flat.map((value) => BigInt(value as number)) : flat;
}

/** The result of an operation by its definition: shape, dtype and elements; undefined where it refuses the dtypes. */
export function evaluate(
  op: Op,
  operands: readonly (Modelled | Scalar)[],
): { shape: number[]; dtype: DType; elements: Scalar[] } | undefined {
  const roles = op.operands ?? operands.map(() => "common" as const);
  const values = operands.map((operand) => (isModelled(operand) ? operand.tensor : operand));
  const counted = values.filter((_, i) => roles[i] === "common");
  const common = dtypes[commonDType(counted.map((value) => codeOf(value, "evaluate"))).name];
  const plan = planOf(op, common);
  if ("refuse" in plan) return undefined;
  const ndim = Math.max(...operands.map((operand) => (isModelled(operand) ? operand.shape.length : 0)));
  const shape = Array.from({ length: ndim }, (_, d) => {
    const extents = operands.flatMap((operand) => {
      if (!isModelled(operand)) return [];
      const extent = operand.shape[d - ndim + operand.shape.length];
      return extent === undefined ? [] : [extent];
    });
    return extents.find((extent) => extent !== 1) ?? 1;
  });
  const columns = operands.map((operand) => {
    if (!isModelled(operand)) return () => operand;
    const lead = ndim - operand.shape.length;
    return (index: readonly number[]) => {
      const own = operand.shape.map((extent, d) => (extent === 1 ? 0 : (index[lead + d] as number)));
      return operand.base[operand.places[placeOf(own, operand.shape)] as number] as Scalar;
    };
  });
  const elements = Array.from({ length: product(shape) }, (_, i) => {
    const index = indexOf(i, shape);
    const args = columns.map((column, k) => {
      const role = roles[k] ?? "common";
      return convert(column(index), role === "common" ? plan.compute : dtypes[role]);
    });
    return stored(op.reference(...args), plan.out);
  });
  return { shape, dtype: plan.out, elements };
}

/** A value as it is stored in a dtype. */
export function stored(value: Scalar, dtype: DType): Scalar {
  if (dtype.kind === "bool") return Boolean(value);
  if (dtype.kind === "signed") return BigInt.asIntN(8 * dtype.bytes, BigInt(value as bigint | boolean));
  if (dtype.kind === "unsigned") return BigInt.asUintN(8 * dtype.bytes, BigInt(value as bigint | boolean));
  if (dtype.kind === "complex") return typeof value === "object" ? value : { re: Number(value), im: 0 };
  return roundTo(dtype, Number(value));
}

function isModelled(operand: Modelled | Scalar): operand is Modelled {
  return typeof operand === "object" && "places" in operand;
}
