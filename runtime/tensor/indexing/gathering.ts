// Reads by index tensors: each function walks its result's shape and computes the source of each element. Indexes out of
// bounds are an error that names the first of them and its position.

import { integersOf, optionsOf } from "../../base/arguments.js";
import { type DTypeName, dtypes, isInteger } from "../../base/dtype.js";
import { inNameOf, JitlabError } from "../../base/errors.js";
import { broadcastShapes, contiguousStrides, formatShape, sizeOf } from "../../geometry/layout.js";
import { dimension } from "../../geometry/views.js";
import { openGraph } from "../../launch/graph.js";
import { atOnce, differentiable, isTaken } from "../../launch/sink.js";
import { runWalk } from "../../launch/walk-launch.js";
import { checkDevices } from "../same-device.js";
import { elementsWhere, placesOf } from "../statistics/mask-places.js";
import { emptyTensor, type Tensor, tensorOf, windowOf } from "../tensor.js";
import { gatherCall } from "./gather-walk.js";
import { areFew, checkIndexes, indexesFor, markOf, markOutside, refuseOutside } from "./index-check.js";
import { lookUp, numbersOf, type Selection } from "./lookup.js";

/** Reads `source`, a view of the result's shape with stride 0 along indexed dimensions. */
export function gatherWith<D extends DTypeName>(
  what: string,
  source: Tensor<D>,
  shape: readonly number[],
  selections: readonly Selection[],
): Tensor<D> {
  const { dtype, device } = source;
  if (isTaken() && openGraph() === undefined && sizeOf(shape) > 0) {
    const result: Tensor<D> = emptyTensor(shape, contiguousStrides(shape), dtype, device);
    lookUp(what, source, result, selections);
    return result;
  }
  return atOnce(() => {
    const result: Tensor<D> = emptyTensor(shape, contiguousStrides(shape), dtype, device);
    if (result.size === 0) {
      checkIndexes(what, device, selections);
      return result;
    }
    const indexes = selections.map(({ over }) => over);
    const tested = areFew(device, selections, result.size) ? markOutside(device, selections) : undefined;
    runWalk(gatherCall(result, markOf(device), source, indexes, numbersOf(selections)));
    refuseOutside(what, device, selections, tested);
    return result;
  });
}

/**
 * The elements along `dim` that the index tensor names; the index's other extents are at most the tensor's.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).gather(1, jl.tensor([[0n, 0n], [1n, 0n]])).toArray() // [[1, 1], [4, 3]]
 */
export function gather<D extends DTypeName>(x: Tensor<D>, dim: number, index: Tensor): Tensor<D> {
  const chosen = indexesFor("gather", tensorOf("gather", x), index);
  const d = placeInside("gather", x, dim, chosen);
  const strides = x.strides.map((stride, k) => (k === d ? 0 : stride));
  const selection = {
    index: chosen,
    over: chosen,
    extent: x.shape[d] ?? 1,
    stride: x.strides[d] ?? 0,
    of: `dimension ${d}`,
    wraps: false,
  };
  return gatherWith("gather", windowOf(x, { shape: chosen.shape, strides, offset: 0 }), chosen.shape, [
    selection,
  ]);
}

/** The dimension; throws if the index tensor exceeds the tensor along another dimension. */
export function placeInside(what: string, x: Tensor, dim: number, index: Tensor): number {
  if (x.ndim === 0 && index.ndim <= 1 && (dim === 0 || dim === -1)) return 0;
  const d = dimension(what, dim, x.ndim);
  const fits =
    index.ndim === x.ndim && index.shape.every((extent, k) => k === d || extent <= (x.shape[k] as number));
  if (fits || index.size === 0) return d;
  throw new JitlabError(
    "shape-mismatch",
    `${what}: the index of shape ${formatShape(index.shape)} does not fit the tensor of shape ${formatShape(x.shape)} along dimension ${d}.`,
    "It must have as many dimensions, and only the extent of that dimension may exceed the tensor's.",
  );
}

