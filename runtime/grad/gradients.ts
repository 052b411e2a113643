// jl.grad and its kin: derivatives of functions of trees of tensors.
import { checkFunction, optionsOf } from "../base/arguments.js";
import type { DTypeName } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import { beneathCasts, constant, openCasts, openSink } from "../launch/sink.js";
import { ones } from "../tensor/create.js";
import { Tensor } from "../tensor/tensor.js";
import { mapTree, tensorsIn } from "../tensor/tree.js";
import { Recorder } from "./recorder.js";
import {
  copied,
  derivatives,
  type Fn,
  type Leaves,
  pairsOf,
  recorded,
  refuseGraph,
  runIn,
  watched,
} from "./running.js";

/** The derivatives by a tree: tensors, arrays and objects keep their structure, other values are undefined. */
export type GradOf<T> = 0 extends 1 & T
  ? T
  : T extends Tensor<infer D>
    ? Tensor<D>
    : T extends (...args: never[]) => unknown
      ? undefined
      : T extends object
        ? { [K in keyof T]: GradOf<T[K]> }
        : undefined;

/** The derivatives by the argument at a position, or by those at several. */
export type Chosen<A extends readonly unknown[], N> = N extends readonly number[]
  ? { [K in keyof N]: N[K] extends number ? GradOf<A[N[K]]> : never }
  : N extends number
    ? GradOf<A[N]>
    : never;

/** Options of grad and valueAndGrad. */
export interface GradOptions<N extends number | readonly number[] = 0> {
  /** The position of the argument to differentiate by, or several; default 0. */
  readonly argnums?: N;
}

/**
 * The function of the gradient of a function: of its result, a tensor with one element, by an argument.
 *
 * @example jl.grad((x) => x.square().sum())(jl.tensor([1, 2, 3])).toArray() // [2, 4, 6]
 */
export function grad<F extends Fn<Tensor>, const N extends number | readonly number[] = 0>(
  fn: F,
  options?: GradOptions<N>,
): (...args: Parameters<F>) => Chosen<Parameters<F>, N> {
  const both = differentiated("grad", fn, options);
  return (...args) => both(args).grad as Chosen<Parameters<F>, N>;
}

/**
 * The function of the value and the gradient of a function: of its result, a tensor with one element, by an argument.
 *
 * @example jl.valueAndGrad((x) => x.square().sum())(jl.tensor([1, 2, 3])).value.item() // 14
 */
export function valueAndGrad<F extends Fn<Tensor>, const N extends number | readonly number[] = 0>(
  fn: F,
  options?: GradOptions<N>,
): (...args: Parameters<F>) => { value: ReturnType<F>; grad: Chosen<Parameters<F>, N> } {
  const both = differentiated("valueAndGrad", fn, options);
  return (...args) => both(args) as { value: ReturnType<F>; grad: Chosen<Parameters<F>, N> };
}

function differentiated(
  what: string,
  fn: Fn<Tensor>,
  options: GradOptions<number | readonly number[]> | undefined,
): (args: unknown[]) => { value: unknown; grad: unknown } {
  checkFunction(what, "what to differentiate", fn);
  const { positions, isList } = checkedPositions(what, options);
  const run = (own: Fn<Tensor>, args: unknown[]) => {
    const given = args.slice();
    return recorded(what, (recorder) => {
      const trees = positions.map((at) => {
        const own = copied(args[at]);
        given[at] = own;
        return own;
      });
      const leaves = trees.map((tree) => watched(recorder, tree));
      if (leaves.every(({ size }) => size === 0))
        throw noTensor(what, positions.join(", "), args[positions[0] as number]);
      const value = runIn(recorder, what, () => own(...given));
      pullLoss(what, recorder, value);
      const found = trees.map((tree, i) => derivatives(tree, leaves[i] as Leaves));
      return { value, grad: isList ? found : found[0] };
    });
  };
  return (args) => beneathCasts(fn, (own) => run(own, args));
}

/** The positions of the arguments to differentiate by, and whether they were given as a list. */
export function checkedPositions(
  what: string,
  options: GradOptions<number | readonly number[]> | undefined,
): { readonly positions: readonly number[]; readonly isList: boolean } {
  const { argnums = 0 } = optionsOf(what, options, ["argnums"]);
  const isList = Array.isArray(argnums);
  const positions: readonly unknown[] = isList ? argnums : [argnums];
  const areIntegers = positions.every((one) => Number.isSafeInteger(one) && (one as number) >= 0);
  if (positions.length > 0 && areIntegers && new Set(positions).size === positions.length)
    return { positions: positions as readonly number[], isList };
  throw new JitlabError(
    "bad-argument",
    `${what}: argnums cannot be ${show(argnums)}.`,
    "It is the position of an argument, or several, each once: argnums: [0, 1].",
  );
}

