// Merges independent launches of one functor over different operands, such as an optimizer's steps over a hundred
// parameters. Their sizes may differ.

import { isFull, merged } from "./kinds/merged.js";
import type { Launch } from "./launches.js";

/** Merges the launches with equal keys; each runs no later than before, and after its inputs are computed. */
export function batched(
  launches: readonly Launch[],
  keyOf: (launch: Launch) => string | undefined,
): readonly Launch[] {
  const batches: Launch[][] = [];
  const open = new Map<string, number>();
  /** The index of the batch that computes a value. */
  const indexes = new Map<number, number>();
  for (const launch of launches) {
    const reads = launch.operands.flatMap((one) => ("ref" in one ? [indexes.get(one.ref) ?? -1] : []));
    const key = keyOf(launch);
    let index = key === undefined ? undefined : open.get(key);
    if (
      index !== undefined &&
      (isFull(batches[index] as Launch[]) || reads.some((at) => at >= (index as number)))
    ) {
      index = undefined;
    }
    if (index === undefined) {
      index = batches.push([]) - 1;
      if (key !== undefined) open.set(key, index);
    }
    batches[index]?.push(launch);
    for (const { ref } of launch.outputs) indexes.set(ref, index);
  }
  return batches.map((members) => (members.length === 1 ? (members[0] as Launch) : merged(members)));
}
