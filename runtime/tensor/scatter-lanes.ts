// Chooses how values are written by index tensors: by a walk through each lane, or by a GPU's sort.
import { launchWalk } from "../launch/walk-launch.js";
import { type Joining, type LaneIndex, scatterBy } from "./scatter-kernels.js";
import { isSortedWay, scatterSorted } from "./scatter-sorted.js";
import type { Tensor } from "./tensor.js";

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
  if (target.device.target.dialect.grid && isSortedWay(lanes, length, indexes)) {
    scatterSorted(joining, lanes, length, target, source, indexes);
    return;
  }
  const numbers = [
    length,
    source.step,
    ...indexes.flatMap(({ step, extent, stride }) => [step, extent, stride]),
  ];
  const read = [source.over, ...indexes.map(({ over }) => over)];
  launchWalk(scatterBy(joining, indexes.length), lanes, [target], read, numbers);
}
