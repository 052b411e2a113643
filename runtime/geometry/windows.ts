// The geometry of special views: diagonals, sliding windows, reversed dimensions.
import { JitlabError } from "../base/errors.js";
import type { View } from "./view.js";
import { dimension, dimensionsOf, type Geometry } from "./views.js";

type Source = Pick<View, "shape" | "strides">;

/** The diagonal of two dimensions, as a new last dimension. */
export function diagonal(source: Source, offset: number, dim1: number, dim2: number): Geometry {
  const [d1, d2] = dimensionsOf("diagonal", [dim1, dim2], source.shape.length) as [number, number];
  const [rows, columns] = [source.shape[d1] as number, source.shape[d2] as number];
  const [down, right] = [source.strides[d1] as number, source.strides[d2] as number];
  const length = Math.max(
    0,
    offset >= 0 ? Math.min(rows, columns - offset) : Math.min(rows + offset, columns),
  );
  const rest = (list: readonly number[]) => list.filter((_, d) => d !== d1 && d !== d2);
  const start = offset >= 0 ? offset * right : -offset * down;
  return {
    shape: [...rest(source.shape), length],
    strides: [...rest(source.strides), down + right],
    offset: length === 0 ? 0 : start,
  };
}

/** Windows of `size` elements of a dimension, every `step`; the elements of a window are a new last dimension. */
export function unfold(source: Source, dim: number, size: number, step: number): Geometry {
  // A 0-d tensor is treated as 1-d with one element.
  const [shape, strides] = source.shape.length === 0 ? [[1], [1]] : [source.shape, source.strides];
  const d = dimension("unfold", dim, shape.length);
  const extent = shape[d] as number;
  if (size < 0 || size > extent || step < 1) {
    throw new JitlabError(
      "bad-argument",
      `unfold: windows of ${size} elements in steps of ${step} along dimension ${d}, which has ${extent}.`,
      "A window has 0 elements or more and fits the dimension; a step is 1 or more.",
    );
  }
  const stride = strides[d] as number;
  if (source.shape.length === 0) return { shape: [size], strides: [stride], offset: 0 };
  return {
    shape: [...shape.map((e, k) => (k === d ? Math.floor((extent - size) / step) + 1 : e)), size],
    strides: [...strides.map((s, k) => (k === d ? s * step : s)), stride],
    offset: 0,
  };
}

/** Reverses some dimensions. */
export function reversed(source: Source, dims: readonly number[]): Geometry {
  let offset = 0;
  const strides = source.strides.map((stride, d) => {
    if (!dims.includes(d)) return stride;
    offset += Math.max((source.shape[d] as number) - 1, 0) * stride;
    return -stride;
  });
  return { shape: source.shape, strides, offset };
}
