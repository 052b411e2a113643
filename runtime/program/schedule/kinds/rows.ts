// Launches of row kernels: reductions over the same rows and the maps around them.

import { composeRows } from "../../../codegen/composition/row-composer.js";
import type { RowBody, RowGeometry } from "../../../codegen/row-spec.js";
import { launchRows } from "../../../launch/row-launch.js";
import type { Node } from "../../graph/ir.js";
import { isGather } from "../../graph/reads.js";
import type { Rows } from "../../passes/loop.js";
import { type Binding, type ReadRef, type ScalarRef, scalarAt } from "../binding.js";
import type { How, Launch, Views } from "../launches.js";
import type { Kind } from "./kind.js";
import { planRows } from "./row-plan.js";

// The most operations in a kernel's name.
const mostNamed = 4;

/** Reductions over the same rows. */
export const rows: Kind = {
  holds: ({ nodes, rows }) => rows !== undefined && nodes.length > 1,
  launchOf: (planner, { nodes, stored, rows }, reads) => {
    const plan = planRows(nodes, stored, rows as Rows);
    const scalars = plan.scalars.map(({ node, at, isParameter }) => {
      return { node: planner.numberOf(node), at, isParameter };
    });
    const names = [...new Set(nodes.map((node) => node.slot.name))];
    const name = ["rows", ...names.slice(0, mostNamed)].join("_");
    return {
      nodes: planner.numbersOf(nodes),
      operands: plan.inputs.map(({ value, window, isSource }) => {
        return { ref: planner.refOf(value), window, isSource };
      }),
      outputs: plan.outputs.map(({ node, i }) => planner.output(node, i, reads)),
      device: (nodes[0] as Node).slot.device,
      isChecked: nodes.some(isGather),
      how: new RowsRun(name, composeRows(plan.composition), plan.geometry, scalars),
    };
  },
};

/** How a row kernel runs. */
class RowsRun implements How {
  constructor(
    readonly name: string,
    readonly body: RowBody,
    readonly geometry: RowGeometry,
    readonly scalars: readonly ScalarRef[],
  ) {}

  run({ operands, outputs }: Launch, binding: Binding, { read, output }: Views): void {
    const { body, geometry, scalars } = this;
    launchRows({
      body,
      geometry,
      outputs: outputs.map(output),
      inputs: operands.map((one) => read(one as ReadRef)),
      scalars: scalars.map((scalar) => scalarAt(binding, scalar)),
    });
  }
}
