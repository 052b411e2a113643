// Unique elements: equal neighbors of the sorted or unsorted elements form a group. Whole numbers of a small range are counted.
import { optionsOf } from "../../base/arguments.js";
import { type DTypeName, dtypes, isInteger } from "../../base/dtype.js";
import { dimension } from "../../geometry/views.js";
import { arange } from "../create.js";
import { cat } from "../join.js";
import { blockRow } from "../ordering/sort-blocks.js";
import { longestRow, sortedBetween, sortRows } from "../ordering/sort-rows.js";
import { placesOf } from "../statistics/mask-places.js";
import { boundsOf } from "../statistics/statistics.js";
import { emptyTensor, type Tensor, tensorOf } from "../tensor.js";
import { hostReads } from "../transfer.js";
import { sharedBins, talliedFrom } from "./tally.js";

/** Options of unique and uniqueConsecutive. */
export interface UniqueOptions {
  /** Also returns the index of each element's result. */
  readonly returnInverse?: boolean;
  /** Also returns the number of elements of each result. */
  readonly returnCounts?: boolean;
  /** Sub-tensors along this dimension instead of elements. */
  readonly dim?: number;
  /** Sorted results; always the case. */
  readonly sorted?: boolean;
}

const names = ["returnInverse", "returnCounts", "dim", "sorted"] as const;

/** The results with the requested additions. */
export interface Unique<D extends DTypeName> {
  readonly values: Tensor<D>;
  readonly inverse?: Tensor<"int64">;
  readonly counts?: Tensor<"int64">;
}

/**
 * Each element once, in order; with `returnInverse` or `returnCounts` as `{ values, inverse, counts }`. NaN equals nothing.
 *
 * @example jl.tensor([3, 1, 3]).unique().toArray() // [1, 3]
 */
export function unique<D extends DTypeName>(
  x: Tensor<D>,
  options: UniqueOptions & ({ readonly returnInverse: true } | { readonly returnCounts: true }),
): Unique<D>;
/** Each element once, in order. */
export function unique<D extends DTypeName>(x: Tensor<D>, options?: UniqueOptions): Tensor<D>;
export function unique<D extends DTypeName>(x: Tensor<D>, options?: UniqueOptions): Tensor<D> | Unique<D> {
  hostReads("unique", tensorOf("unique", x));
  const given = optionsOf("unique", options, names);
  const rows = rowsOf("unique", x, given.dim);
  if (rows.ndim > 1) {
    const order = orderOf(rows);
    return grouped(x, rows.indexSelect(0, order), order, given);
  }
  const [least, most] = wholeBounds(rows);
  if (most - least < sharedBins) return countedFrom(least, most - least + 1, x, rows, given);
  if (!given.returnInverse && most - least < 2 ** 32)
    return grouped(x, sortedBetween(rows, least, most), undefined, given);
  const { values, indices } = sortRows("unique", rows, false);
  return grouped(x, values, given.returnInverse ? indices : undefined, given);
}

/**
 * Each run of equal neighbors once, in order; options and results as in {@link unique}.
 *
 * @example jl.tensor([1, 1, 2, 1]).uniqueConsecutive().toArray() // [1, 2, 1]
 */
export function uniqueConsecutive<D extends DTypeName>(
  x: Tensor<D>,
  options: UniqueOptions & ({ readonly returnInverse: true } | { readonly returnCounts: true }),
): Unique<D>;
/** Each run of equal neighbors once, in order. */
export function uniqueConsecutive<D extends DTypeName>(x: Tensor<D>, options?: UniqueOptions): Tensor<D>;
export function uniqueConsecutive<D extends DTypeName>(
  x: Tensor<D>,
  options?: UniqueOptions,
): Tensor<D> | Unique<D> {
  hostReads("uniqueConsecutive", tensorOf("uniqueConsecutive", x));
  const given = optionsOf("uniqueConsecutive", options, names);
  return grouped(x, rowsOf("uniqueConsecutive", x, given.dim), undefined, given);
}

