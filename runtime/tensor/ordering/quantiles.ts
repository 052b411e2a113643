// Statistics of order: medians, quantiles and modes, read from sorted rows.
import { optionsOf, orOptions } from "../../base/arguments.js";
import type { DTypeName } from "../../base/dtype.js";
import { isArray, JitlabError, show } from "../../base/errors.js";
import type { Walk } from "../../codegen/walk-kernel.js";
import { contiguousStrides, formatShape } from "../../geometry/layout.js";
import { constant, differentiable } from "../../launch/sink.js";
import { launchWalk } from "../../launch/walk-launch.js";
import { asProgram } from "../../program/tape/own-program.js";
import { full, tensor } from "../create.js";
import { floating } from "../statistic-options.js";
import type { Placed } from "../statistics/reduce.js";
import { emptyTensor, Tensor, tensorOf, windowOf } from "../tensor.js";
import { hostReads } from "../transfer.js";
import { opaqueDefinition, wholeResults } from "../whole.js";
import { elementOfRank, isRanked } from "./select-rows.js";
import { sortRows } from "./sort-rows.js";
import { rowsOf } from "./sorting.js";

/** Options of a statistic along one dimension. */
export interface KeepdimOptions {
  /** Keeps the dimension with extent 1. */
  readonly keepdim?: boolean;
}

/** Sorted rows, their original dimension, and the inverse from `[rows..., 1]`. */
interface Rows<D extends DTypeName> extends Placed<D> {
  readonly length: number;
  readonly back: <E extends DTypeName>(column: Tensor<E>) => Tensor<E>;
}

function sortedRows<D extends DTypeName>(
  what: string,
  value: Tensor<D>,
  dim: number | undefined,
  options: KeepdimOptions | undefined,
): Rows<D> {
  const { keepdim = false } = optionsOf(what, options, ["keepdim"]);
  const x = tensorOf(what, value);
  const whole = dim === undefined || x.ndim === 0;
  const { dim: d, length } = whole ? { dim: 0, length: x.size } : rowsOf(what, x, dim);
  if (dim !== undefined && x.ndim === 0) rowsOf(what, x, dim);
  const rows = whole ? x.reshape(-1) : x.movedim(d, -1);
  const back = <E extends DTypeName>(column: Tensor<E>): Tensor<E> => {
    if (whole) return column.view(keepdim ? x.shape.map(() => 1) : []);
    return keepdim ? column.movedim(-1, d).contiguous() : column.squeeze(-1);
  };
  return { ...(sortRows(what, rows, false) as Placed<D>), length, back };
}

function pair<D extends DTypeName>({ values, indices, back }: Rows<D>, place: Tensor): Placed<D> {
  return { values: back(values.takeAlongDim(place, -1)), indices: back(indices.takeAlongDim(place, -1)) };
}

/** The number of elements of each row that are not NaN (these are first), as `[rows..., 1]`. */
function countsOf({ values }: { readonly values: Tensor }): Tensor<"int64"> {
  return asProgram("numbers", values, () => values.isnan().logicalNot().sum(-1, { keepdim: true }));
}

function needElements(what: string, x: Tensor, length: number, values: Tensor): void {
  if (length > 0 || values.size > 0) return;
  throw new JitlabError(
    "empty-reduction",
    `${what}: the shape ${formatShape(x.shape)} has no elements along the dimension.`,
    "Pass a dimension with elements.",
  );
}

/**
 * The median element, the smaller of two: NaN if there is one. Along a dimension `{ values, indices }`.
 *
 * @example jl.tensor([3, 1, 2]).median().item() // 2
 */
export function median<D extends DTypeName>(x: Tensor<D>): Tensor<D>;
/** The median elements along a dimension and their indexes. */
export function median<D extends DTypeName>(x: Tensor<D>, dim: number, options?: KeepdimOptions): Placed<D>;
export function median<D extends DTypeName>(
  x: Tensor<D>,
  dim?: number,
  options?: KeepdimOptions,
): Tensor<D> | Placed<D> {
  return middle("median", x, dim, options, (counts, length) => {
    const half = Math.floor((length - 1) / 2);
    // The first NaN follows all numbers.
    return counts.lt(length).where(counts, half) as Tensor<"int64">;
  });
}

/**
 * As {@link median}, ignoring NaN.
 *
 * @example jl.tensor([1, NaN, 3, 2]).nanmedian().item() // 2
 */
