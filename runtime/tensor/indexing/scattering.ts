// Functions that write along one dimension by an index tensor. Those without an underscore write into a copy.
import { optionsOf } from "../../base/arguments.js";
import { type DTypeName, promote } from "../../base/dtype.js";
import { JitlabError, show } from "../../base/errors.js";
import { RecentValues } from "../../base/recent-values.js";
import { formatShape, sizeOf } from "../../geometry/layout.js";
import { shareElements } from "../../geometry/overlap.js";
import type { View } from "../../geometry/view.js";
import { dimension } from "../../geometry/views.js";
import type { WriteDefinition, WriteJoin } from "../../launch/operation.js";
import type { Scalar } from "../../ops/op.js";
import { fitting } from "../composed-operations.js";
import { checkDevices } from "../same-device.js";
import { emptyTensor, Tensor, tensorOf, windowOf } from "../tensor.js";
import { writeDefinition, writeWhole } from "../whole.js";
import { gather, indexSelect, placeInside } from "./gathering.js";
import { DeferredCheck, type Indexes, indexesFor, markOutside, refuseOutside } from "./index-check.js";
import type { Joining } from "./scatter-kernels.js";
import { scatterLanes } from "./scatter-lanes.js";
import { scatterMean } from "./scatter-mean.js";

/** Options of scatterReduce. */
export interface ScatterReduceOptions {
  /** Whether the tensor's elements are joined too; default true. */
  readonly includeSelf?: boolean;
}

/** Options of indexAdd. */
export interface IndexAddOptions {
  /** The factor of the source; default 1. */
  readonly alpha?: number;
}

/** The joins of {@link scatterReduce}. */
export type ScatterReduction = "sum" | "prod" | "mean" | "amax" | "amin";

/**
 * Writes the elements of `source`, or one value, at the positions along `dim` that the index names; the last of several
 * stays.
 *
 * @example jl.zeros([3]).scatter(0, jl.tensor([2n, 0n]), jl.tensor([5, 6])).toArray() // [6, 0, 5]
 */
export function scatter<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  index: Tensor,
  source: Tensor | Scalar,
): Tensor<D> {
  return writtenCopy("scatter", x, (copy) =>
    scatterInto("scatter", "assign", copy, dim, index, source, "during"),
  );
}

/**
 * Adds the elements of `source` at the positions along `dim` that the index names; every sum is rounded once.
 *
 * @example jl.zeros([3]).scatterAdd(0, jl.tensor([2n, 0n, 2n]), jl.tensor([5, 6, 7])).toArray() // [6, 0, 12]
 */
export function scatterAdd<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  index: Tensor,
  source: Tensor,
): Tensor<D> {
  return writtenCopy("scatterAdd", x, (copy) =>
    scatterInto("scatterAdd", "sum", copy, dim, index, source, "during"),
  );
}

/**
 * As {@link scatterAdd}, with another join: `sum`, `prod`, `mean`, `amax` or `amin`.
 *
 * @example jl.ones([2]).scatterReduce(0, jl.tensor([1n, 1n]), jl.tensor([5, 6]), "amax").toArray() // [1, 6]
 */
export function scatterReduce<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  index: Tensor,
  source: Tensor,
  reduce: ScatterReduction,
  options?: ScatterReduceOptions,
): Tensor<D> {
  return writtenCopy("scatterReduce", x, (copy) => reduceInto(copy, dim, index, source, reduce, options));
}

/**
 * Adds the sub-tensors of `source` at some indexes of a dimension.
 *
 * @example jl.zeros([2, 2]).indexAdd(0, jl.tensor([1n]), jl.ones([1, 2])).toArray() // [[0, 0], [1, 1]]
 */
export function indexAdd<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  index: Tensor,
  source: Tensor,
  options?: IndexAddOptions,
): Tensor<D> {
  return writtenCopy("indexAdd", x, (copy) =>
    rowsInto("indexAdd", "sum", copy, dim, index, scaled(source, options), "during"),
  );
}

/**
 * Writes the sub-tensors of `source` at some indexes of a dimension; the last of several stays.
 *
 * @example jl.zeros([2, 2]).indexCopy(0, jl.tensor([1n]), jl.tensor([[5, 6]])).toArray() // [[0, 0], [5, 6]]
 */
export function indexCopy<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  index: Tensor,
  source: Tensor,
): Tensor<D> {
  return writtenCopy("indexCopy", x, (copy) =>
    rowsInto("indexCopy", "assign", copy, dim, index, source, "during"),
  );
}

/**
 * Writes one value at some indexes of a dimension.
 *
 * @example jl.zeros([3]).indexFill(0, jl.tensor([1n]), 7).toArray() // [0, 7, 0]
 */
export function indexFill<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  index: Tensor,
  value: Scalar,
): Tensor<D> {
  return writtenCopy("indexFill", x, (copy) =>
    rowsInto("indexFill", "assign", copy, dim, index, value, "during"),
  );
}

