// Launches of one functor over different operands that run as one: a kernel gets a table of their arguments.

import { newSite } from "../../../launch/sink.js";
import { launchTable, mostGroups } from "../../../launch/table-launch.js";
import type { Binding } from "../binding.js";
import type { How, Launch, Views } from "../launches.js";
import { type MapRun, mapCall } from "./maps.js";

/** The launch of several with equal keys. */
export function merged(members: readonly Launch[]): Launch {
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
export function isFull(members: readonly Launch[]): boolean {
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
  readonly isInPlace: boolean;

  constructor(
    readonly members: readonly Launch[],
    readonly first: MapRun,
  ) {
    this.name = first.name;
    this.isInPlace = first.isInPlace;
  }

  run(_: Launch, binding: Binding, { read, output }: Views): void {
    let at = 0;
    const views: Views = { read, output: (one) => output(one, at++) };
    const groups = this.members.map((member) => mapCall(member, member.how as MapRun, binding, views));
    const filled = groups.filter(({ options }) => options.out.some(({ size }) => size > 0));
    if (filled.length > 0) launchTable({ functor: this.first.functor, groups: filled, site: this.site });
  }
}