/**
 * The sub-tensors at some indexes of a dimension, in the order of a vector of indexes.
 *
 * @example jl.tensor([10, 20, 30]).indexSelect(0, jl.tensor([2n, 0n])).toArray() // [30, 10]
 */
export function indexSelect<D extends DTypeName>(x: Tensor<D>, dim: number, index: Tensor): Tensor<D> {
  const chosen = indexesFor("indexSelect", tensorOf("indexSelect", x), index);
  if (chosen.ndim > 1) {
    throw new JitlabError(
      "shape-mismatch",
      `indexSelect: the index has the shape ${formatShape(chosen.shape)}.`,
      "It is a vector; gather and at(...) take more dimensions.",
    );
  }
  if (x.ndim === 0) return gather(x.reshape(1), dim, chosen.reshape(-1)).reshape([]);
  const d = dimension("indexSelect", dim, x.ndim);
  const shape = x.shape.map((extent, k) => (k === d ? chosen.size : extent));
  const over = chosen.reshape(
    shape.map((_, k) => (k === d ? -1 : 1)).map((e) => (e === -1 ? chosen.size : e)),
  );
  const strides = x.strides.map((stride, k) => (k === d ? 0 : stride));
  const source = windowOf(x, { shape, strides, offset: 0 });
  const selection = {
    index: chosen,
    over,
    extent: x.shape[d] as number,
    stride: x.strides[d] as number,
    of: `dimension ${d}`,
    wraps: false,
  };
  return gatherWith("indexSelect", source, shape, [selection]);
}

/**
 * The elements at positions in row-major order, in the shape of the index; negative ones count from the end.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).take(jl.tensor([3n, 0n, -1n])).toArray() // [4, 1, 4]
 */
export function take<D extends DTypeName>(x: Tensor<D>, index: Tensor): Tensor<D> {
  const chosen = indexesFor("take", tensorOf("take", x), index);
  const flat = x.reshape(-1);
  const source = windowOf(flat, { shape: chosen.shape, strides: chosen.shape.map(() => 0), offset: 0 });
  const selection = {
    index: chosen,
    over: chosen,
    extent: x.size,
    stride: flat.strides[0] ?? 1,
    of: `the tensor`,
    wraps: true,
  };
  return gatherWith("take", source, chosen.shape, [selection]);
}

/**
 * As {@link gather}, with tensor and index broadcast against each other; without `dim`, from the elements in row-major
 * order.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).takeAlongDim(jl.tensor([[1n], [0n]]), 1).toArray() // [[2], [3]]
 */
export function takeAlongDim<D extends DTypeName>(x: Tensor<D>, index: Tensor, dim?: number): Tensor<D> {
  if (dim === undefined) {
    const flat = tensorOf("takeAlongDim", x).reshape(-1);
    const names = indexesFor("takeAlongDim", x, index).reshape(-1);
    return inNameOf("takeAlongDim", "gather", () => gather(flat, 0, names));
  }
  const chosen = indexesFor("takeAlongDim", tensorOf("takeAlongDim", x), index);
  const d = dimension("takeAlongDim", dim, x.ndim);
  if (chosen.ndim !== x.ndim) {
    throw new JitlabError(
      "shape-mismatch",
      `takeAlongDim: the index has ${chosen.ndim} dimensions and the tensor ${x.ndim}.`,
      "They must have equally many.",
    );
  }
  const without = (shape: readonly number[]) => shape.with(d, 1);
  const common = broadcastShapes("takeAlongDim", [without(x.shape), without(chosen.shape)]);
  const wide = x.expand(common.with(d, x.shape[d] as number));
  const names = chosen.expand(common.with(d, chosen.shape[d] as number));
  return inNameOf("takeAlongDim", "gather", () => gather(wide, d, names));
}

/**
 * The elements where a mask is true, in row-major order; tensor and mask broadcast.
 *
 * @example jl.tensor([5, 6, 7]).maskedSelect(jl.tensor([true, false, true])).toArray() // [5, 7]
 */
