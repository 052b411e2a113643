// Rearranges elements: rotates, shifts, repeats. Returns views where PyTorch does, else copies.

import { integerOf, integersOf, listOf } from "../base/arguments.js";
import type { DTypeName } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import type { Walk } from "../codegen/walk-kernel.js";
import { broadcastShapes, checkShape, contiguousStrides, formatShape, sizeOf } from "../geometry/layout.js";
import { dimension, dimensionsOf } from "../geometry/views.js";
import { reversed, unfold as unfolded } from "../geometry/windows.js";
import { openSink } from "../launch/sink.js";
import { launchWalk } from "../launch/walk-launch.js";
import { arange, tensor } from "./create.js";
import { emptyTensor, Tensor, tensorOf, windowOf } from "./tensor.js";
import { hostReads } from "./transfer.js";
import { mayWrap, wrapped } from "./wrapped.js";

/** One extent or several, one by one or as a list. */
export type Extents = (number | readonly number[])[];

/**
 * Shifts the elements along dimensions; elements that leave one end enter at the other. Without `dims` they move in row-major order.
 *
 * @example jl.arange(5).roll(2).toArray() // [3, 4, 0, 1, 2]
 */
export function roll<D extends DTypeName>(
  x: Tensor<D>,
  shifts: number | readonly number[],
  dims?: number | readonly number[],
): Tensor<D> {
  tensorOf("roll", x);
  const by = integersOf("roll", "shifts", shifts);
  if (dims === undefined) {
    if (by.length === 1) return rolled(x.reshape(-1), [by[0] as number], [0]).view(x.shape);
  } else {
    const along = integersOf("roll", "dims", dims).map((dim) => dimension("roll", dim, x.ndim));
    if (along.length === by.length) return rolled(x, by, along);
  }
  throw new JitlabError(
    "bad-argument",
    `roll: ${by.length} shifts for the dimensions ${show(dims ?? [])}.`,
    "Pass one shift for each dimension, or one shift without dimensions.",
  );
}

const rollWalks = new Map<number, Walk>();

/** The walk that reads each element of a small result from its place before the shift. */
export function rollBy(rank: number): Walk {
  let walk = rollWalks.get(rank);
  if (walk === undefined) {
    const each = Array.from({ length: rank }, (_, d) => d);
    walk = {
      name: "roll",
      operands: ["out", "source"],
      numbers: each.flatMap((d) => [`extent${d}`, `stride${d}`, `shift${d}`]),
      body: [
        "  uint32 rest = uint32(position);",
        "  int64 at = 0;",
        ...each
          .toReversed()
          .flatMap((d) => [
            `  const int64 from${d} = int64(rest % uint32(extent${d})) - shift${d};`,
            `  rest /= uint32(extent${d});`,
            `  at += (from${d} < 0 ? from${d} + extent${d} : from${d}) * stride${d};`,
          ]),
        "  *out = source[at];",
      ].join("\n"),
    };
    rollWalks.set(rank, walk);
  }
  return walk;
}

// Up to this size several launches take a GPU longer than the elements of one.
const smallRoll = 2 ** 22;

/** Copies each of the 2^n parts to its destination, or element by element where that takes fewer launches. */
function rolled(x: Tensor, shifts: readonly number[], dims: readonly number[]): Tensor {
  const total = x.shape.map((extent, d) => {
    const sum = shifts.reduce((all, shift, i) => (dims[i] === d ? all + shift : all), 0);
    return extent === 0 ? 0 : ((sum % extent) + extent) % extent;
  });
  const isGpu = x.device.target.dialect.gpu !== undefined;
  if (isGpu && mayWrap(x, total)) return wrapped(x, total);
  const result = emptyTensor(x.shape, contiguousStrides(x.shape), x.dtype, x.device);
  if (isGpu && openSink() === undefined && x.size <= smallRoll) {
    const numbers = x.shape.flatMap((extent, d) => [extent, x.strides[d] as number, total[d] as number]);
    const source = windowOf(x, { shape: x.shape, strides: x.strides.map(() => 0), offset: 0 });
    launchWalk(rollBy(x.ndim), x.shape, [result], [source], numbers);
    return result;
  }
  const place = (from: Tensor, to: Tensor, d: number): void => {
    if (from.size === 0) return;
    if (d === x.ndim) {
      to.copy_(from);
      return;
    }
    const extent = x.shape[d] as number;
    const shift = total[d] as number;
    if (shift === 0) {
      place(from, to, d + 1);
      return;
    }
    place(from.narrow(d, 0, extent - shift), to.narrow(d, shift, extent - shift), d + 1);
    place(from.narrow(d, extent - shift, shift), to.narrow(d, 0, shift), d + 1);
  };
  place(x, result, 0);
  return result;
}

