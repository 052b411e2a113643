// Launches of a scan, after the maps that compute its elements and before those that compute what is stored.

import type { ScanDefinition } from "../../../launch/operation.js";
import { isScan, type MapNode } from "../../operations/ir.js";
import { type Read, readsOf } from "../../operations/reads.js";
import type { ResultClass } from "../../operations/slot.js";
import { type Loop, scanParts } from "../../passes/loop.js";
import type { Binding } from "../binding.js";
import type { How, Launch, Views } from "../launches.js";
import { type Around, callAround, nameAround } from "./around.js";
import type { EndingReads, Kind, Planner } from "./kind.js";

/** Scans. */
export const scans: Kind = { holds: ({ nodes }) => nodes.some(isScan), launchOf };

function launchOf(planner: Planner, loop: Loop, reads: EndingReads): Launch {
  const { before, scan, after } = scanParts(loop.nodes, loop.stored);
  const { slot } = scan;
  const [elements] = readsOf(scan) as [Read];
  const prologue = before.length > 0 ? planner.composed(before, new Set([elements.value]), []) : undefined;
  const results = scan.made.map((value, i): Read => {
    return { value, window: (slot.results[i] as ResultClass).window };
  });
  const stored = loop.nodes.length > 1 ? loop.stored : new Set(scan.made);
  const epilogue = after.length > 0 ? planner.composed(after, stored, results) : undefined;
  const keeps = scan.made.map((value) => epilogue === undefined || stored.has(value));
  const inputs = prologue?.inputs ?? [{ ref: planner.refOf(elements.value), window: elements.window }];
  const around: Around = {
    before: prologue,
    elements: elements.window,
    reads: inputs.length,
    after: epilogue && { maps: epilogue, keeps },
  };
  return {
    nodes: planner.numbersOf(loop.nodes),
    operands: [...inputs, ...(epilogue?.inputs.slice(results.length) ?? [])],
    outputs: [
      ...scan.made.flatMap((_, i) => (keeps[i] ? [planner.output(scan, i, reads)] : [])),
      ...(epilogue?.results ?? []).map(({ step, output }) =>
        planner.output(after[step] as MapNode, output, reads),
      ),
    ],
    device: slot.device,
    isChecked: false,
    how: new ScanRun(slot.operation, around),
  };
}

/** How a scan runs. */
class ScanRun implements How {
  readonly name: string;
  readonly isSeveral = true;
  readonly takesMemory = true;

  constructor(
    readonly operation: ScanDefinition,
    readonly around: Around,
  ) {
    this.name = nameAround(operation.name, around);
  }

  run(launch: Launch, binding: Binding, views: Views): void {
    const { input, prologue, epilogue } = callAround(launch, this.around, binding, views);
    this.operation.scan({ outputs: launch.outputs.map(views.output), input, prologue, epilogue });
  }
}
