// Launches of operations without parts, such as a sort or a write by index tensors.

import { PooledStorage } from "../../../device/pooled-storage.js";
import type { OpaqueDefinition, WriteDefinition } from "../../../launch/operation.js";
import { noteRun } from "../../operations/index-tests.js";
import { isOpaque, type OpaqueNode } from "../../operations/ir.js";
import { readsOf } from "../../operations/reads.js";
import { type Binding, nodeAt, type OutputRef, type ReadRef, valueAt } from "../binding.js";
import type { How, Launch, Views } from "../launches.js";
import type { Kind } from "./kind.js";

/** Operations without parts. */
export const opaque: Kind = {
  holds: ({ nodes }) => nodes.some(isOpaque),
  launchOf: (planner, { nodes }, reads) => {
    const node = nodes[0] as OpaqueNode;
    return {
      nodes: [planner.numberOf(node)],
      operands: readsOf(node).map(({ value, window }) => ({ ref: planner.refOf(value), window })),
      outputs: node.made.map((_, i) => planner.output(node, i, reads)),
      device: node.slot.device,
      isChecked: false,
      how: new OpaqueRun(node.slot.operation),
    };
  },
};

/** How an operation without parts runs. */
class OpaqueRun implements How {
  readonly isSeveral = true;
  readonly takesMemory = true;
  readonly takesTensors = true;

  constructor(readonly operation: OpaqueDefinition | WriteDefinition) {}

  get name(): string {
    return this.operation.name;
  }

  run({ nodes, operands, outputs }: Launch, binding: Binding, { read, output }: Views): void {
    this.operation.run(
      operands.map((one) => read(one as ReadRef)),
      outputs.map(output),
      (nodeAt(binding, nodes[0] as number) as OpaqueNode).parameters,
    );
  }

  ended(launch: Launch, binding: Binding, hasFailed: boolean): void {
    const { operation } = this;
    if (hasFailed && "testsFirst" in operation && operation.testsFirst) withdraw(launch, binding);
    noteRun(nodeAt(binding, launch.nodes[0] as number) as OpaqueNode, hasFailed);
  }
}

/** A write that tests its indexes first has refused one: its tensor shows the earlier elements again. */
function withdraw({ outputs }: Launch, binding: Binding): void {
  const [{ ref, base }] = outputs as readonly [OutputRef];
  const value = valueAt(binding, ref);
  const { home } = value;
  // A later write has its own value.
  if (base === undefined || home === undefined || home.watcher !== value || !home.pending) return;
  if (!(home instanceof PooledStorage)) return;
  const earlier = valueAt(binding, base.ref);
  home.take(earlier.memory());
  home.watcher = earlier;
  value.home = undefined;
  earlier.home = home;
  earlier.holder = home;
}
