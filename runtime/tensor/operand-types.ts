// The dtypes of results, as far as the operands' types determine them.

import type { DTypeName } from "../base/dtype.js";
import type { Scalar } from "../ops/op.js";
import type { AnyDType, Joined, JoinedScalar } from "./element-types.js";
import type { Tensor } from "./tensor.js";

/** The other operand of an operation on a tensor. */
export type Operand = Tensor | Scalar;

/** The common dtype of a tensor of dtype `D` and another operand. */
export type Common<D extends DTypeName, B> = B extends Tensor<infer E> ? Joined<D, E> : JoinedScalar<D, B>;

/** The common dtype of two operands. */
export type CommonOf<A, B> =
  A extends Tensor<infer D> ? Common<D, B> : B extends Tensor<infer E> ? JoinedScalar<E, A> : AnyDType;