/**
 * Reverses dimensions; a copy. `x.slice("::-1")` is the view.
 *
 * @example jl.arange(6).reshape(2, 3).flip(1).toArray() // [[2, 1, 0], [5, 4, 3]]
 */
export function flip<D extends DTypeName>(x: Tensor<D>, ...dims: Extents): Tensor<D> {
  tensorOf("flip", x);
  const list = dimensionsOf("flip", integersOf("flip", "dims", listOf(dims)), x.ndim);
  return windowOf(x, reversed(x, list)).clone();
}

/**
 * The columns in reverse order; a copy.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).fliplr().toArray() // [[2, 1], [4, 3]]
 */
export function fliplr<D extends DTypeName>(x: Tensor<D>): Tensor<D> {
  return flip(x, 1);
}

/**
 * The rows in reverse order; a copy.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).flipud().toArray() // [[3, 4], [1, 2]]
 */
export function flipud<D extends DTypeName>(x: Tensor<D>): Tensor<D> {
  return flip(x, 0);
}

/**
 * Rotates by `k` right angles in the plane of two dimensions, from the first to the second; a copy.
 *
 * @example jl.arange(4).reshape(2, 2).rot90().toArray() // [[1, 3], [0, 2]]
 */
export function rot90<D extends DTypeName>(x: Tensor<D>, k = 1, dims: readonly number[] = [0, 1]): Tensor<D> {
  tensorOf("rot90", x);
  const [a, b, ...others] = dimensionsOf("rot90", integersOf("rot90", "dims", dims), x.ndim);
  if (a === undefined || b === undefined || others.length > 0) {
    throw new JitlabError("bad-dimension", `rot90: ${show(dims)} is not a plane.`, "Name two dimensions.");
  }
  const turns = ((integerOf("rot90", "k", k) % 4) + 4) % 4;
  if (turns === 0) return x.clone();
  if (turns === 2) return flip(x, a, b);
  const across = x.transpose(a, b);
  return flip(across, turns === 1 ? a : b);
}

/**
 * Repeats the tensor `sizes[d]` times along each dimension `d`; additional sizes add leading dimensions.
 *
 * @example jl.tensor([1, 2]).repeat(2, 2).toArray() // [[1, 2, 1, 2], [1, 2, 1, 2]]
 */
export function repeat<D extends DTypeName>(x: Tensor<D>, ...sizes: Extents): Tensor<D> {
  tensorOf("repeat", x);
  const times = listOf(sizes);
  checkShape(times, "repeat");
  if (times.length < x.ndim) {
    throw new JitlabError(
      "bad-argument",
      `repeat: ${times.length} sizes for the ${x.ndim} dimensions of ${formatShape(x.shape)}.`,
      "Pass one size for each dimension, or more; tile accepts fewer.",
    );
  }
  const shape = [...new Array<number>(times.length - x.ndim).fill(1), ...x.shape];
  // Each count is a separate dimension, so that one strided copy suffices; [2, 3] twice along 1 is [2, 2, 3], then [2, 6].
  const interleaved = times.flatMap((n, d) => (n === 1 ? [shape[d] as number] : [1, shape[d] as number]));
  const wide = times.flatMap((n, d) => (n === 1 ? [shape[d] as number] : [n, shape[d] as number]));
  return x
    .reshape(interleaved)
    .expand(wide)
    .clone()
    .view(shape.map((extent, d) => extent * (times[d] as number)));
}

/**
 * As {@link repeat}; missing sizes are 1.
 *
 * @example jl.tensor([[1, 2]]).tile(2).toArray() // [[1, 2, 1, 2]]
 */
