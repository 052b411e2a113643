// Interprets the indexes of at() and set(): numbers, slices and new dimensions make a view; index tensors choose from the
// corresponding dimensions of the view. As in PyTorch, the dimensions of the indexes are where the first index tensor is, or
// first if slices separate them.
import { dtypes } from "../../base/dtype.js";
import { JitlabError, show } from "../../base/errors.js";
import { broadcastShapes, formatShape, sameNumbers } from "../../geometry/layout.js";
import { indexText, newAxis, slice } from "../../geometry/views.js";
import { Tensor, windowOf } from "../tensor.js";
import { indexesWhere } from "./gathering.js";
import { type Indexes, indexesFor } from "./index-check.js";

/** An index of {@link at}: a position, slices as text, null for a new dimension, or a tensor of integers or of bool. */
export type Index = number | bigint | string | null | Tensor;

/** A view, and the index tensors for some of its dimensions. */
export interface IndexParts<V extends Tensor = Tensor> {
  readonly view: V;
  /** Each index tensor broadcast to `common`, with the extent and stride of its dimension. */
  readonly selections: readonly (Indexes & { readonly dim: number; readonly stride: number })[];
  readonly common: readonly number[];
  /** The view's dimensions without index tensors, and how many of them precede the indexes' in a result. */
  readonly kept: readonly number[];
  readonly before: number;
}

/** The view for indexes without tensors; undefined if there is a tensor. */
export function plainView<V extends Tensor>(what: string, x: V, indexes: readonly Index[]): V | undefined {
  if (indexes.some((index) => index instanceof Tensor)) return undefined;
  return windowOf(x, slice(x, indexText(indexes as readonly (number | bigint | string | null)[]), what)) as V;
}

/** Splits indexes into parts. */
export function partsOf<V extends Tensor>(what: string, x: V, indexes: readonly Index[]): IndexParts<V> {
  const items = indexes.flatMap((index): Index[] =>
    typeof index === "string" ? index.split(",").map((part) => part.trim()) : [index],
  );
  const width = (item: Index) => {
    if (item instanceof Tensor) return item.dtype === dtypes.bool ? item.ndim : 1;
    return item === null || item === newAxis || item === "..." ? 0 : 1;
  };
  const missing = x.ndim - items.reduce((sum: number, item) => sum + width(item), 0);
  if (missing < 0) {
    throw new JitlabError(
      "bad-index",
      `${what}: ${items.length} indexes for the ${x.ndim} dimensions of ${formatShape(x.shape)}.`,
      "Omit some; the last dimensions are then taken whole. A mask counts for each of its dimensions.",
    );
  }
  const text: string[] = [];
  const chosen: { readonly index: Tensor; readonly dim: number }[] = [];
  let dim = 0;
  for (const item of items) {
    if (item instanceof Tensor) {
      const count = width(item);
      for (const index of tensorsOf(what, x, item)) chosen.push({ index, dim: dim++ });
      text.push(...new Array<string>(count).fill(":"));
    } else if (item === "...") {
      text.push(...new Array<string>(missing).fill(":"));
      dim += missing;
    } else {
      const part = indexText([item]);
      text.push(part);
      if (!/^[+-]?\d+$/.test(part)) dim++;
    }
  }
  const view = windowOf(x, slice(x, text.join(", "), what)) as V;
  checkMasks(what, items, view, chosen);
  const common = broadcastShapes(
    what,
    chosen.map(({ index }) => index.shape),
  );
  const dims = chosen.map((one) => one.dim);
  const kept = view.shape.map((_, d) => d).filter((d) => !dims.includes(d));
  const first = dims[0] as number;
  const adjacent = dims.every((d, k) => d === first + k);
  const selections = chosen.map(({ index, dim }) => ({
    index: index.expand(common),
    dim,
    extent: view.shape[dim] as number,
    stride: view.strides[dim] as number,
    of: `dimension ${dim}`,
    wraps: true,
  }));
  return { view, selections, common, kept, before: adjacent ? kept.filter((d) => d < first).length : 0 };
}

/** An index tensor, or the indexes where a mask is true. */
function tensorsOf(what: string, x: Tensor, item: Tensor): Tensor[] {
  if (item.dtype !== dtypes.bool) return [indexesFor(what, x, item)];
  if (item.ndim > 0) return indexesWhere(item);
  throw new JitlabError(
    "bad-index",
    `${what}: the mask is a 0-d tensor.`,
    "A mask has at least one dimension.",
  );
}

/** Throws if the shape of a mask differs from its dimensions. */
function checkMasks(
  what: string,
  items: readonly Index[],
  view: Tensor,
  chosen: readonly { readonly dim: number }[],
): void {
  let next = 0;
  for (const item of items) {
    if (!(item instanceof Tensor)) continue;
    const first = chosen[next]?.dim ?? 0;
    const mask = item.dtype === dtypes.bool;
    next += mask ? item.ndim : 1;
    const there = view.shape.slice(first, first + item.ndim);
    if (!mask || sameNumbers(there, item.shape)) continue;
    throw new JitlabError(
      "shape-mismatch",
      `${what}: a mask of shape ${show(item.shape)} for dimensions of shape ${show(there)}.`,
      "A mask has the shape of the dimensions that it chooses from.",
    );
  }
}

/** The shape that the parts select. */
export function resultShape({ view, kept, before, common }: IndexParts): number[] {
  const extents = kept.map((d) => view.shape[d] as number);
  return [...extents.slice(0, before), ...common, ...extents.slice(before)];
}
