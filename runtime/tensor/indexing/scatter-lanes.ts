// Chooses how values are written by index tensors: by a walk through each lane, through adjacent lanes of a processor that
// share their indexes, or by a GPU's sort. Sums and products are rounded once in every way: a walk joins them in a wider copy of
// the target, or beside it if the values are few.

import { type DType, dtypes } from "../../base/dtype.js";
import { contiguousStrides, sizeOf } from "../../geometry/layout.js";
import { release } from "../../geometry/view.js";
import { launchWalk } from "../../launch/walk-launch.js";
import { arange } from "../create.js";
import { emptyTensor, type Tensor, windowOf } from "../tensor.js";
import { markOf } from "./index-check.js";
import { accumulatorOf, type LaneTarget, type LaneWrite, lanesAtOnce, scatterBy } from "./scatter-kernels.js";
import { areManyRows, areRows, scatterRows } from "./scatter-rows.js";
import { areLongLanes, areSortable, scatterSorted } from "./scatter-sorted.js";

// The least number of groups of a row: a processor runs the first one alone, to measure whether several threads pay.
const leastGroups = 8;
// Groups of more lanes read memory no faster.
const mostAtOnce = 8;
// A wider copy of a target costs more than finding its values if it is larger than this, and than this multiple of the values.
const smallTarget = 2 ** 12;
const wideShare = 4;

/** A write, where `target` is joined in its own dtype or a wider one. */
export interface LanesOfTarget extends Omit<LaneWrite, "accumulator"> {
  readonly accumulator?: DType;
  /** The lanes of the target, or of a copy of it. */
  readonly lanesOf: (target: Tensor) => LaneTarget;
}

/**
 * Joins the values of each lane into the target. Equal calls give equal bits. A processor marks an index out of bounds, and
 * leaves its value out.
 */
export function scatterLanes(target: Tensor, given: LanesOfTarget): void {
  const { joining, lanesOf, lanes, length } = given;
  const write = { ...given, accumulator: given.accumulator ?? accumulatorOf(joining, target.dtype) };
  const isGpu = target.device.target.dialect.gpu !== undefined;
  // One value of each lane is rounded once in any case.
  const isNarrow = write.accumulator !== target.dtype && length > 1;
  const most = Math.max(smallTarget, wideShare * sizeOf(lanes) * length);
  const isFew = isNarrow && target.size > most;
  if (isGpu && areRows(write) && (isFew || areManyRows(write))) {
    scatterRows(write, lanesOf(target));
  } else if (isGpu && areSortable(write) && (isFew || areLongLanes(write))) {
    scatterSorted(write, lanesOf(target));
  } else if (isNarrow && (isGpu || !isFew)) {
    const wide = target.to(write.accumulator.name);
    walkLanes(write, lanesOf(wide), false);
    target.copy_(wide);
    release(wide);
  } else {
    walkLanes(write, lanesOf(target), isNarrow);
  }
}

/** Walks the lanes, and joins in the target or `beside` it. */
function walkLanes(write: LaneWrite, { over: target, strides }: LaneTarget, beside: boolean): void {
  const { joining, lanes, length, source, indexes } = write;
  const { device } = target;
  const row = device.target.dialect.gpu ? -1 : rowOf(write, target);
  const extent = lanes[row] ?? 1;
  const perGroup = Math.floor(extent / (leastGroups * lanesAtOnce));
  const group = row < 0 ? 1 : lanesAtOnce * Math.min(Math.max(perGroup, 1), mostAtOnce);
  const groups = row < 0 ? lanes : lanes.with(row, Math.ceil(extent / group));
  const grouped = (tensor: Tensor) =>
    windowOf(tensor, {
      shape: groups,
      strides: tensor.strides.map((stride, d) => (d === row ? stride * group : stride)),
      offset: 0,
    });
  const each = sizeOf(groups);
  const own = (count: number, dtype: DType) =>
    windowOf(emptyTensor([each, count], [count, 1], dtype, device), {
      shape: groups,
      strides: contiguousStrides(groups).map((stride) => stride * count),
      offset: 0,
    });
  const bits = Math.ceil(Math.log2(2 * length));
  const tables = beside
    ? [own(length * group, write.accumulator), own(length, dtypes.int64), own(2 ** bits, dtypes.int32)]
    : [];
  const firsts =
    row < 0
      ? []
      : [
          windowOf(arange(0, extent, group, { dtype: "int64", device: device.name }), {
            shape: groups,
            strides: groups.map((_, d) => (d === row ? 1 : 0)),
            offset: 0,
          }),
        ];
  launchWalk(
    scatterBy(joining, indexes.length, { together: row >= 0, beside }),
    groups,
    [...tables, grouped(target), markOf(device).expand(groups)],
    [...[source.over, ...indexes.map(({ over }) => over)].map(grouped), ...firsts],
    [
      ...[length, source.step],
      ...indexes.flatMap((index, k) => {
        const { step, extent, wraps } = index;
        return [step, extent, strides[k] as number, wraps ? extent : 0];
      }),
      ...(row < 0 ? [] : [extent, group]),
      ...(beside ? [2 ** bits, 64 - bits] : []),
    ],
  );
  release(...tables);
}

/** The dimension of adjacent lanes that share their indexes; -1 if there is none. */
function rowOf({ lanes, source, indexes }: LaneWrite, target: Tensor): number {
  return lanes.findIndex(
    (extent, d) =>
      extent > 1 &&
      target.strides[d] === 1 &&
      source.over.strides[d] === 1 &&
      indexes.every(({ over }) => over.strides[d] === 0),
  );
}