/** The least and the greatest of many integers; a range without an end where it does not matter, or is not exact. */
function wholeBounds(vector: Tensor): readonly [number, number] {
  const { dtype, size } = vector;
  const isMany = isInteger(dtype) && size > blockRow(dtype) && size <= longestRow;
  const bounds: readonly [number, number] = isMany ? boundsOf("unique", vector) : [0, Infinity];
  return bounds.every(Number.isSafeInteger) ? bounds : [0, Infinity];
}

/** The results for whole numbers of a small range from `least` on: the numbers that are there at all. */
function countedFrom<D extends DTypeName>(
  least: number,
  range: number,
  x: Tensor<D>,
  vector: Tensor,
  { returnInverse, returnCounts }: UniqueOptions,
): Tensor<D> | Unique<D> {
  const counts = talliedFrom(least, vector.contiguous(), range);
  const isThere = counts.gt(0);
  const places = placesOf(isThere);
  const values = places.add(least).to(x.dtype.name) as Tensor<D>;
  if (!returnInverse && !returnCounts) return values;
  const group = isThere.cumsum(0).sub(1) as Tensor<"int64">;
  return {
    values,
    ...(returnInverse && { inverse: group.indexSelect(0, vector.to("int64").sub(least)).view(x.shape) }),
    ...(returnCounts && { counts: counts.indexSelect(0, places) as Tensor<"int64"> }),
  };
}

/** The compared rows, along dimension 0: elements, or sub-tensors. */
function rowsOf(what: string, x: Tensor, dim: number | undefined): Tensor {
  if (dim === undefined) return tensorOf(what, x).reshape(-1);
  const d = dimension(what, dim, tensorOf(what, x).ndim);
  const length = x.shape[d] as number;
  return x.movedim(d, 0).reshape([length, length === 0 ? 0 : x.size / length]);
}

/** The indexes of the rows in lexicographic order: sorted by each column, the last one first. */
function orderOf(rows: Tensor): Tensor {
  let order: Tensor = arange(0, rows.shape[0] as number, 1, { dtype: "int64", device: rows.device.name });
  for (let column = (rows.shape[1] as number) - 1; column >= 0; column--) {
    const key = rows.select(1, column).indexSelect(0, order);
    order = order.indexSelect(0, key.argsort(0));
  }
  return order;
}

function grouped<D extends DTypeName>(
  x: Tensor<D>,
  rows: Tensor,
  order: Tensor | undefined,
  { dim, returnInverse, returnCounts }: UniqueOptions,
): Tensor<D> | Unique<D> {
  const length = rows.shape[0] as number;
  const starts = startsOf(rows);
  const places = placesOf(starts);
  const chosen = rows.indexSelect(0, places) as Tensor<D>;
  const values = dim === undefined ? chosen : shaped(x, chosen, dim);
  if (!returnInverse && !returnCounts) return values;
  const count = { dtype: "int64", device: x.device.name } as const;
  const end = arange(length, length + 1, 1, count);
  return {
    values,
    ...(returnInverse && { inverse: inverseOf(x, starts, order, dim) }),
    ...(returnCounts && { counts: cat([places, end]).diff() as Tensor<"int64"> }),
  };
}

/** True for each row that differs from the one before it. */
function startsOf(rows: Tensor): Tensor {
  const length = rows.shape[0] as number;
  const starts = emptyTensor([length], [1], dtypes.bool, rows.device).fill_(true);
  if (length < 2) return starts;
  const differs = rows.narrow(0, 1, length - 1).ne(rows.narrow(0, 0, length - 1));
  starts.narrow(0, 1, length - 1).copy_(rows.ndim > 1 ? differs.any(1) : differs);
  return starts;
}

function inverseOf(
  x: Tensor,
  starts: Tensor,
  order: Tensor | undefined,
  dim: number | undefined,
): Tensor<"int64"> {
  const group = starts.cumsum(0).sub(1) as Tensor<"int64">;
  const inverse = order === undefined ? group : group.scatter(0, order, group);
  return dim === undefined ? inverse.view(x.shape) : inverse;
}

function shaped<D extends DTypeName>(x: Tensor, rows: Tensor<D>, dim: number): Tensor<D> {
  const d = dimension("unique", dim, x.ndim);
  const rest = x.shape.filter((_, k) => k !== d);
  return rows
    .view([rows.shape[0] as number, ...rest])
    .movedim(0, d)
    .contiguous();
}
