// Chooses how values are written by index tensors: by a walk through each lane, through adjacent lanes of a processor that
// share their indexes, by parts of one long lane, or by a GPU's sort.
import { dtypes } from "../base/dtype.js";
import { sizeOf } from "../geometry/layout.js";
import { launchWalk } from "../launch/walk-launch.js";
import { arange, zeros } from "./create.js";
import { sum } from "./reduce.js";
import { type Joining, type LaneIndex, lanesAtOnce, scatterBy } from "./scatter-kernels.js";
import { isRowsWay, scatterRows } from "./scatter-rows.js";
import { isSortedWay, scatterSorted } from "./scatter-sorted.js";
import { type Tensor, windowOf } from "./tensor.js";

// Rows of this many lanes are divided into larger groups: whole cache lines, read one after the other.
const wideRow = 256;
// One long lane of a processor is added up in this many parts, so that its threads share the work.
const parts = 16;
const leastPart = 2 ** 12;

/**
 * Joins `length` values of each lane into the target; per-lane operands have the lanes' shape. Equal calls give equal bits.
 */
export function scatterLanes(
  joining: Joining,
  lanes: readonly number[],
  length: number,
  target: Tensor,
  source: { readonly over: Tensor; readonly step: number },
  indexes: readonly LaneIndex[],
): void {
  const { device } = target;
  const isGrid = device.target.dialect.grid !== undefined;
  if (isGrid && isRowsWay(lanes, length, indexes)) {
    scatterRows(joining, lanes, length, target, source, indexes[0] as LaneIndex);
    return;
  }
  if (isGrid && isSortedWay(lanes, length, indexes)) {
    scatterSorted(joining, lanes, length, target, source, indexes);
    return;
  }
  const [index] = indexes as [LaneIndex];
  const ofParts = parts * Math.max(leastPart, 4 * index.extent);
  const isLong = joining === "sum" && indexes.length === 1 && sizeOf(lanes) === 1 && length >= ofParts;
  if (isLong && !isGrid && target.dtype !== dtypes.bool) {
    addParts(length, target, source, index);
    return;
  }
  const numbers = [
    length,
    source.step,
    ...indexes.flatMap(({ step, extent, stride }) => [step, extent, stride]),
  ];
  const read = [source.over, ...indexes.map(({ over }) => over)];
  const row = isGrid ? -1 : rowOf(lanes, target, source.over, indexes);
  if (row < 0) {
    launchWalk(scatterBy(joining, indexes.length), lanes, [target], read, numbers);
    return;
  }
  const extent = lanes[row] as number;
  const group = lanesAtOnce * (extent < wideRow ? 1 : 8);
  const groups = lanes.with(row, Math.ceil(extent / group));
  const grouped = (tensor: Tensor) =>
    windowOf(tensor, {
      shape: groups,
      strides: tensor.strides.map((stride, d) => (d === row ? stride * group : stride)),
      offset: 0,
    });
  const first = arange(0, extent, group, { dtype: "int64", device: device.name });
  const firsts = windowOf(first, {
    shape: groups,
    strides: groups.map((_, d) => (d === row ? 1 : 0)),
    offset: 0,
  });
  launchWalk(
    scatterBy(joining, indexes.length, true),
    groups,
    [grouped(target)],
    [...read.map(grouped), firsts],
    [...numbers, extent, group],
  );
}

/** Adds the values of one lane part by part, then the parts in their order, then the few values that are left. */
function addParts(
  length: number,
  target: Tensor,
  source: { readonly over: Tensor; readonly step: number },
  { over, step, extent, stride }: LaneIndex,
): void {
  const { dtype, device } = target;
  const part = Math.floor(length / parts);
  const from = (x: Tensor, first: number, each: number) =>
    windowOf(x, { shape: [each === 0 ? 1 : parts], strides: [each], offset: first });
  const join = (count: number, into: Tensor, first: number, apart: number, by: number) =>
    scatterLanes(
      "sum",
      into.shape,
      count,
      into,
      { over: from(source.over, first * source.step, apart * source.step), step: source.step },
      [{ over: from(over, first * step, apart * step), step, extent, stride: by }],
    );
  const sums = zeros([parts, extent], { dtype: dtype.name, device: device.name });
  join(part, sums.select(1, 0), 0, part, 1);
  const all = windowOf(target, { shape: [extent], strides: [stride], offset: 0 });
  all.add_(sum(sums, 0, { dtype: dtype.name }));
  if (length > parts * part) join(length - parts * part, from(target, 0, 0), parts * part, 0, stride);
}

/** The dimension of adjacent lanes that share their indexes; -1 if there is none. */
function rowOf(
  lanes: readonly number[],
  target: Tensor,
  source: Tensor,
  indexes: readonly LaneIndex[],
): number {
  return lanes.findIndex(
    (extent, d) =>
      extent > 1 &&
      target.strides[d] === 1 &&
      source.strides[d] === 1 &&
      indexes.every(({ over }) => over.strides[d] === 0),
  );
}
