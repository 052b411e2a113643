// Reads and writes by indexes of every kind: at(...) and set(...), and PyTorch's indexPut_.
import { optionsOf } from "../base/arguments.js";
import type { DTypeName } from "../base/dtype.js";
import { inNameOf, isArray, JitlabError, show } from "../base/errors.js";
import { formatShape, sizeOf } from "../geometry/layout.js";
import type { Scalar } from "../ops/op.js";
import { gatherWith } from "./gathering.js";
import { checkIndexes } from "./index-check.js";
import { type Index, type IndexParts, partsOf, plainView, resultShape } from "./index-parts.js";
import type { Joining } from "./scatter-kernels.js";
import { scatterLanes } from "./scatter-lanes.js";
import { intoSelf, sourceFor } from "./scattering.js";
import { Tensor, tensorOf, windowOf } from "./tensor.js";

/** Options of indexPut_. */
export interface IndexPutOptions {
  /** Adds the values instead of replacing elements. */
  readonly accumulate?: boolean;
}

/**
 * The element or sub-tensor at leading indexes: `x.at(0, -1)`. Text slices, as in `x.at(0, "::2")`; null is a new dimension.
 * For these the result is a view. A tensor of integers selects elements by index, a tensor of bool by mask; the result is
 * then a copy.
 *
 * @example jl.arange(6).view(2, 3).at(1, "::2").toArray() // [3, 5]
 */
export function at<D extends DTypeName>(x: Tensor<D>, ...indexes: Index[]): Tensor<D> {
  const plain = plainView("at", x, indexes);
  if (plain !== undefined) return plain;
  const parts = partsOf("at", x, indexes);
  const { view, choices, kept, before, common } = parts;
  const shape = resultShape(parts);
  const zeros = common.map(() => 0);
  const around = (list: readonly number[], middle: readonly number[]) => [
    ...list.slice(0, before),
    ...middle,
    ...list.slice(before),
  ];
  const strides = around(
    kept.map((d) => view.strides[d] as number),
    zeros,
  );
  const source = windowOf(view, { shape, strides, offset: 0 });
  const none = kept.map(() => 0);
  const over = choices.map((choice) => ({
    ...choice,
    over: windowOf(choice.index, { shape, strides: around(none, choice.index.strides), offset: 0 }),
  }));
  return gatherWith("at", source, shape, over);
}

/**
 * Writes a value, or a broadcast tensor, at indexes as in {@link at}: `x.set("1:3, ::2", 0)`, `x.set([mask], y)`. If an
 * element is written several times, the last value stays.
 *
 * @example jl.zeros([4]).set("::2", 1).toArray() // [1, 0, 1, 0]
 */
export function set<D extends DTypeName>(
  x: Tensor<D>,
  indexes: Index | readonly Index[],
  value: Tensor | Scalar,
): Tensor<D> {
  const list = (isArray(indexes) ? indexes : [indexes]) as readonly Index[];
  const plain = plainView("set", x, list);
  if (plain !== undefined) {
    if (value instanceof Tensor) inNameOf("set", "copy_", () => plain.copy_(value));
    else plain.fill_(value);
    return x;
  }
  const source = value instanceof Tensor ? value.to(x.device.name).to(x.dtype.name) : value;
  return intoSelf("set", x, (self) => putInto("set", "assign", self, partsOf("set", self, list), source));
}

/**
 * Writes values at index tensors, one per leading dimension; null selects a whole dimension.
 *
 * @example jl.zeros([3]).indexPut_([jl.tensor([0n, 2n])], jl.tensor([5, 6])).toArray() // [5, 0, 6]
 */
export function indexPut_<D extends DTypeName>(
  x: Tensor<D>,
  indexes: readonly (Tensor | null)[],
  values: Tensor | Scalar,
  options?: IndexPutOptions,
): Tensor<D> {
  const { accumulate = false } = optionsOf("indexPut_", options, ["accumulate"]);
  if (!isArray(indexes)) {
    throw new JitlabError(
      "bad-argument",
      `indexPut_: the indexes are ${show(indexes)}.`,
      "They must be a list of tensors and null.",
    );
  }
  const list = (indexes as readonly (Tensor | null)[]).map((index) =>
    index === null ? ":" : tensorOf("indexPut_", index),
  );
  if (!list.some((index) => index instanceof Tensor)) {
    throw new JitlabError(
      "bad-argument",
      "indexPut_: there is no index tensor.",
      "set(...) accepts slices without tensors.",
    );
  }
  const joining = accumulate ? "sum" : "assign";
  return intoSelf("indexPut_", x, (self) =>
    putInto("indexPut_", joining, self, partsOf("indexPut_", self, list), values),
  );
}

/** Joins values at the selected elements. */
function putInto(
  what: string,
  joining: Joining,
  target: Tensor,
  parts: IndexParts,
  values: Tensor | Scalar,
): void {
  const { view, choices, kept, before, common } = parts;
  const shape = resultShape(parts);
  const source = sourceFor(what, target, values);
  const extra = source.ndim - shape.length;
  const fits = source.shape.every((extent, d) => extent === 1 || extent === shape[d - extra]);
  if (!fits) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: the values of shape ${formatShape(source.shape)} do not broadcast to the indexes' shape ${formatShape(shape)}.`,
      "Pass values of that shape, or with extents of 1.",
    );
  }
  const length = sizeOf(common);
  if (length === 0) return;
  checkIndexes(what, target.device, choices);
  const lanes = kept.map((d) => view.shape[d] as number);
  const all = source.reshape(source.shape.slice(Math.max(0, extra))).expand(shape);
  const indexDims = common.map((_, k) => before + k);
  const rows = all
    .movedim(
      indexDims,
      common.map((_, k) => k),
    )
    .reshape([length, ...lanes]);
  const over = windowOf(rows, { shape: lanes, strides: rows.strides.slice(1), offset: 0 });
  const laneIndexes = choices.map(({ index, extent, stride }) => ({
    over: windowOf(index.contiguous(), { shape: lanes, strides: lanes.map(() => 0), offset: 0 }),
    step: 1,
    extent,
    stride,
  }));
  const place = windowOf(view, {
    shape: lanes,
    strides: kept.map((d) => view.strides[d] as number),
    offset: 0,
  });
  scatterLanes(joining, lanes, length, place, { over, step: rows.strides[0] as number }, laneIndexes);
}
