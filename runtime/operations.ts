// Functions and methods of every op record, derived from the table: nothing here names an operation. Their types stand in
// functions.ts.

import type { Device } from "./device/device.js";
import { dispatch } from "./dispatch.js";
import type { DType } from "./dtype.js";
import { type Functor, functorOfOp } from "./functor.js";
import { type FormCall, formOf } from "./op-form.js";
import type { Operand } from "./operand.js";
import { ops } from "./ops/index.js";
import type { Op, Scalar } from "./ops/op.js";
import { attach, emptyTensor, outputOf, Tensor } from "./tensor.js";

/** Options of every operation. */
export interface OpOptions {
  /** The tensor to write the result into: of the result's shape, and of its kind of dtype or a higher one. */
  readonly out?: Tensor;
}

/** The value of an option: the name of a choice, a boolean or a number. */
type ValueOf<V> = V extends { readonly choices: infer C }
  ? keyof C
  : V extends { readonly default: boolean }
    ? boolean
    : Scalar;

/** The values of an op record's own options. */
export type OptionsOf<O> = O extends { readonly options?: infer T }
  ? { readonly [K in keyof T]?: ValueOf<T[K]> }
  : never;

/** An operation of one tensor, with options `O` of its own. */
export type UnaryFunction<O = unknown> = (a: Tensor, options?: OpOptions & O) => Tensor;
/** An operation of two operands; at least one of them is a tensor. */
export type BinaryFunction<O = unknown> = (
  a: Tensor | Scalar,
  b: Tensor | Scalar,
  options?: OpOptions & O,
) => Tensor;
/** An operation of three operands; at least one of them is a tensor. */
export type TernaryFunction<O = unknown> = (
  a: Tensor | Scalar,
  b: Tensor | Scalar,
  c: Tensor | Scalar,
  options?: OpOptions & O,
) => Tensor;

type Table = typeof ops;
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
  const fn = functionOf(op.arity, functor, (operands, options) => formOf(name, op, operands, options));
  Object.defineProperty(fn, "name", { value: name });
  return tagFunctor(fn, functor) as F;
}

/** What a call's own options make of it: another functor, and the values of its parameters. */
type FormOf = (operands: readonly Operand[], options: object) => FormCall | undefined;

const make = (shape: readonly number[], strides: readonly number[], dtype: DType, device: Device) =>
  emptyTensor(shape, strides, dtype, device);

/** A function of that many operands and options. */
export function functionOf(arity: 1 | 2 | 3, functor: () => Functor, formOf: FormOf): object {
  const run = (operands: Operand[], options: OpOptions | undefined): Tensor => {
    if (options === undefined) return dispatch(functor(), operands, make)[0] as Tensor;
    const form = onlyOut(options) ? undefined : formOf(operands, options);
    return dispatch(form?.functor ?? functor(), operands, make, {
      out: options.out === undefined ? undefined : [outputOf(options.out)],
      parameters: form?.parameters,
    })[0] as Tensor;
  };
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

/** True for the options of most calls, told without a list of their keys. */
function onlyOut(options: object | null): boolean {
  if (typeof options !== "object" || options === null || options instanceof Tensor) return false;
  for (const key in options) if (key !== "out") return false;
  return true;
}

function isOptions(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Tensor) && !("re" in value);
}

for (const name of Object.keys(ops) as (keyof Table)[]) {
  const fn = opFunction<(...args: unknown[]) => Tensor>(name);
  const others = ops[name].arity - 1;
  const inPlace = function (this: Tensor, ...args: unknown[]): Tensor {
    const own = args[others];
    const operands = args.slice(0, others);
    while (operands.length < others) operands.push(undefined);
    // What is no object of options is refused as such by the function.
    const options = own === undefined ? { out: this } : isOptions(own) ? { ...own, out: this } : own;
    return fn(this, ...operands, options);
  };
  const functor = () => opFunctor(name) as Functor;
  attach(name, tagFunctor(methodOf(fn), functor));
  attach(`${name}_`, tagFunctor(inPlace, functor));
}