export function tile<D extends DTypeName>(x: Tensor<D>, ...sizes: Extents): Tensor<D> {
  tensorOf("tile", x);
  const times = listOf(sizes);
  const missing = Math.max(0, x.ndim - times.length);
  checkShape(times, "tile");
  return repeat(x, [...new Array<number>(missing).fill(1), ...times]);
}

/**
 * Repeats each element along a dimension: a number of times, or a vector with one number per element. Without `dim`, the
 * elements in row-major order.
 *
 * @example jl.tensor([1, 2]).repeatInterleave(2).toArray() // [1, 1, 2, 2]
 */
export function repeatInterleave<D extends DTypeName>(
  x: Tensor<D>,
  repeats: number | Tensor,
  dim?: number,
): Tensor<D> {
  const source =
    dim === undefined ? tensorOf("repeatInterleave", x).reshape(-1) : tensorOf("repeatInterleave", x);
  const d = dimension("repeatInterleave", dim ?? 0, source.ndim);
  const extent = source.shape[d] as number;
  if (repeats instanceof Tensor) hostReads("repeatInterleave", repeats);
  const given =
    typeof repeats === "number" ? [repeats] : tensorOf("repeatInterleave", repeats).reshape(-1).toArray();
  const times = integersOf("repeatInterleave", "repeats", given.map(Number));
  if (times.some((n) => n < 0) || (times.length !== 1 && times.length !== extent)) {
    throw new JitlabError(
      "bad-argument",
      `repeatInterleave: the numbers ${show(times)} for the ${extent} elements of dimension ${d}.`,
      "Pass one number from 0 on, or one for each element.",
    );
  }
  const on = { dtype: "int64", device: x.device.name } as const;
  const [each = 0] = times;
  const single = times.length === 1;
  const total = single ? extent * each : times.reduce((sum, n) => sum + n, 0);
  const places = arange(0, total, 1, on);
  const index = single
    ? places.floorDivide(each)
    : places.bucketize(tensor(times, on).cumsum(0), { right: true });
  return source.indexSelect(d, index);
}

/**
 * Moves dimensions to other positions; the others keep their order. A view.
 *
 * @example jl.zeros([2, 3, 4]).movedim(0, -1).shape // [3, 4, 2]
 */
export function movedim<D extends DTypeName>(
  x: Tensor<D>,
  source: number | readonly number[],
  destination: number | readonly number[],
): Tensor<D> {
  tensorOf("movedim", x);
  const from = dimensionsOf("movedim", integersOf("movedim", "source", source), x.ndim);
  const to = dimensionsOf("movedim", integersOf("movedim", "destination", destination), x.ndim);
  if (from.length !== to.length) {
    throw new JitlabError(
      "bad-argument",
      `movedim: ${from.length} dimensions for ${to.length} positions.`,
      "Pass one position for each dimension.",
    );
  }
  const others = x.shape.map((_, d) => d).filter((d) => !from.includes(d));
  const order = x.shape.map((_, d) =>
    to.includes(d) ? (from[to.indexOf(d)] as number) : (others.shift() as number),
  );
  return x.permute(order);
}

/**
 * As {@link movedim}.
 *
 * @example jl.zeros([2, 3, 4]).moveaxis(0, -1).shape // [3, 4, 2]
 */
export function moveaxis<D extends DTypeName>(
  x: Tensor<D>,
  source: number | readonly number[],
  destination: number | readonly number[],
): Tensor<D> {
  return movedim(x, source, destination);
}

/**
 * Swaps two dimensions, as transpose; a view.
 *
 * @example jl.zeros([2, 3, 4]).swapaxes(0, 2).shape // [4, 3, 2]
 */
export function swapaxes<D extends DTypeName>(x: Tensor<D>, a: number, b: number): Tensor<D> {
  return tensorOf("swapaxes", x).transpose(a, b);
}

/**
 * Swaps two dimensions, as transpose; a view.
 *
 * @example jl.zeros([2, 3, 4]).swapdims(0, 2).shape // [4, 3, 2]
 */
export function swapdims<D extends DTypeName>(x: Tensor<D>, a: number, b: number): Tensor<D> {
  return tensorOf("swapdims", x).transpose(a, b);
}

