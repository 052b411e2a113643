// Views: other shapes and windows over the same memory, without a copy.
import { listOf } from "../base/arguments.js";
import type { DTypeName } from "../base/dtype.js";
import * as views from "../geometry/views.js";
import { type Tensor, tensorOf, windowOf } from "./tensor.js";

/**
 * The same elements in another shape without a copy; one extent may be -1. Throws if the strides do not allow it.
 *
 * @example jl.arange(6).view(2, 3).toArray() // [[0, 1, 2], [3, 4, 5]]
 */
export function view<D extends DTypeName>(
  x: Tensor<D>,
  ...extents: (number | readonly number[])[]
): Tensor<D> {
  return windowOf(x, views.view(tensorOf("view", x), listOf(extents)));
}

/**
 * The same elements in another shape: a view where possible, else a copy.
 *
 * @example jl.arange(6).reshape(3, -1).shape // [3, 2]
 */
export function reshape<D extends DTypeName>(
  x: Tensor<D>,
  ...extents: (number | readonly number[])[]
): Tensor<D> {
  const shape = listOf(extents);
  const geometry = views.tryView(tensorOf("reshape", x), shape, "reshape");
  return geometry ? windowOf(x, geometry) : x.contiguous().view(shape);
}

/**
 * The dimensions from `start` to `end`, all of them by default, as one; a view where the strides allow it.
 *
 * @example jl.zeros([2, 3, 4]).flatten(1).shape // [2, 12]
 */
export function flatten<D extends DTypeName>(x: Tensor<D>, start = 0, end = -1): Tensor<D> {
  const { shape } = tensorOf("flatten", x);
  return x.reshape(...views.flattenedShape(shape, start, end));
}

/**
 * The dimensions in another order; a view.
 *
 * @example jl.zeros([2, 3, 4]).permute(2, 0, 1).shape // [4, 2, 3]
 */
export function permute<D extends DTypeName>(
  x: Tensor<D>,
  ...order: (number | readonly number[])[]
): Tensor<D> {
  return windowOf(x, views.permute(tensorOf("permute", x), listOf(order)));
}

/**
 * Swaps two dimensions; a view.
 *
 * @example jl.zeros([2, 3]).transpose(0, 1).shape // [3, 2]
 */
export function transpose<D extends DTypeName>(x: Tensor<D>, a: number, b: number): Tensor<D> {
  return windowOf(x, views.transpose(tensorOf("transpose", x), a, b));
}

/**
 * Dimensions of extent 1 stretched to `shape` with stride 0; -1 keeps an extent. A view.
 *
 * @example jl.arange(2).unsqueeze(1).expand(2, 3).toArray() // [[0, 0, 0], [1, 1, 1]]
 */
export function expand<D extends DTypeName>(
  x: Tensor<D>,
  ...extents: (number | readonly number[])[]
): Tensor<D> {
  return windowOf(x, views.expand(tensorOf("expand", x), listOf(extents)));
}

/**
 * Without dimensions of extent 1, or without those of `dim` whose extent is 1; a view.
 *
 * @example jl.zeros([1, 2, 1]).squeeze().shape // [2]
 */
export function squeeze<D extends DTypeName>(x: Tensor<D>, dim?: number | readonly number[]): Tensor<D> {
  return windowOf(x, views.squeeze(tensorOf("squeeze", x), dim));
}

/**
 * With a dimension of extent 1 put in at `dim`; a view.
 *
 * @example jl.arange(2).unsqueeze(1).toArray() // [[0], [1]]
 */
export function unsqueeze<D extends DTypeName>(x: Tensor<D>, dim: number): Tensor<D> {
  return windowOf(x, views.unsqueeze(tensorOf("unsqueeze", x), dim));
}

/**
 * Index `index` of dimension `dim`, which goes away; a view.
 *
 * @example jl.arange(6).view(2, 3).select(0, 1).toArray() // [3, 4, 5]
 */
export function select<D extends DTypeName>(x: Tensor<D>, dim: number, index: number): Tensor<D> {
  return windowOf(x, views.select(tensorOf("select", x), dim, index));
}

/**
 * `length` indexes of dimension `dim` from `start`; a view.
 *
 * @example jl.arange(6).narrow(0, 2, 3).toArray() // [2, 3, 4]
 */
export function narrow<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  start: number,
  length: number,
): Tensor<D> {
  return windowOf(x, views.narrow(tensorOf("narrow", x), dim, start, length));
}

/**
 * NumPy's slice notation, such as `x.slice("1:3, ::2")`, negative steps included; a view.
 *
 * @example jl.arange(6).slice("1:5:2").toArray() // [1, 3]
 */
export function slice<D extends DTypeName>(x: Tensor<D>, text: string): Tensor<D> {
  return windowOf(x, views.slice(tensorOf("slice", x), text));
}