export function maskedSelect<D extends DTypeName>(x: Tensor<D>, mask: Tensor): Tensor<D> {
  if (tensorOf("maskedSelect", mask).dtype !== dtypes.bool) {
    throw new JitlabError(
      "dtype-refused",
      `maskedSelect: the mask is ${mask.dtype.name}.`,
      "A mask is a bool tensor, such as x.gt(0).",
    );
  }
  const shape = broadcastShapes("maskedSelect", [tensorOf("maskedSelect", x).shape, mask.shape]);
  checkDevices("maskedSelect", x, mask, ["the tensor", "the mask"]);
  const [from, chosen] = [x.expand(shape), mask.expand(shape)];
  return differentiable(
    () => elementsWhere(chosen, from),
    () => take(from, placesOf(chosen)),
  );
}

/**
 * The same as {@link nonzero}.
 *
 * @example jl.tensor([0, 5, 7]).argwhere().toArray() // [[1n], [2n]]
 */
export function argwhere(x: Tensor): Tensor<"int64"> {
  return nonzero(x);
}

/**
 * The indexes along each dimension of a shape, from places in row-major order.
 *
 * @example jl.tensor([5], { dtype: "int64" }).unravelIndex([2, 3]).map((index) => index.toArray()) // [[1n], [2n]]
 */
export function unravelIndex(x: Tensor, shape: readonly number[]): Tensor[] {
  const what = "unravelIndex";
  const extents = integersOf(what, "shape", shape);
  if (!isInteger(tensorOf(what, x).dtype)) {
    throw new JitlabError(
      "dtype-refused",
      `${what} does not take ${x.dtype.name}: places are integers; convert with .to("int64").`,
    );
  }
  const strides = contiguousStrides(extents);
  return extents.map((extent, d) =>
    x.floorDivide(Math.max(1, strides[d] as number)).remainder(Math.max(1, extent)),
  );
}

/** Options of nonzero. */
export interface NonzeroOptions {
  /** Returns a vector for each dimension instead of rows. */
  readonly asTuple?: boolean;
}

/**
 * The indexes of the nonzero elements in row-major order: one row of `ndim` int64 per element.
 *
 * @example jl.tensor([0, 5, 7]).nonzero().toArray() // [[1n], [2n]]
 */
export function nonzero(x: Tensor): Tensor<"int64">;
/** With `asTuple: true` a vector for each dimension: the indexes of `at(...)`. */
export function nonzero(x: Tensor, options: { readonly asTuple: true }): Tensor<"int64">[];
export function nonzero(x: Tensor, options?: NonzeroOptions): Tensor<"int64"> | Tensor<"int64">[] {
  if (optionsOf("nonzero", options, ["asTuple"]).asTuple) return indexesWhere(tensorOf("nonzero", x));
  const places = placesOf(trueWhere(tensorOf("nonzero", x)));
  if (x.ndim === 1) return places.view(places.size, 1);
  const shape = [places.size, x.ndim];
  const result: Tensor<"int64"> = emptyTensor(shape, contiguousStrides(shape), dtypes.int64, x.device);
  for (const [d, index] of indexesAt(places, x.shape).entries()) result.select(1, d).copy_(index);
  return result;
}

/** The indexes of the nonzero elements: a vector for each dimension. */
export function indexesWhere(tensor: Tensor): Tensor<"int64">[] {
  const source = tensor.ndim === 0 ? tensor.reshape(1) : tensor;
  return indexesAt(placesOf(trueWhere(source)), source.shape);
}

function trueWhere(x: Tensor): Tensor {
  return x.dtype === dtypes.bool ? x : x.ne(0);
}

/** The index along each dimension of positions in row-major order. */
function indexesAt(places: Tensor<"int64">, shape: readonly number[]): Tensor<"int64">[] {
  if (shape.length === 1) return [places];
  const strides = contiguousStrides(shape);
  return shape.map((extent, d) => places.floorDivide(strides[d] as number).remainder(Math.max(1, extent)));
}
