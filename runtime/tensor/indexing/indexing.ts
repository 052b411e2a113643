// Reads and writes by indexes of every kind: at(...) and set(...), and PyTorch's indexPut_.
import { optionsOf } from "../../base/arguments.js";
import type { DTypeName } from "../../base/dtype.js";
import { inNameOf, isArray, JitlabError, show } from "../../base/errors.js";
import { RecentValues } from "../../base/recent-values.js";
import { formatShape, sizeOf } from "../../geometry/layout.js";
import type { WriteDefinition, WriteJoin } from "../../launch/operation.js";
import type { Scalar } from "../../ops/op.js";
import { Tensor, tensorOf, windowOf } from "../tensor.js";
import { writeDefinition, writeWhole } from "../whole.js";
import { gatherWith } from "./gathering.js";
import { checkIndexes, DeferredCheck } from "./index-check.js";
import { type Index, type IndexParts, partsOf, plainView, resultShape } from "./index-parts.js";
import type { Joining } from "./scatter-kernels.js";
import { scatterLanes } from "./scatter-lanes.js";
import { sourceFor, unshared } from "./scattering.js";

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
  const { view, selections, kept, before, common } = parts;
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
  const over = selections.map((selection) => ({
    ...selection,
    over: windowOf(selection.index, { shape, strides: around(none, selection.index.strides), offset: 0 }),
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
  putInto("set", "assign", x, partsOf("set", x, list), source);
  return x;
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
  putInto("indexPut_", joining, x, partsOf("indexPut_", tensorOf("indexPut_", x), list), values);
  return x;
}

/** Joins values at the selected elements. */
function putInto(
  what: string,
  joining: Joining,
  target: Tensor,
  parts: IndexParts,
  values: Tensor | Scalar,
): void {
  const { view, selections, before, common } = parts;
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
  if (sizeOf(common) === 0) return;
  const all = source.reshape(source.shape.slice(Math.max(0, extra))).expand(shape);
  const indexes = selections.map((selection) => ({ ...selection, index: unshared(target, selection.index) }));
  const operation = putOperation(
    what,
    joining,
    selections.map(({ dim }) => dim),
    before,
  );
  const inputs = [...indexes.map(({ index }) => index), all];
  writeWhole(operation, inputs, view, new DeferredCheck(what, target.device, indexes));
}

const operations = new RecentValues<WriteDefinition>(256);

/** Joins values, in the shape of the result of a read, at index tensors for some dimensions. */
function putOperation(
  what: string,
  joining: Joining,
  dims: readonly number[],
  before: number,
): WriteDefinition {
  return operations.get(`${what} ${joining} ${dims} ${before}`, () =>
    writeDefinition(
      what,
      dims.length,
      true,
      (inputs, target) => {
        const selections = dims.map((dim, i) => ({
          index: inputs[i] as Tensor,
          extent: target.shape[dim] as number,
          of: `dimension ${dim}`,
          wraps: true,
        }));
        checkIndexes(what, target.device, selections);
        const kept = target.shape.map((_, d) => d).filter((d) => !dims.includes(d));
        putLanes(joining, target, { dims, kept, before }, selections, inputs.at(-1) as Tensor);
      },
      { joins: joinOf(joining, dims) },
    ),
  );
}

function joinOf(by: Joining, dims: readonly number[]): WriteJoin {
  return {
    by,
    shapeOf: (inputs) => (inputs.at(-1) as Tensor).shape,
    at: (from, indexes) => {
      const places = (from as Tensor).shape.map((_, d) => {
        const k = dims.indexOf(d);
        return k < 0 ? ":" : (indexes[k] as Tensor);
      });
      return at(from as Tensor, ...places);
    },
  };
}

interface IndexedDims {
  readonly dims: readonly number[];
  /** The dimensions without indexes, and how many of them precede the indexes'. */
  readonly kept: readonly number[];
  readonly before: number;
}

/** Launches a write. */
function putLanes(
  joining: Joining,
  target: Tensor,
  { dims, kept, before }: IndexedDims,
  selections: readonly { readonly index: Tensor; readonly extent: number }[],
  values: Tensor,
): void {
  const common = (selections[0] as { readonly index: Tensor }).index.shape;
  const length = sizeOf(common);
  const lanes = kept.map((d) => target.shape[d] as number);
  const rows = values
    .movedim(
      common.map((_, k) => before + k),
      common.map((_, k) => k),
    )
    .reshape([length, ...lanes]);
  const over = windowOf(rows, { shape: lanes, strides: rows.strides.slice(1), offset: 0 });
  const indexes = selections.map(({ index, extent }) => ({
    over: windowOf(index.contiguous(), { shape: lanes, strides: lanes.map(() => 0), offset: 0 }),
    step: 1,
    extent,
    wraps: true,
  }));
  const along = (strides: readonly number[], some: readonly number[]) =>
    some.map((d) => strides[d] as number);
  scatterLanes(target, {
    joining,
    lanes,
    length,
    source: { over, step: rows.strides[0] as number },
    indexes,
    lanesOf: (whole) => ({
      over: windowOf(whole, { shape: lanes, strides: along(whole.strides, kept), offset: 0 }),
      strides: along(whole.strides, dims),
    }),
  });
}
