// Independent launches of one functor over different operands, such as an optimizer's steps over a hundred parameters, become one:
// a kernel gets a table of their arguments. Their sizes may differ.

import { newSite } from "../../../launch/calls.js";
import { launchTable, mostGroups } from "../../../launch/table-launch.js";
import type { Binding } from "../binding.js";
import type { How, Launch, Views } from "../launches.js";
import { type MapRun, mapCall } from "./maps.js";

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

/** The launch of several with equal keys. */
function merged(members: readonly Launch[]): Launch {
  const [{ device, isChecked, how }] = members as readonly [Launch];
  return {
    nodes: members.flatMap(({ nodes }) => nodes),
    operands: members.flatMap(({ operands }) => operands),
    outputs: members.flatMap(({ outputs }) => outputs),
    device,
    isChecked,
    how: new MergedRun(members, how as MapRun),
  };
}

/** True if a launch has no room for more than these. */
function isFull(members: readonly Launch[]): boolean {
  const [{ device, operands, outputs, how }] = members as readonly [Launch];
  const scalars = operands.filter((one) => "node" in one).length;
  const parameters = (how as MapRun).functor.parameters.map(({ type }) =>
    typeof type === "string" ? 16 : type.bytes,
  );
  const pointers = operands.length - scalars + outputs.length;
  // Leaves room for the alignment of fields.
  const bytes = pointers * 8 + scalars * 16 + parameters.reduce((sum, one) => sum + one, 0) + 16;
  return members.length >= mostGroups(device, bytes);
}

/** How merged launches run. */
class MergedRun implements How {
  readonly site = newSite();
  readonly name: string;
  readonly inPlaceFrom: number | undefined;

  constructor(
    readonly members: readonly Launch[],
    readonly first: MapRun,
  ) {
    this.name = first.name;
    this.inPlaceFrom = first.inPlaceFrom;
  }

  run(_: Launch, binding: Binding, { read, output }: Views): void {
    let at = 0;
    const views: Views = { read, output: (one) => output(one, at++) };
    const groups = this.members.map((member) => mapCall(member, member.how as MapRun, binding, views));
    const filled = groups.filter(({ options }) => options.out.some(({ size }) => size > 0));
    if (filled.length > 0) launchTable({ functor: this.first.functor, groups: filled, site: this.site });
  }
}
