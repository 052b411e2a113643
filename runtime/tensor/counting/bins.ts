// Searches numbers among boundaries, and counts numbers in bins.
import { countOf, integerOf, numberOf, optionsOf, orOptions, pairOf } from "../../base/arguments.js";
import { type DType, dtypes, isInteger, promote } from "../../base/dtype.js";
import { inNameOf, JitlabError, show } from "../../base/errors.js";
import type { Walk } from "../../codegen/walk-kernel.js";
import { contiguousStrides, formatShape, sameNumbers } from "../../geometry/layout.js";
import type { View } from "../../geometry/view.js";
import { launchWalk } from "../../launch/walk-launch.js";
import { linspace, tensor } from "../create.js";
import { checkDevices } from "../same-device.js";
import { floating, wide } from "../statistic-options.js";
import { boundsOf } from "../statistics/statistics.js";
import { emptyTensor, Tensor, tensorOf, windowOf } from "../tensor.js";
import { opaqueDefinition, wholeResults } from "../whole.js";
import { tallied, talliedBetween } from "./tally.js";

/** Options of bucketize, and of searchsorted. */
export interface SearchOptions {
  /** The position after equal boundaries instead of before them. */
  readonly right?: boolean;
  /** The same with NumPy's names. */
  readonly side?: "left" | "right";
}

/** Options of searchsorted. */
export interface SortedSearchOptions extends SearchOptions {
  /** The indexes that sort the rows, as argsort gives them. */
  readonly sorter?: Tensor;
}

const searchNames = ["right", "side"] as const;

/** The walk that finds each value in its row by binary search. */
export const searchWalk: Walk = {
  name: "searchsorted",
  operands: ["place", "value", "row"],
  numbers: ["length", "step", "right"],
  body: [
    "  int64 low = 0, high = length;",
    "  while (low < high) {",
    "    const int64 middle = low + (high - low) / 2;",
    "    const bool behind = right ? row[middle * step] > *value : row[middle * step] >= *value;",
    "    if (behind) high = middle; else low = middle + 1;",
    "  }",
    "  *place = low;",
  ].join("\n"),
};

/**
 * The insertion index of each value into sorted rows: a vector, or rows with the values' leading dimensions.
 *
 * @example jl.tensor([1, 3, 5]).searchsorted(jl.tensor([3, 4])).toArray() // [1n, 2n]
 */
export function searchsorted(
  x: Tensor,
  values: Tensor | number,
  options?: SortedSearchOptions,
): Tensor<"int64"> {
  const { sorter, ...given } = optionsOf("searchsorted", options, [...searchNames, "sorter"]);
  const sorted =
    sorter === undefined ? x : inNameOf("searchsorted", "takeAlongDim", () => inOrder(x, sorter));
  return search("searchsorted", sorted, values, given);
}

/** Rows in the order that the indexes of an argsort name. */
function inOrder(x: Tensor, sorter: Tensor): Tensor {
  return tensorOf("searchsorted", x).takeAlongDim(tensorOf("searchsorted", sorter), -1);
}

/**
 * The bin of each element among sorted boundaries: 0 before the first, their number after the last.
 *
 * @example jl.tensor([1, 4]).bucketize(jl.tensor([0, 2, 4])).toArray() // [1n, 2n]
 */
export function bucketize(x: Tensor, boundaries: Tensor, options?: SearchOptions): Tensor<"int64"> {
  if (tensorOf("bucketize", boundaries).ndim !== 1) {
    throw new JitlabError(
      "bad-dimension",
      `bucketize: the boundaries have the shape ${formatShape(boundaries.shape)}.`,
      "They are a vector; searchsorted takes rows of them.",
    );
  }
  return search("bucketize", boundaries, tensorOf("bucketize", x), options);
}

