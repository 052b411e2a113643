// Order along a dimension: sort and functions that use it. Equal elements keep their order, -0 and 0 are equal, and NaN is
// greater than every number.
import { integerOf, optionsOf, orOptions } from "../../base/arguments.js";
import type { DTypeName } from "../../base/dtype.js";
import { JitlabError } from "../../base/errors.js";
import { dimensionOrOnly } from "../../geometry/views.js";
import type { Placed } from "../statistics/reduce.js";
import { type Tensor, tensorOf } from "../tensor.js";
import { isSelection, selectRows } from "./select-rows.js";
import { argsortRows, sortRows } from "./sort-rows.js";

/** Options of sort and argsort. */
export interface SortOptions {
  /** The largest first. */
  readonly descending?: boolean;
  /** Equal elements keep their order; always the case. */
  readonly stable?: boolean;
}

const sortNames = ["descending", "stable"] as const;

/**
 * The sorted elements along a dimension, and their indexes, as `{ values, indices }`.
 *
 * @example jl.tensor([3, 1, 2]).sort().indices.toArray() // [1n, 2n, 0n]
 */
export function sort<D extends DTypeName>(
  x: Tensor<D>,
  dim?: number | SortOptions,
  options?: SortOptions,
): Placed<D> {
  const [along = -1, given] = orOptions(dim, options);
  return ordered("sort", x, along, optionsOf("sort", given, sortNames).descending === true);
}

/**
 * The indexes of the sorted elements along a dimension.
 *
 * @example jl.tensor([3, 1, 2]).argsort().toArray() // [1n, 2n, 0n]
 */
export function argsort(x: Tensor, dim?: number | SortOptions, options?: SortOptions): Tensor<"int64"> {
  const [along = -1, given] = orOptions(dim, options);
  const descending = optionsOf("argsort", given, sortNames).descending === true;
  const [indices] = alongRows("argsort", x, along, (rows) => [argsortRows("argsort", rows, descending)]);
  return indices as Tensor<"int64">;
}

/** Options of topk. */
export interface TopkOptions {
  /** The largest; false for the smallest. Default true. */
  readonly largest?: boolean;
  /** Sorted results; always the case, as by default. */
  readonly sorted?: boolean;
}

/**
 * The `k` largest elements along a dimension, in order, and their indexes.
 *
 * @example jl.tensor([3, 1, 2]).topk(2).values.toArray() // [3, 2]
 */
export function topk<D extends DTypeName>(
  x: Tensor<D>,
  k: number,
  dim?: number | TopkOptions,
  options?: TopkOptions,
): Placed<D> {
  const [along = -1, given] = orOptions(dim, options);
  const { largest = true } = optionsOf("topk", given, ["largest", "sorted"]);
  const count = integerOf("topk", "k", k);
  const { dim: d, length } = rowsOf("topk", x, along);
  if (count < 0 || count > length) throw outside("topk", count, 0, length);
  if (isSelection(x, length, count)) {
    const { values, indices } = selectRows("topk", x.movedim(d, -1), count, largest);
    return { values: turned(values, d), indices: turned(indices, d) } as Placed<D>;
  }
  const all = ordered("topk", x, along, largest);
  if (x.ndim === 0)
    return count === 1
      ? all
      : { values: all.values.view(1).narrow(0, 0, 0), indices: all.indices.view(1).narrow(0, 0, 0) };
  return {
    values: all.values.narrow(d, 0, count).contiguous(),
    indices: all.indices.narrow(d, 0, count).contiguous(),
  };
}

/**
 * The `k`-th smallest element along a dimension, counted from 1, and its index.
 *
 * @example jl.tensor([3, 1, 2]).kthvalue(2).values.item() // 2
 */
export function kthvalue<D extends DTypeName>(
  x: Tensor<D>,
  k: number,
  dim?: number | { readonly keepdim?: boolean },
  options?: { readonly keepdim?: boolean },
): Placed<D> {
  const [along = -1, given] = orOptions(dim, options);
  const { keepdim = false } = optionsOf("kthvalue", given, ["keepdim"]);
  const count = integerOf("kthvalue", "k", k);
  const row = rowsOf("kthvalue", x, along);
  if (count < 1 || count > row.length) throw outside("kthvalue", count, 1, row.length);
  const all = ordered("kthvalue", x, along, false);
  const pick = <E extends DTypeName>(tensor: Tensor<E>): Tensor<E> =>
    x.ndim === 0
      ? tensor
      : (keepdim ? tensor.narrow(row.dim, count - 1, 1) : tensor.select(row.dim, count - 1)).contiguous();
  return { values: pick(all.values), indices: pick(all.indices) };
}

/** The dimension and its extent; a 0-d tensor is treated as a row of one element. */
export function rowsOf(what: string, x: Tensor, dim: number): { dim: number; length: number } {
  const d = dimensionOrOnly(what, dim, tensorOf(what, x).ndim);
  return { dim: d, length: x.shape[d] ?? 1 };
}

function outside(what: string, k: number, low: number, high: number): JitlabError {
  return new JitlabError(
    "bad-argument",
    `${what}: k is ${k}, and the dimension has ${high} elements.`,
    high < low ? "Pass a dimension with elements." : `Give a number from ${low} to ${high}.`,
  );
}

/** Sorts along a dimension. */
export function ordered<D extends DTypeName>(
  what: string,
  value: Tensor<D>,
  dim: number,
  descending: boolean,
): Placed<D> {
  const [values, indices] = alongRows(what, value, dim, (rows) => {
    const sorted = sortRows(what, rows, descending);
    return [sorted.values, sorted.indices];
  });
  return { values, indices } as Placed<D>;
}

/** Applies a function of rows along a dimension. */
function alongRows(
  what: string,
  value: Tensor,
  dim: number,
  run: (rows: Tensor) => readonly Tensor[],
): readonly Tensor[] {
  const x = tensorOf(what, value);
  const { dim: d } = rowsOf(what, x, dim);
  if (x.ndim === 0) return run(x.reshape(1)).map((result) => result.view([]));
  return run(x.movedim(d, -1)).map((result) => turned(result, d));
}

/** Moves rows back to their dimension. */
function turned<E extends DTypeName>(rows: Tensor<E>, dim: number): Tensor<E> {
  return rows.movedim(-1, dim).contiguous();
}
