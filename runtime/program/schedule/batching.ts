// Merges independent launches of one functor over different operands, such as an optimizer's steps over a hundred
// parameters. Their sizes may differ.

import { newSite } from "../../launch/sink.js";
import { mostGroups } from "../../launch/table-launch.js";
import type { Slot } from "../graph/slot.js";
import { type Launch, newLaunch } from "./launches.js";

/** Equal for launches that may be merged; undefined for others. `slotOf` returns the slot of a node. */
export function batchKey(launch: Launch, slotOf: (number: number) => Slot): string | undefined {
  const { functor, operands, outputs, reduction, scan, dtype, device, shape } = launch;
  if (functor === undefined || functor.user || reduction || scan || dtype || shape !== undefined)
    return undefined;
  if (launch.isChecked) return undefined;
  if (outputs.some(({ base }) => base)) return undefined;
  const types = operands.map((one) => {
    if ("window" in one) return `${one.window.dtype.id}${one.window.shape.length === 0}`;
    const known = slotOf(one.node).operands[one.at];
    return `${known?.code}s${known?.passed?.id}`;
  });
  return `${functor.id};${device.id};${types};${outputs.map(({ window }) => window.dtype.id)}`;
}

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
  return batches.map((members) => (members.length === 1 ? (members[0] as Launch) : together(members)));
}

function isFull(batch: readonly Launch[]): boolean {
  const [{ device, functor, operands, outputs }] = batch as [Launch];
  const scalars = operands.filter((one) => "node" in one).length;
  const parameters = (functor?.parameters ?? []).map(({ type }) =>
    typeof type === "string" ? 16 : type.bytes,
  );
  const pointers = operands.length - scalars + outputs.length;
  // Leaves room for the alignment of fields.
  const bytes = pointers * 8 + scalars * 16 + parameters.reduce((sum, one) => sum + one, 0) + 16;
  return batch.length >= mostGroups(device, bytes);
}

function together(members: readonly Launch[]): Launch {
  return newLaunch({
    ...(members[0] as Launch),
    nodes: members.flatMap(({ nodes }) => nodes),
    operands: members.flatMap(({ operands }) => operands),
    outputs: members.flatMap(({ outputs }) => outputs),
    parameters: members.flatMap(({ parameters }) => parameters),
    site: newSite(),
    members,
  });
}
