// The choice between two operands, and the indexes where a condition is true.
import type { Scalar } from "../../ops/op.js";
import { where as choose } from "../functions.js";
import { functorOf, type OpOptions, tagFunctor } from "../operations.js";
import { type Tensor, tensorOf } from "../tensor.js";
import { indexesWhere } from "./gathering.js";

interface Where {
  /** b where the condition a is true, c elsewhere. */
  (a: Tensor | Scalar, b: Tensor | Scalar, c: Tensor | Scalar, options?: OpOptions): Tensor;
  /** The indexes of the elements that are not 0, a vector for each dimension. */
  (a: Tensor): Tensor<"int64">[];
}

const chosen = (...args: unknown[]): unknown =>
  args.length === 1
    ? indexesWhere(tensorOf("where", args[0]))
    : (choose as (...args: unknown[]) => unknown)(...args);

/**
 * b where the condition a is true, c elsewhere; with only the condition, the indexes where it is true.
 *
 * @example jl.where(jl.tensor([true, false]), jl.tensor([1, 2]), 0).toArray() // [1, 0]
 */
export const where = tagFunctor(Object.defineProperty(chosen, "name", { value: "where" }), () => {
  const functor = functorOf(choose);
  if (functor === undefined) throw new Error("where is an operation");
  return functor;
}) as Where;