/**
 * The transposed matrix, a view; a tensor with fewer dimensions unchanged.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).t().toArray() // [[1, 3], [2, 4]]
 */
export function t<D extends DTypeName>(x: Tensor<D>): Tensor<D> {
  if (tensorOf("t", x).ndim <= 2) return x.T;
  throw new JitlabError(
    "bad-dimension",
    `t: the shape ${formatShape(x.shape)} has ${x.ndim} dimensions.`,
    "It takes a matrix; use transpose(a, b) or permute(...).",
  );
}

/**
 * The tensor broadcast to a shape; a view.
 *
 * @example jl.arange(2).broadcastTo([2, 2]).toArray() // [[0, 1], [0, 1]]
 */
export function broadcastTo<D extends DTypeName>(x: Tensor<D>, ...shape: Extents): Tensor<D> {
  return tensorOf("broadcastTo", x).expand(...shape);
}

/**
 * The tensor with the shape of another one, as {@link broadcastTo}; a view.
 *
 * @example jl.arange(2).expandAs(jl.zeros([2, 2])).toArray() // [[0, 1], [0, 1]]
 */
export function expandAs<D extends DTypeName>(x: Tensor<D>, other: Tensor): Tensor<D> {
  return tensorOf("expandAs", x).expand(tensorOf("expandAs", other).shape);
}

/**
 * The elements in the shape of another tensor, as reshape.
 *
 * @example jl.arange(4).reshapeAs(jl.zeros([2, 2])).toArray() // [[0, 1], [2, 3]]
 */
export function reshapeAs<D extends DTypeName>(x: Tensor<D>, other: Tensor): Tensor<D> {
  return tensorOf("reshapeAs", x).reshape(tensorOf("reshapeAs", other).shape);
}

/**
 * Tensors broadcast to their common shape; views.
 *
 * @example jl.broadcastTensors(jl.zeros([2, 1]), jl.zeros([3])).map((x) => x.shape) // [[2, 3], [2, 3]]
 */
export function broadcastTensors(...tensors: readonly Tensor[]): Tensor[] {
  const shape = broadcastShapes(
    "broadcastTensors",
    tensors.map((x) => tensorOf("broadcastTensors", x).shape),
  );
  return tensors.map((x) => x.expand(shape));
}

/**
 * All elements in one dimension: a view where possible, else a copy.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).ravel().toArray() // [1, 2, 3, 4]
 */
export function ravel<D extends DTypeName>(x: Tensor<D>): Tensor<D> {
  return tensorOf("ravel", x).reshape(-1);
}

/**
 * Splits one dimension into several; one size may be -1. A view.
 *
 * @example jl.arange(6).unflatten(0, [2, -1]).shape // [2, 3]
 */
export function unflatten<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  sizes: readonly number[],
): Tensor<D> {
  const d = dimension("unflatten", dim, tensorOf("unflatten", x).ndim);
  const given = integersOf("unflatten", "sizes", sizes);
  const known = sizeOf(given.filter((size) => size !== -1));
  const extent = x.shape[d] as number;
  const filled = given.map((size) => (size === -1 && known > 0 ? extent / known : size));
  if (sizeOf(filled) !== extent || filled.some((size) => !Number.isInteger(size) || size < 0)) {
    throw new JitlabError(
      "shape-mismatch",
      `unflatten: ${show(sizes)} does not hold the ${extent} elements of dimension ${d}.`,
      "The sizes must multiply to the extent; one of them may be -1.",
    );
  }
  return x.view([...x.shape.slice(0, d), ...filled, ...x.shape.slice(d + 1)]);
}

/**
 * Windows of `size` elements along a dimension, every `step`, as a new last dimension; a view.
 *
 * @example jl.arange(5).unfold(0, 2, 1).toArray() // [[0, 1], [1, 2], [2, 3], [3, 4]]
 */
export function unfold<D extends DTypeName>(
  x: Tensor<D>,
  dim: number,
  size: number,
  step: number,
): Tensor<D> {
  const [length, every] = [integerOf("unfold", "size", size), integerOf("unfold", "step", step)];
  return windowOf(x, unfolded(tensorOf("unfold", x), dim, length, every));
}
