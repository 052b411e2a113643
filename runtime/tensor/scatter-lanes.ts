// Chooses how values are written by index tensors: by a walk through each lane, through adjacent lanes of a processor that
// share their indexes, or by a GPU's sort.
import { launchWalk } from "../launch/walk-launch.js";
import { arange } from "./create.js";
import { markOf } from "./index-check.js";
import { type Joining, type LaneIndex, lanesAtOnce, scatterBy } from "./scatter-kernels.js";
import { isRowsWay, scatterRows } from "./scatter-rows.js";
import { isSortedWay, scatterSorted } from "./scatter-sorted.js";
import { type Tensor, windowOf } from "./tensor.js";

// A row has at least so many groups: a processor runs the first one alone, to measure what is worth several threads.
const leastGroups = 8;
// Groups of more lanes read memory no faster.
const mostAtOnce = 8;

/**
 * Joins `length` values of each lane into the target; per-lane operands have the lanes' shape. Equal calls give equal bits. A
 * processor marks an index out of bounds, and leaves its value out.
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
  const numbers = [
    length,
    source.step,
    ...indexes.flatMap(({ step, extent, stride, wraps }) => [step, extent, stride, wraps ? extent : 0]),
  ];
  const mark = markOf(device);
  const read = [source.over, ...indexes.map(({ over }) => over)];
  const row = isGrid ? -1 : rowOf(lanes, target, source.over, indexes);
  if (row < 0) {
    launchWalk(scatterBy(joining, indexes.length), lanes, [target, mark.expand(lanes)], read, numbers);
    return;
  }
  const extent = lanes[row] as number;
  const perGroup = Math.floor(extent / (leastGroups * lanesAtOnce));
  const group = lanesAtOnce * Math.min(Math.max(perGroup, 1), mostAtOnce);
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
    [grouped(target), mark.expand(groups)],
    [...read.map(grouped), firsts],
    [...numbers, extent, group],
  );
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