export function nanmedian<D extends DTypeName>(x: Tensor<D>): Tensor<D>;
/** As {@link median} along a dimension, ignoring NaN. */
export function nanmedian<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  options?: KeepdimOptions,
): Placed<D>;
export function nanmedian<D extends DTypeName>(
  x: Tensor<D>,
  dim?: number,
  options?: KeepdimOptions,
): Tensor<D> | Placed<D> {
  return middle(
    "nanmedian",
    x,
    dim,
    options,
    (counts) => counts.sub(1).floorDivide(2).clampMin(0) as Tensor<"int64">,
  );
}

/**
 * The middle elements as {@link middlePlaced}. The derivative of the one of a whole tensor is shared among all elements that are
 * equal to it, as that of the largest of them.
 */
function middle<D extends DTypeName>(
  ...given: Parameters<typeof middlePlaced<D>>
): ReturnType<typeof middlePlaced<D>> {
  const [what, x, dim] = given;
  const placed = () => middlePlaced(...given);
  if (dim !== undefined || tensorOf(what, x).dtype.kind !== "float") return placed();
  return differentiable(placed, () => {
    const found = constant(placed) as Tensor<D>;
    if (x.size === 0) return found;
    const isFound = x.eq(found).logicalOr(x.isnan().logicalAnd(found.isnan()));
    return isFound.where(x, Number.NEGATIVE_INFINITY).max().reshape(found.shape) as Tensor<D>;
  });
}

/** The middle elements; `placeOf` gives their places in order from how many elements of each row are not NaN. */
function middlePlaced<D extends DTypeName>(
  what: string,
  x: Tensor<D>,
  dim: number | undefined,
  options: KeepdimOptions | undefined,
  placeOf: (counts: Tensor<"int64">, length: number) => Tensor<"int64">,
): Tensor<D> | Placed<D> {
  if (tensorOf(what, x).dtype.kind === "bool") {
    throw new JitlabError("dtype-refused", `${what} does not take bool: convert with .to("uint8") first.`);
  }
  if (dim === undefined && x.size === 0 && x.dtype.kind === "float") {
    return emptyTensor([], [], x.dtype, x.device).fill_(Number.NaN) as Tensor<D>;
  }
  if (dim === undefined && isRanked(x)) {
    const values = x.reshape(-1);
    const rank = placeOf(countsOf({ values }), x.size).add(1);
    const found = elementOfRank(values, rank) as Tensor<D>;
    return optionsOf(what, options, ["keepdim"]).keepdim ? found.view(x.shape.map(() => 1)) : found;
  }
  const rows = sortedRows(what, x, dim, options);
  needElements(what, x, rows.length, rows.values);
  const found = pair(rows, placeOf(countsOf(rows), rows.length));
  return dim === undefined ? found.values : found;
}

/** The interpolation of a quantile between two elements. */
export type Interpolation = "linear" | "lower" | "higher" | "midpoint" | "nearest";

/** A fraction from 0 to 1, or several. */
type Fractions = number | readonly number[] | Tensor;

/** Options of quantiles. */
export interface QuantileOptions extends KeepdimOptions {
  /** Default `linear`. */
  readonly interpolation?: Interpolation;
}

/**
 * Quantiles: `q` is a fraction from 0 to 1, or several of them, which adds a first dimension.
 *
 * @example jl.tensor([0, 10]).quantile(0.25).item() // 2.5
 */
export function quantile(
  x: Tensor,
  q: number | readonly number[] | Tensor,
  dim?: number | QuantileOptions,
  options?: QuantileOptions,
): Tensor {
  return quantiles("quantile", x, q, ...orOptions(dim, options), false);
}

/**
 * As {@link quantile}, ignoring NaN.
 *
 * @example jl.tensor([1, NaN, 3]).nanquantile(0.5).item() // 2
 */
export function nanquantile(
  x: Tensor,
  q: number | readonly number[] | Tensor,
  dim?: number | QuantileOptions,
  options?: QuantileOptions,
): Tensor {
  return quantiles("nanquantile", x, q, ...orOptions(dim, options), true);
}