/** The source times the option alpha. */
export function scaled(source: Tensor, options: IndexAddOptions | undefined): Tensor {
  const { alpha = 1 } = optionsOf("indexAdd", options, ["alpha"]);
  return alpha === 1 ? source : tensorOf("indexAdd", source).mul(alpha).to(source.dtype.name);
}

/** A copy of a tensor after a write. */
function writtenCopy<D extends DTypeName>(
  what: string,
  x: Tensor<D>,
  write: (copy: Tensor<D>) => void,
): Tensor<D> {
  const copy = tensorOf(what, x).clone();
  write(copy);
  return copy;
}

/** When indexes are tested: before anything is written, or during the write where the tensor is a copy that an error drops. */
export type Tests = "before" | "during";

/** Joins values at the positions along a dimension that an index tensor names. */
export function scatterInto(
  what: string,
  joining: WriteJoin["by"],
  x: Tensor,
  dim: number,
  index: Tensor,
  values: Tensor | Scalar,
  tests: Tests = "before",
): void {
  const chosen = unshared(x, indexesFor(what, tensorOf(what, x), index));
  if (chosen.size === 0) return;
  if (x.ndim === 0) {
    const source = values instanceof Tensor ? values.reshape(-1) : values;
    scatterInto(what, joining, x.view(1), dim, chosen.reshape(-1), source, tests);
    return;
  }
  const d = placeInside(what, x, dim, chosen);
  const source = sourceFor(what, x, values);
  if (
    source.ndim !== 0 &&
    (source.ndim !== chosen.ndim || source.shape.some((e, k) => e < (chosen.shape[k] as number)))
  ) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: the source of shape ${formatShape(source.shape)} has no element for each of the index, of shape ${formatShape(chosen.shape)}.`,
      "Its extents are the index's or larger.",
    );
  }
  writeAlong(scatterOperation(what, joining, d, false, tests), x, d, chosen, source);
}

/** Runs or defers a write along a dimension. */
function writeAlong(operation: WriteDefinition, x: Tensor, d: number, index: Tensor, source: Tensor): void {
  const check = new DeferredCheck(operation.name, x.device, rangeOf(x, d, index));
  writeWhole(operation, [index, source], x, check);
}

function rangeOf(x: Tensor, d: number, index: Tensor): Indexes[] {
  return [{ index, extent: x.shape[d] as number, of: `dimension ${d}`, wraps: false }];
}

const operations = new RecentValues<WriteDefinition>(256);

/** Writes along dimension `d`, by an index for each value or by one for each sub-tensor. */
function scatterOperation(
  what: string,
  joining: WriteJoin["by"],
  d: number,
  isRows: boolean,
  tests: Tests,
): WriteDefinition {
  return operations.get(`${what} ${joining} ${d} ${isRows} ${tests}`, () =>
    writeDefinition(
      what,
      1,
      tests === "before",
      ([index, source], target) => {
        const [named, values] = [index as Tensor, source as Tensor];
        const shape = target.shape.with(d, named.size);
        const chosen = isRows ? named.reshape(shape.map((_, k) => (k === d ? -1 : 1))).expand(shape) : named;
        writeLanes(what, joining, target, d, chosen, values, rangeOf(target, d, named), tests);
      },
      {
        joins: joinOf(joining, d, isRows),
        place: { dim: d, isRows, at: (dim, rows) => scatterOperation(what, joining, dim, rows, tests) },
      },
    ),
  );
}

function joinOf(by: WriteJoin["by"], d: number, isRows: boolean): WriteJoin {
  return {
    by,
    shapeOf: ([index, source]) => ((isRows ? source : index) as View).shape,
    at: (from, [index]) => {
      const [tensor, named] = [from as Tensor, index as Tensor];
      return isRows ? indexSelect(tensor, d, named) : gather(tensor, d, named);
    },
    add: (to, [index], values) => {
      const [tensor, named, source] = [to as Tensor, index as Tensor, values as Tensor];
      return isRows ? indexAdd(tensor, d, named, source) : scatterAdd(tensor, d, named, source);
    },
  };
}

/** Launches a write; the indexes of `all` are tested. */
function writeLanes(
  what: string,
  by: WriteJoin["by"],
  x: Tensor,
  d: number,
  chosen: Tensor,
  source: Tensor,
  all: readonly Indexes[],
  tests: Tests,
): void {
  const { device } = x;
  // A processor's kernel tests the indexes that it reads; a GPU tests all of them first.
  const isFirst = tests === "before" || device.target.dialect.gpu !== undefined;
  const tested = isFirst ? markOutside(device, all) : undefined;
  if (tests === "before") refuseOutside(what, device, all, tested);
  const lanes = chosen.shape.with(d, 1);
  const over = (tensor: Tensor) =>
    windowOf(tensor, {
      shape: lanes,
      strides: lanes.map((_, k) => (k === d ? 0 : (tensor.strides[k] ?? 0))),
      offset: 0,
    });
  const write = {
    lanes,
    length: chosen.shape[d] as number,
    source: { over: over(source), step: source.strides[d] ?? 0 },
    indexes: [
      { over: over(chosen), step: chosen.strides[d] as number, extent: x.shape[d] as number, wraps: false },
    ],
    lanesOf: (whole: Tensor) => ({ over: over(whole), strides: [whole.strides[d] as number] }),
  };
  // Of the source: the target has been prepared, as 0 or as one of the values.
  const joining = by.replace(" of the source", "") as Joining | "mean";
  if (joining === "mean") scatterMean(x, write, by === "mean" ? 1 : 0);
  else scatterLanes(x, { ...write, joining });
  if (tests === "during") refuseOutside(what, device, all, tested);
}

/** Joins sub-tensors, or one value, at some indexes of a dimension. */
export function rowsInto(
  what: string,
  joining: Joining,
  x: Tensor,
  dim: number,
  index: Tensor,
  values: Tensor | Scalar,
  tests: Tests = "before",
): void {
  const chosen = unshared(x, indexesFor(what, tensorOf(what, x), index)).reshape(-1);
  if (index.ndim > 1) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: the index has the shape ${formatShape(index.shape)}.`,
      "It is a vector.",
    );
  }
  if (x.ndim === 0) {
    const source = values instanceof Tensor ? values.reshape(-1) : values;
    rowsInto(what, joining, x.view(1), dim, chosen, source, tests);
    return;
  }
  const d = dimension(what, dim, x.ndim);
  const shape = x.shape.with(d, chosen.size);
  const source = sourceFor(what, x, values);
  if (source.ndim > 0 && (source.ndim !== x.ndim || source.shape.some((extent, k) => extent !== shape[k]))) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: the source has the shape ${formatShape(source.shape)}, but the index names ${formatShape(shape)}.`,
      "It must have the tensor's shape, with one element per index along the dimension.",
    );
  }
  if (sizeOf(shape) > 0)
    writeAlong(scatterOperation(what, joining, d, true, tests), x, d, chosen, source.expand(shape));
}

/** A tensor, or a copy of it if it shares memory with the tensor that is written. */
export function unshared(written: Tensor, other: Tensor): Tensor {
  return other.storage === written.storage || shareElements(other, written) ? other.clone() : other;
}

/** The source as a tensor; throws if its device or dtype differs from the tensor's. */
export function sourceFor(what: string, x: Tensor, values: Tensor | Scalar): Tensor {
  if (!(values instanceof Tensor)) {
    return emptyTensor([], [], x.dtype, x.device).fill_(fitting(what, x, values) as Scalar);
  }
  checkDevices(what, x, values, ["the tensor", "the source"]);
  if (values.dtype !== x.dtype) {
    throw new JitlabError(
      "dtype-refused",
      `${what}: the tensor is ${x.dtype.name} and the source ${values.dtype.name}.`,
      `Convert one of them: their common dtype is ${promote(x.dtype, values.dtype).name}.`,
    );
  }
  return unshared(x, values);
}

const neutral: Readonly<Record<"sum" | "prod" | "mean", number>> = { sum: 0, prod: 1, mean: 0 };

/** Joins with a reduction; to exclude the tensor's elements, they are first replaced by the identity. */
export function reduceInto(
  self: Tensor,
  dim: number,
  index: Tensor,
  source: Tensor,
  reduce: ScatterReduction,
  given: ScatterReduceOptions | undefined,
): void {
  const what = "scatterReduce";
  if (!["sum", "prod", "mean", "amax", "amin"].includes(reduce)) {
    throw new JitlabError(
      "bad-argument",
      `${what}: the reduction is ${show(reduce)}.`,
      "It is sum, prod, mean, amax or amin.",
    );
  }
  if (tensorOf(what, self).dtype.kind === "complex" && (reduce === "amax" || reduce === "amin")) {
    throw new JitlabError(
      "dtype-refused",
      `${what} does not take ${self.dtype.name} with ${reduce}: complex numbers have no order.`,
    );
  }
  const { includeSelf = true } = optionsOf(what, given, ["includeSelf"]);
  if (includeSelf) {
    scatterInto(what, reduce, self, dim, index, source);
    return;
  }
  // For amax and amin, one of the values at each position acts as the identity.
  scatterInto(
    what,
    "assign",
    self,
    dim,
    index,
    reduce === "amax" || reduce === "amin" ? source : neutral[reduce],
  );
  const isIdentity = reduce === "sum" || reduce === "prod";
  scatterInto(what, isIdentity ? reduce : `${reduce} of the source`, self, dim, index, source);
}