function search(
  what: string,
  rows: Tensor,
  given: Tensor | number,
  options?: SearchOptions,
): Tensor<"int64"> {
  const { right, side } = optionsOf(what, options, searchNames);
  const { device } = tensorOf(what, rows);
  const x =
    given instanceof Tensor
      ? given
      : tensor(numberOf(what, "the value", given), { dtype: "float64", device: device.name });
  const leading = rows.shape.slice(0, -1);
  if (rows.ndim === 0 || (rows.ndim > 1 && !sameNumbers(leading, x.shape.slice(0, -1)))) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: rows of shape ${formatShape(rows.shape)} do not fit values of shape ${formatShape(x.shape)}.`,
      "The rows are a vector, or have the values' leading dimensions.",
    );
  }
  checkDevices(what, rows, x, ["the tensor of sorted rows", "the tensor of values"]);
  const common =
    given instanceof Tensor
      ? promote(rows.dtype, x.dtype)
      : rows.dtype.kind === "float"
        ? rows.dtype
        : promote(rows.dtype, x.dtype);
  if (common.kind === "complex") {
    throw new JitlabError(
      "dtype-refused",
      `${what} does not take ${common.name}: complex numbers have no order.`,
    );
  }
  const operation = right || side === "right" ? searchOperations.right : searchOperations.left;
  return wholeResults(operation, [rows.to(common.compute), x.to(common.compute)])[0] as Tensor<"int64">;
}

const searchOperation = (right: number) =>
  opaqueDefinition(
    "searchsorted",
    ([, values]) => [[dtypes.int64, (values as View).shape]],
    (inputs, places) => {
      const [list, values] = inputs as [Tensor, Tensor];
      const { shape } = values;
      const strides = list.ndim === 1 ? shape.map(() => 0) : list.strides.with(-1, 0);
      const row = windowOf(list, { shape, strides, offset: 0 });
      const numbers = [list.shape.at(-1) as number, list.strides.at(-1) as number, right];
      launchWalk(searchWalk, shape, places, [values, row], numbers);
    },
    { core: [1, 1] },
  );
const searchOperations = { left: searchOperation(0), right: searchOperation(1) };

function make(shape: readonly number[], dtype: DType, beside: Tensor): Tensor {
  return emptyTensor(shape, contiguousStrides(shape), dtype, beside.device);
}

/** Options of bincount. */
export interface BincountOptions {
  /** The weight of each element; default 1. */
  readonly weights?: Tensor;
  /** The minimum number of bins. */
  readonly minlength?: number;
}

/**
 * Counts how often each integer from 0 on is in a vector.
 *
 * @example jl.tensor([1n, 3n, 1n]).bincount().toArray() // [0n, 2n, 0n, 1n]
 */
export function bincount(x: Tensor, options?: BincountOptions): Tensor {
  const { weights, minlength = 0 } = optionsOf("bincount", options, ["weights", "minlength"]);
  const least = countOf("bincount", "minlength", minlength);
  const fits = isInteger(tensorOf("bincount", x).dtype) && x.ndim === 1;
  const [lowest, highest] = fits && x.size > 0 ? boundsOf("bincount", x) : [0, -1];
  if (!fits || lowest < 0) {
    throw new JitlabError(
      "bad-argument",
      `bincount: ${fits ? `the least element is ${lowest}` : `the elements are ${x.dtype.name} of shape ${formatShape(x.shape)}`}.`,
      "It takes a vector of integers from 0 on.",
    );
  }
  if (weights !== undefined) checkWeights("bincount", weights, x);
  const bins = Math.max(least, highest + 1);
  if (bins === 0) return make([0], dtypes.int64, x);
  if (weights?.dtype.name === "float32") return tallied(x.contiguous(), bins, weights).to("float32");
  return tallied(x.contiguous(), bins, weights?.to("float64"));
}

/**
 * Counts elements in equal bins from `min` to `max`, by default the elements' range; ignores others.
 *
 * @example jl.tensor([1, 2, 1]).histc(4, 0, 3).toArray() // [0, 2, 1, 0]
 */
export function histc(x: Tensor, bins = 100, min = 0, max = 0): Tensor {
  const values = floating("histc", x, false).reshape(-1);
  const count = checkedBins("histc", bins);
  const [low, high] = rangeOf("histc", values, min === max ? undefined : [min, max]);
  return talliedBetween(values, low, high, count).to(x.dtype.name);
}

/** Options of histogram. */
export interface HistogramOptions {
  /** The first and the last boundary; default: the elements' range. */
  readonly range?: readonly [number, number];
  /** The weight of each element; default 1. */
  readonly weight?: Tensor;
  /** Returns fractions of all elements, divided by the widths of the bins. */
  readonly density?: boolean;
}

/**
 * Counts elements in bins, and returns the bins' boundaries: equal bins, or a vector of sorted boundaries.
 *
 * @example jl.tensor([0, 1, 1, 3]).histogram(3).hist.toArray() // [1, 2, 1]
 */
export function histogram(
  x: Tensor,
  bins?: number | Tensor | HistogramOptions,
  options?: HistogramOptions,
): { hist: Tensor; binEdges: Tensor } {
  const [places = 100, given] = orOptions(bins, options);
  const { range, weight, density = false } = optionsOf("histogram", given, ["range", "weight", "density"]);
  const values = floating("histogram", x, false).reshape(-1);
  if (weight !== undefined) checkWeights("histogram", weight, x);
  const binEdges = places instanceof Tensor ? places.to(x.dtype.name) : edgesOf(x, values, places, range);
  const edges = wide(binEdges);
  const count = edges.size - 1;
  if (edges.ndim !== 1 || count < 1) {
    throw new JitlabError(
      "bad-argument",
      `histogram: the boundaries have the shape ${formatShape(edges.shape)}.`,
      "They are a vector of two or more.",
    );
  }
  const last = edges.select(0, count);
  const place = edges.searchsorted(values, { right: true }).sub(1);
  const inside = values.le(last);
  const index = inside.where(place.clampMax(count - 1), -1);
  const sums = tallied(index.contiguous(), count, weight?.reshape(-1).to("float64"));
  if (!density) return { hist: sums.to(x.dtype.name), binEdges };
  const shares = sums.to("float64").div(sums.sum()).div(edges.to("float64").diff());
  return { hist: shares.to(x.dtype.name), binEdges };
}

/** Throws unless there is a weight for each element, on its device. */
function checkWeights(what: string, weights: Tensor, x: Tensor): void {
  if (!sameNumbers(tensorOf(what, weights).shape, x.shape)) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: the weights have the shape ${formatShape(weights.shape)} and the elements ${formatShape(x.shape)}.`,
      "Pass a weight for each element.",
    );
  }
  checkDevices(what, x, weights, ["the tensor", "the tensor of weights"]);
}

function edgesOf(
  x: Tensor,
  values: Tensor,
  bins: number,
  range: readonly [number, number] | undefined,
): Tensor {
  const count = checkedBins("histogram", bins);
  const [low, high] = rangeOf("histogram", values, range);
  return linspace(low, high, count + 1, { dtype: x.dtype.name, device: x.device.name });
}

function checkedBins(what: string, bins: number): number {
  const count = integerOf(what, "bins", bins);
  if (count > 0) return count;
  throw new JitlabError("bad-argument", `${what}: bins is ${count}.`, "Pass a number from 1 on.");
}

/** The boundaries of all bins: for equal elements, half a unit around them; without elements 0 and 1. */
function rangeOf(
  what: string,
  values: Tensor,
  range: readonly [number, number] | undefined,
): [number, number] {
  const empty = values.size === 0;
  const [low, high] =
    range !== undefined ? pairOf(what, "range", range) : empty ? [0, 1] : boundsOf(what, values);
  if (!Number.isFinite(low) || !Number.isFinite(high) || low > high) {
    throw new JitlabError(
      "bad-range",
      `${what}: the range from ${show(low)} to ${show(high)} has no bins.`,
      "Pass finite boundaries in order.",
    );
  }
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}
