// Parts of matrices: triangles and diagonals, by default of the last two dimensions.

import { countOf, integerOf, optionsOf, orOptions } from "../base/arguments.js";
import type { DTypeName } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { formatShape } from "../geometry/layout.js";
import { dimension, dimensionsOf } from "../geometry/views.js";
import { diagonal as diagonalOf } from "../geometry/windows.js";
import { arange, eye } from "./create.js";
import { cat } from "./join.js";
import { placeNames, type TensorOptions } from "./placement.js";
import { newTensor, type Tensor, tensorOf, windowOf } from "./tensor.js";

/**
 * The lower triangle of each matrix, up to a diagonal (0 is the main one, 1 the one above it); zero elsewhere.
 *
 * @example jl.ones([2, 3]).tril().toArray() // [[1, 0, 0], [1, 1, 0]]
 */
export function tril<D extends DTypeName>(x: Tensor<D>, diagonal = 0): Tensor<D> {
  return belowOf("tril", x, integerOf("tril", "diagonal", diagonal))
    .where(x, 0)
    .to(x.dtype.name) as Tensor<D>;
}

/**
 * The upper triangle of each matrix, from a diagonal on; zero elsewhere.
 *
 * @example jl.ones([2, 3]).triu(1).toArray() // [[0, 1, 1], [0, 0, 1]]
 */
export function triu<D extends DTypeName>(x: Tensor<D>, diagonal = 0): Tensor<D> {
  const below = belowOf("triu", x, integerOf("triu", "diagonal", diagonal) - 1);
  return below.logicalNot().where(x, 0).to(x.dtype.name) as Tensor<D>;
}

/** True on and below a diagonal of each matrix. */
function belowOf(what: string, x: Tensor, diagonal: number): Tensor {
  const [rows, columns] = tensorOf(what, x).shape.slice(-2);
  if (rows === undefined || columns === undefined) {
    throw new JitlabError(
      "bad-dimension",
      `${what}: the shape ${formatShape(x.shape)} is not one of matrices.`,
      "It takes two dimensions or more.",
    );
  }
  const place = { dtype: "int64", device: x.device.name } as const;
  return arange(diagonal, diagonal + rows, 1, place)
    .unsqueeze(1)
    .ge(arange(0, columns, 1, place));
}

/**
 * A diagonal of two dimensions as a new last dimension; a view. `offset` counts diagonals above the main one.
 *
 * @example jl.arange(4).reshape(2, 2).diagonal().toArray() // [0, 3]
 */
export function diagonal<D extends DTypeName>(x: Tensor<D>, offset = 0, dim1 = 0, dim2 = 1): Tensor<D> {
  return windowOf(
    tensorOf("diagonal", x),
    diagonalOf(x, integerOf("diagonal", "offset", offset), dim1, dim2),
  );
}

/**
 * Matrices with the last dimension of `x` on a diagonal, in two new dimensions; zero elsewhere.
 *
 * @example jl.tensor([1, 2]).diagEmbed().toArray() // [[1, 0], [0, 2]]
 */
export function diagEmbed<D extends DTypeName>(x: Tensor<D>, offset = 0, dim1 = -2, dim2 = -1): Tensor<D> {
  const length = tensorOf("diagEmbed", x).shape.at(-1);
  if (length === undefined) {
    throw new JitlabError(
      "bad-dimension",
      "diagEmbed: a 0-d tensor has no diagonal.",
      "It takes one dimension or more.",
    );
  }
  const by = integerOf("diagEmbed", "offset", offset);
  const [d1, d2] = dimensionsOf("diagEmbed", [dim1, dim2], x.ndim + 1) as [number, number];
  const extent = length + Math.abs(by);
  const rest = x.shape.slice(0, -1);
  const shape = Array.from({ length: x.ndim + 1 }, (_, d) =>
    d === d1 || d === d2 ? extent : (rest.shift() as number),
  );
  const result = newTensor("diagEmbed", shape, x.dtype, x.device.name).fill_(0);
  result.diagonal(by, d1, d2).copy_(x);
  return result;
}

/**
 * For a vector, the matrix with it on a diagonal; for a matrix, a copy of that diagonal.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).diag().toArray() // [1, 4]
 */
export function diag<D extends DTypeName>(x: Tensor<D>, offset = 0): Tensor<D> {
  if (tensorOf("diag", x).ndim === 1) return diagEmbed(x, offset);
  if (x.ndim === 2) return diagonal(x, offset).clone();
  throw new JitlabError(
    "bad-dimension",
    `diag: the shape ${formatShape(x.shape)} has ${x.ndim} dimensions.`,
    "It takes a vector or a matrix; diagonal and diagEmbed take more.",
  );
}

/**
 * Sum of the main diagonal of a matrix; of integers in int64.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).trace().item() // 5
 */
export function trace(x: Tensor): Tensor {
  if (tensorOf("trace", x).ndim === 2) return diagonal(x).sum();
  throw new JitlabError(
    "bad-dimension",
    `trace: the shape ${formatShape(x.shape)} has ${x.ndim} dimensions.`,
    "It takes a matrix; diagonal(...).sum(-1) takes more.",
  );
}

/**
 * The square matrix with ones on its diagonal, as eye.
 *
 * @example jl.identity(2).toArray() // [[1, 0], [0, 1]]
 */
export function identity(rows: number, options?: TensorOptions): Tensor {
  return eye(rows, rows, optionsOf("identity", options, placeNames));
}

/** Tensors that {@link diff} adds before and after the tensor first. */
export interface DiffOptions {
  /** Before the tensor; default: nothing. */
  readonly prepend?: Tensor;
  /** Behind the tensor; default: nothing. */
  readonly append?: Tensor;
}

/**
 * Differences of neighbors along a dimension, `n` times; for bool, whether they differ.
 *
 * @example jl.tensor([1, 4, 9]).diff().toArray() // [3, 5]
 */
export function diff(
  x: Tensor,
  n?: number | DiffOptions,
  dim?: number | DiffOptions,
  options?: DiffOptions,
): Tensor {
  const [along = -1, rest] = orOptions(dim, options);
  const [count = 1, given] = orOptions(n, rest);
  const d = dimension("diff", along, tensorOf("diff", x).ndim);
  const { prepend, append } = optionsOf("diff", given, ["prepend", "append"]);
  const times = countOf("diff", "n", count);
  const ends = [prepend, x, append].filter((part) => part !== undefined);
  const joined = ends.length > 1 ? cat(ends, d) : x;
  let result = joined;
  // Without elements there are no further differences.
  for (let i = 0; i < Math.min(times, joined.shape[d] as number); i++) {
    const length = Math.max(0, (result.shape[d] as number) - 1);
    const [upper, lower] = [
      result.narrow(d, Math.min(1, result.shape[d] as number), length),
      result.narrow(d, 0, length),
    ];
    result = joined.dtype.kind === "bool" ? upper.logicalXor(lower) : upper.sub(lower);
  }
  return result === x ? x.clone() : result;
}

/**
 * Every product of an element of a vector with one of another, as a matrix.
 *
 * @example jl.tensor([1, 2]).outer(jl.tensor([3, 4])).toArray() // [[3, 4], [6, 8]]
 */
export function outer(x: Tensor, other: Tensor): Tensor {
  for (const each of [tensorOf("outer", x), tensorOf("outer", other)]) {
    if (each.ndim === 1) continue;
    throw new JitlabError(
      "bad-dimension",
      `outer: the shape ${formatShape(each.shape)} is not that of a vector.`,
      "It takes two vectors; use ravel() first.",
    );
  }
  return x.unsqueeze(1).mul(other);
}
