// Methods that write into their tensor and are not operations of a record.

import type { DTypeName } from "../../base/dtype.js";
import type { Scalar } from "../../ops/op.js";
import { fitting, maskOf } from "../composed-operations.js";
import { type Tensor, tensorOf } from "../tensor.js";
import {
  type IndexAddOptions,
  reduceInto,
  rowsInto,
  type ScatterReduceOptions,
  type ScatterReduction,
  scaled,
  scatterInto,
} from "./scattering.js";

/**
 * Writes `value` where the mask is true.
 *
 * @example jl.arange(3).maskedFill_(jl.tensor([true, false, true]), 9).toArray() // [9, 1, 9]
 */
export function maskedFill_<D extends DTypeName>(
  x: Tensor<D>,
  mask: Tensor,
  value: Tensor | Scalar,
): Tensor<D> {
  const chosen = fitting("maskedFill_", tensorOf("maskedFill_", x), value);
  return x.copy_(maskOf("maskedFill_", mask).expand(x.shape).where(chosen, x));
}

/**
 * Writes the elements of `source`, or one value, at the positions along `dim` that the index names. If an index repeats, the last value stays.
 *
 * @example jl.zeros([3]).scatter_(0, jl.tensor([2n, 0n]), jl.tensor([5, 6])).toArray() // [6, 0, 5]
 */
export function scatter_<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  index: Tensor,
  source: Tensor | Scalar,
): Tensor<D> {
  scatterInto("scatter_", "assign", x, dim, index, source);
  return x;
}

/**
 * Adds the elements of `source` at the positions along `dim` that the index names.
 *
 * @example jl.zeros([3]).scatterAdd_(0, jl.tensor([1n, 1n]), jl.tensor([5, 6])).toArray() // [0, 11, 0]
 */
export function scatterAdd_<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  index: Tensor,
  source: Tensor,
): Tensor<D> {
  scatterInto("scatterAdd_", "sum", x, dim, index, source);
  return x;
}

/**
 * Joins the elements of `source` at the positions along `dim` that the index names: `sum`, `prod`, `mean`, `amax` or `amin`.
 *
 * @example jl.ones([2]).scatterReduce_(0, jl.tensor([1n, 1n]), jl.tensor([5, 6]), "amax").toArray() // [1, 6]
 */
export function scatterReduce_<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  index: Tensor,
  source: Tensor,
  reduce: ScatterReduction,
  options?: ScatterReduceOptions,
): Tensor<D> {
  reduceInto(x, dim, index, source, reduce, options);
  return x;
}

/**
 * Adds the sub-tensors of `source` at some indexes of a dimension.
 *
 * @example jl.zeros([2, 2]).indexAdd_(0, jl.tensor([1n]), jl.ones([1, 2])).toArray() // [[0, 0], [1, 1]]
 */
export function indexAdd_<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  index: Tensor,
  source: Tensor,
  options?: IndexAddOptions,
): Tensor<D> {
  rowsInto("indexAdd_", "sum", x, dim, index, scaled(source, options));
  return x;
}

/**
 * Writes the sub-tensors of `source` at some indexes of a dimension. If an index repeats, the last sub-tensor stays.
 *
 * @example jl.zeros([2, 2]).indexCopy_(0, jl.tensor([1n]), jl.tensor([[5, 6]])).toArray() // [[0, 0], [5, 6]]
 */
export function indexCopy_<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  index: Tensor,
  source: Tensor,
): Tensor<D> {
  rowsInto("indexCopy_", "assign", x, dim, index, source);
  return x;
}

/**
 * Writes one value at some indexes of a dimension.
 *
 * @example jl.zeros([3]).indexFill_(0, jl.tensor([1n]), 7).toArray() // [0, 7, 0]
 */
export function indexFill_<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  index: Tensor,
  value: Scalar,
): Tensor<D> {
  rowsInto("indexFill_", "assign", x, dim, index, value);
  return x;
}
