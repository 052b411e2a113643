// Shapes and strides: pure functions over arrays of numbers. Strides count elements, never bytes.
import { isArray, JitlabError, show } from "../base/errors.js";

/** The maximum number of dimensions of a tensor. */
export const maxDims = 16;

/** The number of elements of a shape; 1 for a 0-d shape. */
export function sizeOf(shape: readonly number[]): number {
  let size = 1;
  for (const extent of shape) size *= extent;
  return size;
}

/** The number of distinct elements in memory: broadcast dimensions repeat them. */
export function distinctElements(shape: readonly number[], strides: readonly number[]): number {
  let count = 1;
  for (let d = 0; d < shape.length; d++) if (strides[d] !== 0) count *= shape[d] as number;
  return count;
}

/** True for one element, also one that a dimension repeats: it fits operands of any shape. */
export function isSingle(strides: readonly number[]): boolean {
  for (let d = 0; d < strides.length; d++) if (strides[d] !== 0) return false;
  return true;
}

/** Row-major strides of a shape. */
export function contiguousStrides(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (let d = shape.length - 1; d >= 0; d--) {
    strides[d] = step;
    step *= Math.max(shape[d] as number, 1);
  }
  return strides;
}

/** True if elements are contiguous in row-major order; strides of extents below 2 do not matter. */
export function isContiguous(shape: readonly number[], strides: readonly number[]): boolean {
  let step = 1;
  for (let d = shape.length - 1; d >= 0; d--) {
    const extent = shape[d] as number;
    if (extent === 0) return true;
    if (extent !== 1 && strides[d] !== step) return false;
    step *= extent;
  }
  return true;
}

/** `[2, 3]`, as messages show a shape. */
export function formatShape(shape: readonly number[]): string {
  return `[${shape.map((extent) => (typeof extent === "number" ? extent : show(extent))).join(", ")}]`;
}

/** Throws `bad-shape` unless every extent is an integer from 0 on and there are at most {@link maxDims} of them. */
export function checkShape(shape: readonly number[], what: string): void {
  if (!isArray(shape)) {
    throw new JitlabError(
      "bad-shape",
      `${what}: the shape is ${show(shape)}, not an array.`,
      "Pass an array such as [2, 3].",
    );
  }
  if (shape.length > maxDims) {
    throw new JitlabError(
      "bad-shape",
      `${what}: the shape ${formatShape(shape)} has ${shape.length} dimensions, more than ${maxDims}.`,
      "Merge dimensions with reshape.",
    );
  }
  for (const extent of shape) {
    if (!Number.isSafeInteger(extent) || extent < 0) {
      throw new JitlabError(
        "bad-shape",
        `${what}: the shape ${formatShape(shape)} holds ${show(extent)}.`,
        "Extents are integers from 0 on.",
      );
    }
  }
  if (!Number.isSafeInteger(sizeOf(shape))) {
    throw new JitlabError(
      "bad-shape",
      `${what}: the shape ${formatShape(shape)} has 2^53 elements or more.`,
      "Use a smaller shape.",
    );
  }
}

/** The shape that all shapes broadcast to, as in NumPy; throws `shape-mismatch` naming `what` and the shapes. */
export function broadcastShapes(what: string, shapes: readonly (readonly number[])[]): readonly number[] {
  let result: readonly number[] = shapes[0] ?? [];
  for (const shape of shapes) if (shape.length > result.length) result = shape;
  const out = result.slice();
  for (const shape of shapes) {
    const lead = out.length - shape.length;
    for (let d = 0; d < shape.length; d++) {
      const extent = shape[d] as number;
      const have = out[lead + d] as number;
      if (extent === have || extent === 1) continue;
      if (have !== 1) {
        throw new JitlabError(
          "shape-mismatch",
          `${what}: the shapes ${shapes.map(formatShape).join(" and ")} do not broadcast: ${have} and ${extent} in dimension ${lead + d}.`,
          "Dimensions are compared from the last one; each pair must be equal, or one of them 1. Use reshape, unsqueeze or expand.",
        );
      }
      out[lead + d] = extent;
    }
  }
  return out;
}

/** Strides of a view broadcast to `shape`: 0 along added and stretched dimensions. */
export function broadcastStrides(
  from: readonly number[],
  strides: readonly number[],
  shape: readonly number[],
): number[] {
  const lead = shape.length - from.length;
  const out = new Array<number>(shape.length).fill(0);
  for (let d = 0; d < from.length; d++) {
    out[lead + d] = from[d] === 1 && shape[lead + d] !== 1 ? 0 : (strides[d] as number);
  }
  return out;
}

/** The lowest and highest element offset of a view, `[0, -1]` for an empty one. */
export function reach(shape: readonly number[], strides: readonly number[]): readonly [number, number] {
  let low = 0;
  let high = 0;
  for (let d = 0; d < shape.length; d++) {
    const extent = shape[d] as number;
    if (extent === 0) return [0, -1];
    const span = (extent - 1) * (strides[d] as number);
    if (span < 0) low += span;
    else high += span;
  }
  return [low, high];
}

/** True if two different indexes may reach one element: a zero stride, or interleaved strides. */
export function overlapsItself(shape: readonly number[], strides: readonly number[]): boolean {
  if (shape.includes(0)) return false;
  const dims = shape
    .map((extent, d) => ({ extent, stride: Math.abs(strides[d] as number) }))
    .filter((dim) => dim.extent > 1)
    .sort((a, b) => a.stride - b.stride);
  let extent = 1;
  for (const dim of dims) {
    if (dim.stride < extent) return true;
    extent = (dim.extent - 1) * dim.stride + extent;
  }
  return false;
}

/** True if two shapes, or two lists of strides, are equal. */
export function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let d = 0; d < a.length; d++) if (a[d] !== b[d]) return false;
  return true;
}
