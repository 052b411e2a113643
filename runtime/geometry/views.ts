// The geometry of views: new shapes, strides and offsets over the same memory; pure functions.
import { isArray, JitlabError, show } from "../base/errors.js";
import {
  broadcastStrides,
  checkShape,
  contiguousStrides,
  formatShape,
  isContiguous,
  sizeOf,
} from "./layout.js";
import type { View } from "./view.js";

/** A window: its offset counts elements from element 0 of its source. */
export interface Geometry {
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
}

type Source = Pick<View, "shape" | "strides">;

/** A dimension number with negatives counted from the end; throws `bad-dimension` if out of range. */
export function dimension(what: string, dim: number, ndim: number): number {
  if (Number.isInteger(dim) && dim >= -ndim && dim < ndim) return dim < 0 ? dim + ndim : dim;
  throw new JitlabError(
    "bad-dimension",
    `${what}: dimension ${show(dim)} of a tensor with ${ndim} dimensions.`,
    ndim === 0 ? "A 0-d tensor has none." : `Dimensions run from ${-ndim} to ${ndim - 1}.`,
  );
}

/** The same where a tensor without dimensions has dimension 0, as in PyTorch's reductions. */
export function dimensionOrOnly(what: string, dim: number, ndim: number): number {
  return ndim === 0 && (dim === 0 || dim === -1) ? 0 : dimension(what, dim, ndim);
}

/** Dimensions as positions from 0 on; throws `bad-dimension` for one out of range or a duplicate. */
export function dimensionsOf(what: string, dims: readonly number[], ndim: number): number[] {
  const found: number[] = [];
  for (const dim of dims) {
    const d = dimension(what, dim, ndim);
    if (found.includes(d)) {
      throw new JitlabError(
        "bad-dimension",
        `${what}: dimension ${d} is named twice in ${show(dims)}.`,
        "Name each dimension once.",
      );
    }
    found.push(d);
  }
  return found;
}

