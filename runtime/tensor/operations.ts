// Functions and methods of every op record, derived from the table: no operation is named here. functions.ts has their
// types.

import { checkOptions, isOptions } from "../base/arguments.js";
import { isRevoked, JitlabError } from "../base/errors.js";
import { type Functor, functorOfOp } from "../functor/functor.js";
import { type FormCall, formOf } from "../functor/op-form.js";
import type { Operand } from "../functor/operand.js";
import { dispatch } from "../launch/map-launch.js";
import { ops } from "../ops/index.js";
import type { Op } from "../ops/op.js";
import { isBeyond, scalarBeside } from "./scalar-range.js";
import { attach, emptyTensor, outputOf, Tensor } from "./tensor.js";

/** Options of every operation. */
export interface OpOptions {
  /** The tensor to write the result into: of the result's shape, and with a dtype of its kind or a higher one. */
  readonly out?: Tensor;
}

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

/** The functor of a function of the library or of jl.jit; undefined for other values. */
export function functorOf(fn: unknown): Functor | undefined {
  if (typeof fn !== "function" || isRevoked(fn)) return undefined;
  return (fn as { [functorKey]?: () => Functor })[functorKey]?.();
}

/** Registers a function's functor for `functorOf`. */
export function tagFunctor<F extends object>(fn: F, functor: () => Functor): F {
  Object.defineProperty(fn, functorKey, { value: functor });
  return fn;
}

/** The function of an operation by its name in the table. */
export function opFunction<F>(name: keyof Table): F {
  const op: Op = ops[name];
  let known: Functor | undefined;
  const functor = () => {
    known ??= opFunctor(name) as Functor;
    return known;
  };
  const whole = operationOf(op.arity, functor, (operands, options) => formOf(name, op, operands, options));
  const fn = op.without
    ? partial(name, whole as AnyFunction, op.without)
    : op.arity === 2
      ? ranged(whole as AnyFunction, op)
      : whole;
  const own = op.refusesInteger ? checked(name, fn as AnyFunction, op.refusesInteger) : fn;
  Object.defineProperty(own, "name", { value: name });
  return tagFunctor(own, functor) as F;
}

/** A function of two operands; an integer that the operation refuses beside a tensor is an error. */
function checked(name: string, fn: AnyFunction, refuses: NonNullable<Op["refusesInteger"]>): AnyFunction {
  return (a, b, options) => {
    const isInteger = typeof b === "bigint" || Number.isSafeInteger(b);
    const why = isInteger && a instanceof Tensor ? refuses(b as number | bigint, a.dtype) : undefined;
    if (why) throw new JitlabError("dtype-refused", `${name}: ${why[0]}`, why[1]);
    return fn(a, b, options);
  };
}

type AnyFunction = (...args: unknown[]) => Tensor;

/** A function of two operands; one may be a number out of the other tensor's range. */
function ranged(whole: AnyFunction, op: Op): AnyFunction {
  return (a, b, options) => {
    if (isBeyond(b, a)) return whole(...scalarBeside(op, a as Operand, b), options);
    if (!isBeyond(a, b)) return whole(a, b, options);
    const [tensor, scalar] = scalarBeside(op, b as Operand, a);
    return whole(scalar, tensor, options);
  };
}

/** A function of three operands, of which options may name two; without one of them, another operation replaces it. */
function partial(name: string, whole: AnyFunction, without: NonNullable<Op["without"]>): AnyFunction {
  const given = (operand: unknown) => operand !== undefined && operand !== null;
  const [[nameB, withoutB], [nameC, withoutC]] = Object.entries(without) as [
    [string, keyof Table],
    [string, keyof Table],
  ];
  const run: AnyFunction = (a, b, c, options) => {
    if (given(b) === given(c)) return whole(a, b, c, options);
    return opFunction<AnyFunction>(given(b) ? withoutC : withoutB)(a, given(b) ? b : c, options);
  };
  return (a, b, c, options) => {
    if (c !== undefined || !isOptions(b)) return run(a, b, c, options);
    checkOptions(name, b, [nameB, nameC, "out"]);
    const { [nameB]: first, [nameC]: second, ...rest } = b as Readonly<Record<string, unknown>>;
    return run(a, first, second, options === undefined ? rest : { ...rest, ...options });
  };
}

/** The form for a call's options: another functor, and the values of its parameters. */
type FormOf = (operands: readonly Operand[], options: object) => FormCall | undefined;

/** A function of that many operands and options. */
export function operationOf(arity: 1 | 2 | 3, functor: () => Functor, formOf: FormOf): object {
  const run = (operands: Operand[], options: OpOptions | undefined): Tensor => {
    if (options === undefined) return dispatch(functor(), operands, emptyTensor)[0] as Tensor;
    const form = onlyOut(options) ? undefined : formOf(operands, options);
    return dispatch(form?.functor ?? functor(), operands, emptyTensor, {
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

/** The method of a function: its first operand is the tensor. */
export function methodOf<R>(fn: (...args: unknown[]) => R): (this: Tensor, ...args: unknown[]) => R {
  return function (this: Tensor, ...args: unknown[]): R {
    return fn(this, ...args);
  };
}

/** True for the options of most calls, checked without listing their keys. */
function onlyOut(options: object): boolean {
  if (!isOptions(options)) return false;
  for (const key in options) if (key !== "out") return false;
  return true;
}

/** A call's options with the tensor to write into. The function rejects anything that is not an object of options. */
function into(tensor: Tensor, own: unknown): unknown {
  if (own === undefined) return { out: tensor };
  return isOptions(own) ? { ...own, out: tensor } : own;
}

/** The method that writes a function's result into its first operand. */
function inPlaceOf(fn: AnyFunction, arity: 1 | 2 | 3): (this: Tensor, ...args: unknown[]) => Tensor {
  const byArity = {
    1(this: Tensor, own: unknown) {
      return fn(this, into(this, own));
    },
    2(this: Tensor, a: unknown, own: unknown) {
      return fn(this, a, into(this, own));
    },
    3(this: Tensor, a: unknown, b: unknown, own: unknown) {
      return fn(this, a, b, into(this, own));
    },
  };
  return byArity[arity];
}

/**
 * The function of an operation for its methods, whose tensor is the first operand. If that is a condition, PyTorch's method,
 * `x.where(mask, y)`, has it second: throws `bad-argument` for numbers with a bool tensor there.
 */
function ofMethods(name: keyof Table): AnyFunction {
  const fn = opFunction<AnyFunction>(name);
  const { operands }: Op = ops[name];
  if (operands?.[0] !== "bool") return fn;
  return (x, first, ...rest) => {
    const { dtype } = x as Tensor;
    if (dtype.kind === "bool" || !(first instanceof Tensor) || first.dtype.kind !== "bool")
      return fn(x, first, ...rest);
    throw new JitlabError(
      "bad-argument",
      `${name}: the tensor is ${dtype.name} and the first argument bool, but a method's tensor is the condition.`,
      `Write mask.${name}(x, y) for x where the mask is true. jl.${name}(x, a, b) has x as the condition.`,
    );
  };
}

for (const name of Object.keys(ops) as (keyof Table)[]) {
  const fn = ofMethods(name);
  const inPlace = inPlaceOf(fn, ops[name].arity);
  const functor = () => opFunctor(name) as Functor;
  const { aliases = [] }: Op = ops[name];
  for (const each of [name, ...aliases]) {
    attach(each, tagFunctor(methodOf(fn), functor));
    attach(`${each}_`, tagFunctor(inPlace, functor));
  }
}
