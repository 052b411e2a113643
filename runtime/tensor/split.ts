// Splits a tensor along a dimension; all parts are views.

import { integerOf, integersOf } from "../base/arguments.js";
import type { DTypeName } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import { dimension } from "../geometry/views.js";
import { type Tensor, tensorOf } from "./tensor.js";

/** The most parts of one call, because each part is an object. */
const mostParts = 2 ** 20;

/** Throws `too-large` for more parts than there can be. */
function checkParts(what: string, count: number): void {
  if (count <= mostParts) return;
  throw new JitlabError(
    "too-large",
    `${what}: ${count} parts are more than the ${mostParts} that one call makes.`,
    "Split into longer parts, or reshape and index.",
  );
}

/** Consecutive parts of these lengths. */
function parts(x: Tensor, dim: number, lengths: readonly number[]): Tensor[] {
  let start = 0;
  return lengths.map((length) => {
    const part = x.narrow(dim, start, length);
    start += length;
    return part;
  });
}

/**
 * Parts of `size` elements (the last one may be shorter), or of the lengths in a list; views.
 *
 * @example jl.arange(5).split(2).map((part) => part.toArray()) // [[0, 1], [2, 3], [4]]
 */
export function split<D extends DTypeName>(
  x: Tensor<D>,
  size: number | readonly number[],
  dim = 0,
): Tensor<D>[] {
  const d = dimension("split", dim, tensorOf("split", x).ndim);
  const extent = x.shape[d] as number;
  if (typeof size !== "number") {
    const lengths = integersOf("split", "size", size);
    if (lengths.some((length) => length < 0) || lengths.reduce((sum, length) => sum + length, 0) !== extent) {
      throw new JitlabError(
        "bad-argument",
        `split: the lengths ${show(size)} are not the ${extent} elements of dimension ${d}.`,
        "Pass lengths from 0 on whose sum is the extent.",
      );
    }
    return parts(x, d, lengths);
  }
  const each = integerOf("split", "size", size);
  if (each < 0 || (each === 0 && extent > 0)) {
    throw new JitlabError(
      "bad-argument",
      `split: the size is ${each}.`,
      "Pass a size from 1 on, or a list of lengths.",
    );
  }
  const count = each === 0 ? 1 : Math.max(1, Math.ceil(extent / each));
  checkParts("split", count);
  return parts(
    x,
    d,
    Array.from({ length: count }, (_, i) => Math.min(each, extent - i * each)),
  );
}

/**
 * At most `chunks` parts of one size (the last one may be shorter); views.
 *
 * @example jl.arange(5).chunk(2).map((part) => part.toArray()) // [[0, 1, 2], [3, 4]]
 */
export function chunk<D extends DTypeName>(x: Tensor<D>, chunks: number, dim = 0): Tensor<D>[] {
  const d = dimension("chunk", dim, tensorOf("chunk", x).ndim);
  const count = positive("chunk", "chunks", chunks);
  const extent = x.shape[d] as number;
  if (extent === 0) {
    checkParts("chunk", count);
    return parts(x, d, new Array<number>(count).fill(0));
  }
  return split(x, Math.ceil(extent / count), d);
}

/**
 * `sections` parts, the first ones longer by one if needed, or parts between the indexes in a list; views.
 *
 * @example jl.arange(5).tensorSplit(3).map((part) => part.toArray()) // [[0, 1], [2, 3], [4]]
 */
export function tensorSplit<D extends DTypeName>(
  x: Tensor<D>,
  sections: number | readonly number[],
  dim = 0,
): Tensor<D>[] {
  const d = dimension("tensorSplit", dim, tensorOf("tensorSplit", x).ndim);
  const extent = x.shape[d] as number;
  if (typeof sections === "number") {
    const count = positive("tensorSplit", "sections", sections);
    checkParts("tensorSplit", count);
    const longer = extent % count;
    const base = Math.floor(extent / count);
    return parts(
      x,
      d,
      Array.from({ length: count }, (_, i) => base + (i < longer ? 1 : 0)),
    );
  }
  const clamped = (index: number) => Math.min(Math.max(index < 0 ? index + extent : index, 0), extent);
  const bounds = [0, ...integersOf("tensorSplit", "sections", sections).map(clamped), extent];
  return bounds.slice(1).map((end, i) => {
    const start = bounds[i] as number;
    return x.narrow(d, start, Math.max(0, end - start));
  });
}

/**
 * The sub-tensors at each index of a dimension, without that dimension; views.
 *
 * @example jl.arange(4).view(2, 2).unbind().map((part) => part.toArray()) // [[0, 1], [2, 3]]
 */
export function unbind<D extends DTypeName>(x: Tensor<D>, dim = 0): Tensor<D>[] {
  const d = dimension("unbind", dim, tensorOf("unbind", x).ndim);
  checkParts("unbind", x.shape[d] as number);
  return Array.from({ length: x.shape[d] as number }, (_, i) => x.select(d, i));
}

function positive(what: string, name: string, value: number): number {
  const count = integerOf(what, name, value);
  if (count > 0) return count;
  throw new JitlabError("bad-argument", `${what}: ${name} is ${count}.`, "Pass a number from 1 on.");
}
