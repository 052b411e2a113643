// Functions and methods of every op record, derived from the table: nothing here names an operation.

import type { Device } from "./device/device.js";
import { dispatch } from "./dispatch.js";
import type { DType } from "./dtype.js";
import { type Functor, functorOfOp } from "./functor.js";
import type { Operand } from "./operand.js";
import { ops } from "./ops/index.js";
import type { Op, Scalar } from "./ops/op.js";
import { attach, emptyTensor, outputOf, type Tensor } from "./tensor.js";

/** Options of every operation. */
export interface OpOptions {
  /** The tensor to write the result into: of the result's shape, and of its kind of dtype or a higher one. */
  readonly out?: Tensor;
}

/** An operation of one tensor. */
export type UnaryFunction = (a: Tensor, options?: OpOptions) => Tensor;
/** An operation of two operands; at least one of them is a tensor. */
export type BinaryFunction = (a: Tensor | Scalar, b: Tensor | Scalar, options?: OpOptions) => Tensor;
/** An operation of three operands; at least one of them is a tensor. */
export type TernaryFunction = (
  a: Tensor | Scalar,
  b: Tensor | Scalar,
  c: Tensor | Scalar,
  options?: OpOptions,
) => Tensor;

/** The method of an op record: its first operand is the tensor itself. */
type Method<O> = O extends { readonly arity: 1 }
  ? (options?: OpOptions) => Tensor
  : O extends { readonly arity: 2 }
    ? (b: Tensor | Scalar, options?: OpOptions) => Tensor
    : (b: Tensor | Scalar, c: Tensor | Scalar, options?: OpOptions) => Tensor;

/** The method that writes into the tensor itself. */
type InPlaceMethod<O> = O extends { readonly arity: 1 }
  ? () => Tensor
  : O extends { readonly arity: 2 }
    ? (b: Tensor | Scalar) => Tensor
    : (b: Tensor | Scalar, c: Tensor | Scalar) => Tensor;

type Table = typeof ops;
/** Every operation as a method, with the documentation of its record. */
export type OpMethods = { readonly [K in keyof Table]: Method<Table[K]> };
/** Every operation as a method that writes into its tensor and returns it. */
export type InPlaceMethods = { readonly [K in keyof Table as `${K}_`]: InPlaceMethod<Table[K]> };
/** The methods that a Tensor has from the op table. */
export interface TensorOps extends OpMethods, InPlaceMethods {}

// The class stands below this file, so its methods are declared from here.
declare module "./tensor.js" {
  interface Tensor extends TensorOps {}
}

const functors = new Map<string, Functor>();

/** The functor of an operation; made at first use. */
export function opFunctor(name: string): Functor | undefined {
  let functor = functors.get(name);
  if (!functor && Object.hasOwn(ops, name)) {
    functor = functorOfOp(name, ops[name as keyof Table]);
    functors.set(name, functor);
  }
  return functor;
}

const functorKey = Symbol("functor");

/** The functor behind a function of the library or one made by jl.jit; undefined for any other value. */
export function functorOf(fn: unknown): Functor | undefined {
  if (typeof fn !== "function") return undefined;
  return (fn as { [functorKey]?: () => Functor })[functorKey]?.();
}

/** Lets `functorOf` find a function's functor. */
export function tagFunctor<F extends object>(fn: F, functor: () => Functor): F {
  Object.defineProperty(fn, functorKey, { value: functor });
  return fn;
}

/** The function of an operation by its name in the table. */
export function opFunction<F>(name: keyof Table): F {
  const op: Op = ops[name];
  const functor = () => opFunctor(name) as Functor;
  const fn = functionOf(op.arity, functor);
  Object.defineProperty(fn, "name", { value: name });
  return tagFunctor(fn, functor) as F;
}

/** A function of that many operands and options. */
export function functionOf(arity: 1 | 2 | 3, functor: () => Functor): object {
  const make = (shape: readonly number[], strides: readonly number[], dtype: DType, device: Device) =>
    emptyTensor(shape, strides, dtype, device);
  const run = (operands: Operand[], options: OpOptions | undefined): Tensor =>
    dispatch(
      functor(),
      operands,
      make,
      options?.out ? { out: [outputOf(options.out)] } : undefined,
    )[0] as Tensor;
  const byArity = {
    1: (a: Tensor, options?: OpOptions) => run([a], options),
    2: (a: Operand, b: Operand, options?: OpOptions) => run([a, b], options),
    3: (a: Operand, b: Operand, c: Operand, options?: OpOptions) => run([a, b, c], options),
  };
  return byArity[arity];
}

/** The method of a function: its first operand is the tensor itself. */
export function methodOf(fn: (...args: unknown[]) => Tensor): (this: Tensor, ...args: unknown[]) => Tensor {
  return function (this: Tensor, ...args: unknown[]): Tensor {
    return fn(this, ...args);
  };
}

for (const name of Object.keys(ops) as (keyof Table)[]) {
  const fn = opFunction<(...args: unknown[]) => Tensor>(name);
  const inPlace = function (this: Tensor, ...args: unknown[]): Tensor {
    return fn(this, ...args, { out: this });
  };
  const functor = () => opFunctor(name) as Functor;
  attach(name, tagFunctor(methodOf(fn), functor));
  attach(`${name}_`, tagFunctor(inPlace, functor));
}