function quantiles(
  what: string,
  x: Tensor,
  q: Fractions,
  dim: number | undefined,
  options: QuantileOptions | undefined,
  ignoresNan: boolean,
): Tensor {
  const { interpolation = "linear", keepdim = false } = optionsOf(what, options, [
    "interpolation",
    "keepdim",
  ]);
  const own = floating(what, x, false);
  if (!areFractions(q)) {
    throw new JitlabError(
      "bad-argument",
      `${what}: q is ${q instanceof Tensor ? `of shape ${formatShape(q.shape)}` : show(q)}.`,
      "It is a fraction from 0 to 1, or a vector of them.",
    );
  }
  const as = { dtype: own.dtype.name, device: x.device.name } as const;
  const shares =
    q instanceof Tensor ? q.to(as.dtype) : typeof q === "number" ? full([], q, as) : tensor(q, as);
  const rows = sortedRows(what, own, dim, { keepdim });
  needElements(what, x, 0, rows.values);
  const counts = countsOf(rows);
  const total = ignoresNan ? counts : counts.lt(rows.length).where(counts.add(1), rows.length);
  const top = total.sub(1).clampMin(0);
  // For fractions and rows: the index of an element, with a fraction. A row with NaN gives the first NaN everywhere.
  const damaged = ignoresNan ? counts.lt(0) : counts.lt(rows.length);
  const rank = damaged.where(top.to(own.dtype.name), top.to(own.dtype.name).mul(shares.reshape(-1)));
  const at = (place: Tensor) => rows.values.takeAlongDim(place.to("int64"), -1);
  const found = between(what, interpolation, rank, at);
  const columns = Array.from({ length: shares.size }, (_, i) => rows.back(found.narrow(-1, i, 1)));
  if (shares.ndim === 0) return (columns[0] as Tensor).to(x.dtype.name);
  const shape = [shares.size, ...(rows.back(found.narrow(-1, 0, 1)) as Tensor).shape];
  const result = emptyTensor(shape, contiguousStrides(shape), x.dtype, x.device);
  for (const [i, column] of columns.entries()) result.select(0, i).copy_(column);
  return result;
}

/** True for numbers from 0 to 1. A tensor's elements are read. */
function areFractions(q: Fractions): boolean {
  if (!(q instanceof Tensor))
    return (isArray(q) ? q : [q]).every((one) => typeof one === "number" && one >= 0 && one <= 1);
  hostReads("quantile", q);
  return q.ndim <= 1 && (q.size === 0 || q.ge(0).logicalAnd(q.le(1)).all().item() === true);
}

function between(
  what: string,
  interpolation: Interpolation,
  rank: Tensor,
  at: (place: Tensor) => Tensor,
): Tensor {
  switch (interpolation) {
    case "lower":
      return at(rank.floor());
    case "higher":
      return at(rank.ceil());
    case "nearest":
      return at(rank.round());
    case "midpoint":
      return at(rank.floor()).lerp(at(rank.ceil()), 0.5);
    case "linear":
      return at(rank.floor()).lerp(at(rank.ceil()), rank.frac());
    default:
      throw new JitlabError(
        "bad-argument",
        `${what}: the interpolation is ${show(interpolation satisfies never)}.`,
        "It is linear, lower, higher, midpoint or nearest.",
      );
  }
}

/** The walk that finds the first longest run of equal elements in a sorted row. */
export const modeWalk: Walk = {
  name: "mode",
  operands: ["value", "index", "row", "order"],
  numbers: ["length"],
  heavy: true,
  body: [
    "  int64 best = 0, at = 0, run = 0;",
    "  for (int64 k = 0; k < length; ++k) {",
    "    run = k > 0 && cast<C>(row[k]) == cast<C>(row[k - 1]) ? run + 1 : 1;",
    "    if (run > best) { best = run; at = k; }",
    "  }",
    "  *value = row[at];",
    "  *index = order[at];",
  ].join("\n"),
};

/**
 * The most frequent element along a dimension (the smallest of several), and its last index. NaN equals nothing, so it is
 * returned only if there is nothing else.
 *
 * @example jl.tensor([2, NaN, 1, 2, NaN, NaN]).mode().values.item() // 2
 */
export function mode<D extends DTypeName>(
  x: Tensor<D>,
  dim?: number | KeepdimOptions,
  options?: KeepdimOptions,
): Placed<D> {
  const [along = -1, given] = orOptions(dim, options);
  const rows = sortedRows("mode", x, along, given);
  needElements("mode", x, rows.length, rows.values);
  const [values, indices] = wholeResults(modeOperation, [rows.values, rows.indices]);
  return { values: rows.back(values as Tensor<D>), indices: rows.back(indices as Tensor<"int64">) };
}

const modeOperation = opaqueDefinition(
  "mode",
  (rows) => rows.map(({ dtype, shape }) => [dtype, shape.with(-1, 1)] as const),
  (rows, results) => {
    const { shape } = results[0] as Tensor;
    const start = (tensor: Tensor) => windowOf(tensor, { shape, strides: tensor.strides, offset: 0 });
    launchWalk(modeWalk, shape, results, rows.map(start), [(rows[0] as Tensor).shape.at(-1) as number]);
  },
  { core: [1, 1] },
);