/** The shape with its single -1 replaced by the remaining extent. */
function inferShape(what: string, shape: readonly number[], size: number, from: readonly number[]): number[] {
  checkShape(
    shape.map((extent) => (extent === -1 ? 0 : extent)),
    what,
  );
  const unknown = shape.indexOf(-1);
  const known = shape.reduce((product, extent) => (extent === -1 ? product : product * extent), 1);
  const inferred = shape.slice();
  if (unknown >= 0 && known > 0 && size % known === 0) inferred[unknown] = size / known;
  if (inferred.includes(-1) || sizeOf(inferred) !== size) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: ${formatShape(shape)} does not hold the ${size} elements of ${formatShape(from)}.`,
      "The extents must multiply to the number of elements; one of them may be -1.",
    );
  }
  return inferred;
}

/** The view in another shape, or undefined if the strides do not allow it. */
export function tryView(source: Source, wanted: readonly number[], what: string): Geometry | undefined {
  const size = sizeOf(source.shape);
  const shape = inferShape(what, wanted, size, source.shape);
  if (size === 0 || isContiguous(source.shape, source.strides)) {
    return { shape, strides: contiguousStrides(shape), offset: 0 };
  }
  // Walk groups of dimensions that are contiguous among themselves; each must be filled exactly by new dimensions.
  const strides = new Array<number>(shape.length).fill(1);
  let target = shape.length - 1;
  let group = 1;
  // Strides of extents of 1 are arbitrary.
  const dims = source.shape.map((_, d) => d).filter((d) => source.shape[d] !== 1);
  const extents = dims.map((d) => source.shape[d] as number);
  const steps = dims.map((d) => source.strides[d] as number);
  let base = steps[dims.length - 1] as number;
  for (let d = dims.length - 1; d >= 0; d--) {
    const extent = extents[d] as number;
    group *= extent;
    const next = d > 0 ? (steps[d - 1] as number) : undefined;
    if (next !== undefined && next === extent * (steps[d] as number)) continue;
    let filled = 1;
    while (target >= 0 && (filled < group || shape[target] === 1)) {
      strides[target] = base * filled;
      filled *= shape[target] as number;
      target--;
    }
    if (filled !== group) return undefined;
    group = 1;
    base = next ?? 1;
  }
  return { shape, strides, offset: 0 };
}

/** The view in another shape; throws `not-viewable` if the strides do not allow it. */
export function view(source: Source, wanted: readonly number[]): Geometry {
  const geometry = tryView(source, wanted, "view");
  if (geometry) return geometry;
  throw new JitlabError(
    "not-viewable",
    `view: the strides ${formatShape(source.strides)} of ${formatShape(source.shape)} do not allow the shape ${formatShape(wanted)}.`,
    "Use reshape, which copies if needed.",
  );
}

/** The shape with the dimensions from `start` to `end` merged; [1] for a scalar. */
export function flattenedShape(shape: readonly number[], start: number, end: number): number[] {
  const ndim = Math.max(1, shape.length);
  const [first, last] = [start, end].map((dim) => dimension("flatten", dim, ndim)) as [number, number];
  if (first > last) {
    throw new JitlabError(
      "bad-dimension",
      `flatten: the first dimension ${start} comes after the last one ${end} of ${formatShape(shape)}.`,
      "Pass them in order, or nothing for all dimensions.",
    );
  }
  const size = shape.slice(first, last + 1).reduce((product, extent) => product * extent, 1);
  return [...shape.slice(0, first), size, ...shape.slice(last + 1)];
}

/** Reorders dimensions. */
export function permute(source: Source, order: readonly number[]): Geometry {
  const ndim = source.shape.length;
  const dims = order.map((dim) => dimension("permute", dim, ndim));
  if (dims.length !== ndim || new Set(dims).size !== ndim) {
    throw new JitlabError(
      "bad-dimension",
      `permute: ${formatShape(order)} is not an order of ${ndim} dimensions.`,
      "Name every dimension once.",
    );
  }
  const shape = dims.map((dim) => source.shape[dim] as number);
  return { shape, strides: dims.map((dim) => source.strides[dim] as number), offset: 0 };
}

/** Swaps two dimensions. */
export function transpose(source: Source, a: number, b: number): Geometry {
  const ndim = source.shape.length;
  const order = source.shape.map((_, dim) => dim);
  const first = dimension("transpose", a, ndim);
  const second = dimension("transpose", b, ndim);
  order[first] = second;
  order[second] = first;
  return permute(source, order);
}

/** Throws unless extents of 1 and new leading dimensions make one shape of another. */
export function checkStretch(what: string, from: readonly number[], to: readonly number[]): void {
  const lead = to.length - from.length;
  if (lead >= 0 && from.every((extent, d) => extent === 1 || extent === to[lead + d])) return;
  throw new JitlabError(
    "shape-mismatch",
    `${what}: ${formatShape(from)} cannot be stretched to ${formatShape(to)}.`,
    "Only extents of 1 stretch; new dimensions come first.",
  );
}

/** Extents of 1 stretched with stride 0; -1 keeps an extent. */
export function expand(source: Source, wanted: readonly number[]): Geometry {
  const lead = wanted.length - source.shape.length;
  const shape = wanted.map((extent, d) =>
    extent === -1 && d >= lead ? (source.shape[d - lead] as number) : extent,
  );
  checkShape(shape, "expand");
  checkStretch("expand", source.shape, shape);
  return { shape, strides: broadcastStrides(source.shape, source.strides, shape), offset: 0 };
}

/** Removes extents of 1, of all dimensions or of some. */
export function squeeze(source: Source, dim: number | readonly number[] | undefined): Geometry {
  const chosen = dim === undefined || isArray(dim) ? dim : [dim];
  const only = chosen && dimensionsOf("squeeze", chosen, source.shape.length);
  const kept = source.shape
    .map((_, d) => d)
    .filter((d) => source.shape[d] !== 1 || (only !== undefined && !only.includes(d)));
  return {
    shape: kept.map((d) => source.shape[d] as number),
    strides: kept.map((d) => source.strides[d] as number),
    offset: 0,
  };
}

/** Inserts an extent of 1. */
export function unsqueeze(source: Source, dim: number): Geometry {
  const at = dimension("unsqueeze", dim, source.shape.length + 1);
  const shape = [...source.shape.slice(0, at), 1, ...source.shape.slice(at)];
  checkShape(shape, "unsqueeze");
  const stride = (source.shape[at] ?? 1) * (source.strides[at] ?? 1);
  return { shape, strides: [...source.strides.slice(0, at), stride, ...source.strides.slice(at)], offset: 0 };
}

/** One index of a dimension. */
export function select(source: Source, dim: number, index: number): Geometry {
  const d = dimension("select", dim, source.shape.length);
  const i = position("select", index, source.shape[d] as number, d);
  return {
    shape: source.shape.filter((_, k) => k !== d),
    strides: source.strides.filter((_, k) => k !== d),
    offset: i * (source.strides[d] as number),
  };
}

function position(what: string, index: number, extent: number, dim: number): number {
  if (Number.isInteger(index) && index >= -extent && index < extent)
    return index < 0 ? index + extent : index;
  throw new JitlabError(
    "bad-index",
    `${what}: index ${show(index)} of dimension ${dim}, which has ${extent} elements.`,
    extent === 0 ? "The dimension is empty." : `Indexes run from ${-extent} to ${extent - 1}.`,
  );
}

/** A range of a dimension. */
export function narrow(source: Source, dim: number, start: number, length: number): Geometry {
  const d = dimension("narrow", dim, source.shape.length);
  const extent = source.shape[d] as number;
  const whole = Number.isInteger(start) && Number.isInteger(length);
  const from = whole && start < 0 ? start + extent : start;
  if (!whole || from < 0 || length < 0 || from + length > extent) {
    throw new JitlabError(
      "bad-index",
      `narrow: ${show(length)} elements from ${show(start)} of dimension ${d}, which has ${extent}.`,
      "The range must lie inside the dimension.",
    );
  }
  const shape = source.shape.map((e, k) => (k === d ? length : e));
  return { shape, strides: source.strides.slice(), offset: from * (source.strides[d] as number) };
}

/** The marker of a new dimension of extent 1 in a slice. */
export const newAxis = "None";

/** The indexes of `at` as the text of a slice; throws `bad-index` for other values than numbers and text. */
export function indexText(indexes: readonly (number | bigint | string | null)[]): string {
  for (const index of indexes) {
    if (["number", "bigint", "string"].includes(typeof index) || index === null) continue;
    throw new JitlabError(
      "bad-index",
      `at: ${show(index)} is not an index.`,
      'Pass integers, or slices as text: x.at(0, "::2").',
    );
  }
  return indexes.map((index) => index ?? newAxis).join(", ");
}

/** NumPy's slices as text: `"1:3, ::2, -1, None, ..."`. */
export function slice(source: Source, text: string, what = "slice"): Geometry {
  if (typeof text !== "string") {
    throw new JitlabError(
      "bad-index",
      `${what}: ${show(text)} is not text.`,
      'For example x.slice("1:3, ::2").',
    );
  }
  const where = `${what}("${text}")`;
  const parts = text.trim() === "" ? [] : text.split(",").map((part) => part.trim());
  const ellipsis = parts.indexOf("...");
  const added = parts.filter((part) => part === newAxis).length;
  if (ellipsis >= 0) {
    const missing = source.shape.length - (parts.length - 1 - added);
    parts.splice(ellipsis, 1, ...new Array<string>(Math.max(missing, 0)).fill(":"));
  }
  const indexes = parts.length - added;
  if (indexes > source.shape.length) {
    throw new JitlabError(
      "bad-index",
      `${what}: "${text}" has ${indexes} indexes for the ${source.shape.length} dimensions of ${formatShape(source.shape)}.`,
      "Leave some out; the last dimensions are then taken whole.",
    );
  }
  const shape: number[] = [];
  const strides: number[] = [];
  let offset = 0;
  while (parts.length - added < source.shape.length) parts.push(":");
  let d = 0;
  for (const text of parts) {
    if (text === newAxis) {
      shape.push(1);
      strides.push(1);
      continue;
    }
    const stride = source.strides[d] as number;
    const part = sliceRange(text, source.shape[d] as number, d, where);
    d++;
    offset += part.start * stride;
    if (part.length === undefined) continue;
    shape.push(part.length);
    strides.push(stride * part.step);
  }
  checkShape(shape, where);
  return { shape, strides, offset };
}

function sliceRange(
  part: string,
  extent: number,
  dim: number,
  text: string,
): { start: number; step: number; length: number | undefined } {
  if (/^[+-]?\d+$/.test(part)) {
    return { start: position(text, Number(part), extent, dim), step: 1, length: undefined };
  }
  const match = /^([+-]?\d+)?\s*:\s*([+-]?\d+)?\s*(?::\s*([+-]?\d+)?)?$/.exec(part);
  const step = Number(match?.[3] ?? 1);
  if (!match || step === 0) {
    throw new JitlabError(
      "bad-index",
      `${text}: "${part}" is not an index.`,
      `Write an integer, "start:stop" or "start:stop:step" with a step other than 0, "None" for a new dimension, or "...".`,
    );
  }
  const low = step > 0 ? 0 : -1;
  const high = step > 0 ? extent : extent - 1;
  const clamp = (value: number) => Math.min(Math.max(value < 0 ? value + extent : value, low), high);
  const start = match[1] === undefined ? (step > 0 ? low : high) : clamp(Number(match[1]));
  const stop = match[2] === undefined ? (step > 0 ? high : low) : clamp(Number(match[2]));
  const length = Math.max(0, Math.ceil((stop - start) / step));
  return { start: length === 0 ? 0 : start, step, length };
}
