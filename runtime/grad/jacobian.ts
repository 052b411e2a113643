// jl.jvp, jl.jacobian and jl.hessian: derivatives of functions with any results, from pulls of the recorder.
import { checkFunction } from "../base/arguments.js";
import { beneathCasts } from "../launch/sink.js";
import { vmap } from "../loops/vmap.js";
import { eye, zeros } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";
import { isFloat, mapTree } from "../tensor/tree.js";
import {
  type Chosen,
  checkedPositions,
  type GradOf,
  type GradOptions,
  grad,
  noTensor,
  vjp,
} from "./gradients.js";
import { copied, derivatives, type Fn, pairsOf, recorded, runIn, watched } from "./running.js";

/**
 * The value of a function, and the derivative of its results along tangents of its arguments.
 *
 * @example jl.jvp((x) => x.square(), [jl.tensor([1, 2])], [jl.tensor([1, 10])]).tangent.toArray() // [2, 40]
 */
export function jvp<F extends Fn<unknown>>(
  fn: F,
  args: Parameters<F>,
  tangents: GradOf<Parameters<F>>,
): { value: ReturnType<F>; tangent: GradOf<ReturnType<F>> } {
  const what = "jvp";
  checkFunction(what, "what to differentiate", fn);
  // The pull is linear in the cotangents of the results: its own pull takes tangents of the arguments to those of the results.
  return beneathCasts(fn, (own) =>
    recorded(what, (outer) => {
      const { value, cotangents, leaves, pulled } = runIn(outer, what, () => {
        const { value, pull } = vjp(own, ...args);
        const cotangents = mapTree(value, (x) =>
          isFloat(x) ? zeros([...x.shape], { dtype: x.dtype.name, device: x.device.name }) : undefined,
        );
        const leaves = watched(outer, cotangents);
        return { value, cotangents, leaves, pulled: pull(cotangents as GradOf<ReturnType<F>>) };
      });
      outer.pull(pairsOf(`${what}: the tangents of the arguments`, pulled, tangents));
      return { value, tangent: derivatives(cotangents, leaves) as GradOf<ReturnType<F>> };
    }),
  );
}

/** The derivatives of each floating tensor of a tree by each of another. */
export type JacobianOf<R, G> = 0 extends 1 & R
  ? R
  : R extends Tensor
    ? G
    : R extends (...args: never[]) => unknown
      ? undefined
      : R extends object
        ? { [K in keyof R]: JacobianOf<R[K], G> }
        : undefined;

/**
 * The function of the derivatives of all elements of a function's results by all elements of an argument: a tensor of the shape
 * of the result, then that of the argument.
 *
 * @example jl.jacobian((x) => x.square())(jl.tensor([1, 2])).toArray() // [[2, 0], [0, 4]]
 */
export function jacobian<F extends Fn<unknown>, const N extends number | readonly number[] = 0>(
  fn: F,
  options?: GradOptions<N>,
): (...args: Parameters<F>) => JacobianOf<ReturnType<F>, Chosen<Parameters<F>, N>> {
  const what = "jacobian";
  checkFunction(what, "what to differentiate", fn);
  const { positions, isList } = checkedPositions(what, options);
  const run = (own: F, args: Parameters<F>) => {
    return recorded(what, (recorder) => {
      const given: unknown[] = args.slice();
      const trees = positions.map((at) => {
        given[at] = copied(args[at]);
        return given[at];
      });
      const leaves = trees.map((tree) => watched(recorder, tree));
      if (leaves.every(({ size }) => size === 0))
        throw noTensor(what, positions.join(", "), args[positions[0] as number]);
      const value = runIn(recorder, what, () => own(...given));
      const wholeTree = isList ? trees : trees[0];
      const all = new Map(leaves.flatMap((one) => [...one]));
      const found = mapTree(value, (y) => {
        if (!isFloat(y)) return undefined;
        const place = { dtype: y.dtype.name, device: y.device.name } as const;
        const unit = eye(y.size, y.size, place);
        // One pull for all rows.
        const rows = vmap((row: Tensor) => {
          recorder.pull([[y, row.view([...y.shape])]]);
          const found = derivatives(wholeTree, all);
          for (const { adjoint } of all.values()) adjoint.clear();
          return found;
        })(unit);
        return mapTree(rows, (g) => g.reshape([...y.shape, ...g.shape.slice(1)]));
      });
      return found as JacobianOf<ReturnType<F>, Chosen<Parameters<F>, N>>;
    });
  };
  return (...args) => beneathCasts(fn, (own) => run(own, args));
}

/**
 * The function of the second derivatives of a function, whose result is a tensor with one element, by an argument: of the shape
 * of the argument twice.
 *
 * @example jl.hessian((x) => x.pow(3).sum())(jl.tensor([1, 2])).toArray() // [[6, 0], [0, 12]]
 */
export function hessian<F extends Fn<Tensor>, const N extends number | readonly number[] = 0>(
  fn: F,
  options?: GradOptions<N>,
): (...args: Parameters<F>) => JacobianOf<Chosen<Parameters<F>, N>, Chosen<Parameters<F>, N>> {
  checkFunction("hessian", "what to differentiate", fn);
  checkedPositions("hessian", options);
  return jacobian(grad(fn, options), options) as (
    ...args: Parameters<F>
  ) => JacobianOf<Chosen<Parameters<F>, N>, Chosen<Parameters<F>, N>>;
}