/**
 * The value of a function without arguments, a tensor with one element, and its gradient by the tensors in a tree that it
 * reads from its surroundings.
 *
 * @example ((w) => jl.gradients(() => w.square().sum(), w).grad.toArray())(jl.tensor([1, 2])) // [2, 4]
 */
export function gradients<P, L extends Tensor>(loss: () => L, parameters: P): { value: L; grad: GradOf<P> } {
  const what = "gradients";
  checkFunction(what, "what to differentiate", loss);
  return beneathCasts(loss, (own) =>
    recorded(what, (recorder) => {
      const leaves = watched(recorder, parameters);
      if (leaves.size === 0) throw noTensor(what, "the parameters", parameters);
      const value = runIn(recorder, what, own);
      pullLoss(what, recorder, value);
      return { value, grad: derivatives(parameters, leaves) as GradOf<P> };
    }),
  );
}

/**
 * The value of a function, and the function that takes cotangents of its results to those of its arguments, once.
 *
 * @example jl.vjp((x) => x.sin(), jl.zeros([2])).pull(jl.tensor([3, 4]))[0].toArray() // [3, 4]
 */
export function vjp<F extends Fn<unknown>>(
  fn: F,
  ...args: Parameters<F>
): { value: ReturnType<F>; pull: (cotangent: GradOf<ReturnType<F>>) => GradOf<Parameters<F>> } {
  const what = "vjp";
  checkFunction(what, "what to differentiate", fn);
  return beneathCasts(fn, (own) => recordedVjp(what, own, args));
}

function recordedVjp<F extends Fn<unknown>>(what: string, fn: F, args: Parameters<F>) {
  refuseGraph(what);
  const recorder = new Recorder(openSink());
  try {
    const own = copied(args) as Parameters<F>;
    const leaves = watched(recorder, own);
    const value = runIn(recorder, what, () => fn(...own)) as ReturnType<F>;
    const ends = recorder.ends(tensorsIn(value));
    let isUsed = false;
    const pull = (cotangent: GradOf<ReturnType<F>>): GradOf<Parameters<F>> => {
      const casts = openCasts();
      if (casts) return casts.beneath(() => pull(cotangent));
      if (isUsed) throw new JitlabError("bad-argument", "vjp: pull was already called.", "Call vjp again.");
      const pairs = pairsOf("vjp: the cotangents of the results", value, cotangent);
      isUsed = true;
      try {
        recorder.pull(pairs, ends);
        return derivatives(own, leaves) as GradOf<Parameters<F>>;
      } finally {
        recorder.release();
      }
    };
    return { value, pull };
  } catch (error) {
    recorder.release();
    throw error;
  }
}

/**
 * A copy of a tensor that counts as a constant where it is differentiated; or the result of a function whose operations do, with
 * copies of the tensors in it.
 *
 * @example jl.grad((x) => x.mul(jl.stopGradient(x)).sum())(jl.tensor([3])).toArray() // [3]
 */
export function stopGradient<D extends DTypeName>(x: Tensor<D>): Tensor<D>;
export function stopGradient<T>(run: () => T): T;
export function stopGradient(given: Tensor | (() => unknown)): unknown {
  if (!(given instanceof Tensor)) checkFunction("stopGradient", "a tensor or what to run", given);
  // A function may return a tensor from outside, whose elements have a derivative. Copies are made without derivatives too, so that a
  // later write gives the same value there.
  return constant(() => mapTree(given instanceof Tensor ? given : given(), (x) => x.clone(), true));
}

function pullLoss(what: string, recorder: Recorder, value: unknown): void {
  if (!(value instanceof Tensor) || value.size !== 1 || value.dtype.kind !== "float") {
    const found =
      value instanceof Tensor ? `${value.dtype.name} of shape [${value.shape.join(", ")}]` : show(value);
    throw new JitlabError(
      "no-derivative",
      `${what}: the function returned ${found}, not one floating number as a tensor.`,
      value instanceof Tensor && value.size !== 1
        ? "Reduce it, for example with sum() or mean(); jl.vjp takes functions with other results."
        : "Return a tensor with one element of a floating dtype; of a complex number, for example, abs() or real().",
    );
  }
  recorder.pull([[value, ones([...value.shape], { dtype: value.dtype.name, device: value.device.name })]]);
}

/** The error for arguments without a floating tensor. */
export function noTensor(what: string, where: string, tree: unknown): JitlabError {
  const found = tree instanceof Tensor ? `a tensor of ${tree.dtype.name}` : show(tree);
  return new JitlabError(
    "no-derivative",
    `${what}: there is no floating tensor to differentiate by in ${/^\d/.test(where) ? `argument ${where}` : where}: ${found}.`,
    'Pass tensors of a floating dtype, alone or in arrays and plain objects (not of a class); convert integers with .to("float32").',
  );
}
