// jl.grad and its kin: derivatives of functions of trees of tensors.
import { types } from "node:util";
import { checkFunction, optionsOf } from "../base/arguments.js";
import type { DTypeName } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import { sameNumbers } from "../geometry/layout.js";
import { openGraph } from "../launch/graph.js";
import { constant, openSink, sendTo } from "../launch/sink.js";
import { ones, zeros } from "../tensor/create.js";
import { Tensor } from "../tensor/tensor.js";
import { Recorder } from "./recorder.js";
import type { Active } from "./rule.js";
import { isFloat, mapTree, tensorsIn } from "./tree.js";

/** A function of any arguments. */
// biome-ignore lint/suspicious/noExplicitAny: a function of any arguments
type Fn<R> = (...args: any[]) => R;

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

type Chosen<A extends readonly unknown[], N> = N extends readonly number[]
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
  const { argnums = 0 } = optionsOf(what, options, ["argnums"]);
  const positions: readonly unknown[] = Array.isArray(argnums) ? argnums : [argnums];
  if (
    positions.length === 0 ||
    !positions.every((one) => Number.isSafeInteger(one) && (one as number) >= 0)
  ) {
    throw new JitlabError(
      "bad-argument",
      `${what}: argnums cannot be ${show(argnums)}.`,
      "It is the position of an argument, or several: argnums: [0, 1].",
    );
  }
  return (args) => {
    const given = args.slice();
    return recorded(what, (recorder) => {
      const trees = (positions as readonly number[]).map((at) => {
        const own = copied(args[at]);
        given[at] = own;
        return own;
      });
      const leaves = trees.map((tree) => watched(recorder, tree));
      if (leaves.every(({ size }) => size === 0))
        throw noTensor(what, positions.join(", "), args[positions[0] as number]);
      const value = runIn(recorder, what, () => fn(...given));
      pullLoss(what, recorder, value);
      const found = trees.map((tree, i) => derivatives(tree, leaves[i] as Leaves));
      return { value, grad: Array.isArray(argnums) ? found : found[0] };
    });
  };
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
  return recorded(what, (recorder) => {
    const leaves = watched(recorder, parameters);
    if (leaves.size === 0) throw noTensor(what, "the parameters", parameters);
    const value = runIn(recorder, what, loss);
    pullLoss(what, recorder, value);
    return { value, grad: derivatives(parameters, leaves) as GradOf<P> };
  });
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
  refuseGraph(what);
  const recorder = new Recorder(openSink());
  try {
    const own = copied(args) as Parameters<F>;
    const leaves = watched(recorder, own);
    const value = runIn(recorder, what, () => fn(...own)) as ReturnType<F>;
    let isUsed = false;
    const pull = (cotangent: GradOf<ReturnType<F>>): GradOf<Parameters<F>> => {
      if (isUsed) throw new JitlabError("bad-argument", "vjp: pull was already called.", "Call vjp again.");
      const pairs = pairsOf(value, cotangent);
      isUsed = true;
      try {
        recorder.pull(pairs);
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

/** The results and their cotangents. */
function pairsOf(value: unknown, cotangent: unknown): (readonly [Tensor, Tensor])[] {
  const floats = tensorsIn(value).filter(isFloat);
  const given = tensorsIn(cotangent);
  const isFit = floats.every(({ shape }, i) => sameNumbers(shape, given[i]?.shape ?? []));
  if (floats.length === given.length && isFit) return floats.map((x, i) => [x, given[i] as Tensor] as const);
  const shapes = (list: readonly Tensor[]) => list.map(({ shape }) => `[${shape.join(", ")}]`).join(", ");
  throw new JitlabError(
    "shape-mismatch",
    `vjp: the cotangents have the shapes ${shapes(given)}, the results ${shapes(floats)}.`,
    "Pass a tensor for each floating tensor of the result, in the same structure and shape.",
  );
}

/**
 * A tensor that counts as a constant where it is differentiated; or the result of a function whose operations do.
 *
 * @example jl.grad((x) => x.mul(jl.stopGradient(x)).sum())(jl.tensor([3])).toArray() // [3]
 */
export function stopGradient<D extends DTypeName>(x: Tensor<D>): Tensor<D>;
export function stopGradient<T>(run: () => T): T;
export function stopGradient(given: Tensor | (() => unknown)): unknown {
  if (!(given instanceof Tensor)) {
    checkFunction("stopGradient", "a tensor or what to run", given);
    return constant(given);
  }
  // The elements have a derivative, a copy has none.
  return openSink()?.constant === undefined ? given : constant(() => given.clone());
}

/** A tree with copies: a tensor that is also another argument, or that a function knows from elsewhere, is a constant there. */
function copied(tree: unknown): unknown {
  return mapTree(tree, (x) => (isFloat(x) ? x.clone() : x), true);
}

/** Runs with a recorder, which is closed in every case. */
function recorded<R>(what: string, run: (recorder: Recorder) => R): R {
  refuseGraph(what);
  const recorder = new Recorder(openSink());
  try {
    return run(recorder);
  } finally {
    recorder.release();
  }
}

function refuseGraph(what: string): void {
  if (openGraph() === undefined) return;
  throw new JitlabError(
    "no-derivative",
    `${what} cannot be called while a graph is recorded.`,
    "Compile it instead: jl.compile(jl.valueAndGrad(f)).",
  );
}

function runIn<R>(recorder: Recorder, what: string, run: () => R): R {
  const before = sendTo(recorder);
  let value: R;
  try {
    value = run();
  } finally {
    sendTo(before);
  }
  if (!types.isPromise(value)) return value;
  value.then(undefined, () => {});
  throw new JitlabError(
    "no-derivative",
    `${what}: the function is async.`,
    "What is differentiated runs without waiting: load data before, and pass it as an argument.",
  );
}

/** The float tensors of a tree, with what is watched of each. */
type Leaves = ReadonlyMap<Tensor, Active>;

function watched(recorder: Recorder, tree: unknown): Leaves {
  return new Map(
    tensorsIn(tree)
      .filter(isFloat)
      .map((x) => [x, recorder.watch(x)]),
  );
}

function derivatives(tree: unknown, leaves: Leaves): unknown {
  return mapTree(tree, (x) => {
    const own = leaves.get(x);
    if (own === undefined) return undefined;
    const { window, adjoint } = own;
    return adjoint.isEmpty
      ? zeros([...x.shape], { dtype: x.dtype.name, device: x.device.name })
      : adjoint.of(window);
  });
}

function pullLoss(what: string, recorder: Recorder, value: unknown): void {
  if (!(value instanceof Tensor) || value.size !== 1 || !isFloat(value)) {
    const found =
      value instanceof Tensor ? `${value.dtype.name} of shape [${value.shape.join(", ")}]` : show(value);
    throw new JitlabError(
      "no-derivative",
      `${what}: the function returned ${found}, not one floating number as a tensor.`,
      value instanceof Tensor && value.size !== 1
        ? "Reduce it, for example with sum() or mean(); jl.vjp takes functions with other results."
        : "Return a tensor with one element of a floating dtype.",
    );
  }
  recorder.pull([[value, ones([...value.shape], { dtype: value.dtype.name, device: value.device.name })]]);
}

function noTensor(what: string, where: string, tree: unknown): JitlabError {
  const found = tree instanceof Tensor ? `a tensor of ${tree.dtype.name}` : show(tree);
  return new JitlabError(
    "no-derivative",
    `${what}: there is no floating tensor to differentiate by in ${/^\d/.test(where) ? `argument ${where}` : where}: ${found}.`,
    'Pass tensors of a floating dtype, alone or in arrays and objects; convert integers with .to("float32").',
  );
}
