// The launch of a group with a scan.

import type { Functor } from "../../functor/functor.js";
import type { MapNode, Node, Value } from "../graph/ir.js";
import { type Read, readsOf } from "../graph/reads.js";
import type { ResultClass } from "../graph/slot.js";
import type { Group } from "../passes/grouping.js";
import { partsOfScan } from "../passes/scan-group.js";
import { type Launch, newLaunch, type OutputRef, type ReadRef } from "./launches.js";

/** What writes launches of nodes by the numbers of one tape. */
export interface Planner {
  readonly refOf: (value: Value) => number;
  numbersOf(nodes: readonly Node[]): readonly number[];
  output(node: Node, i: number, reads: ReadonlyMap<Value, number>): OutputRef;
  /** The functor of maps with the `stored` results as outputs, and its arguments; `first` are its first inputs. */
  composed(
    nodes: readonly MapNode[],
    stored: ReadonlySet<Value>,
    first: readonly Read[],
  ): {
    readonly functor: Functor;
    readonly inputs: readonly ReadRef[];
    readonly parameters: Launch["parameters"];
    readonly results: readonly { readonly step: number; readonly output: number }[];
  };
}

/** The launch of a scan, after the maps that compute its elements and before those that compute what is stored. */
export function planScan(planner: Planner, group: Group, reads: ReadonlyMap<Value, number>): Launch {
  const { before, scan, after } = partsOfScan(group);
  const { slot } = scan;
  const [elements] = readsOf(scan) as [Read];
  const prologue = before.length > 0 ? planner.composed(before, new Set([elements.value]), []) : undefined;
  const results = scan.made.map((value, i): Read => {
    return { value, window: (slot.results[i] as ResultClass).window };
  });
  const stored = group.nodes.length > 1 ? group.stored : new Set(scan.made);
  const epilogue = after.length > 0 ? planner.composed(after, stored, results) : undefined;
  const keeps = scan.made.map((value) => epilogue === undefined || stored.has(value));
  const inputs = prologue?.inputs ?? [{ ref: planner.refOf(elements.value), window: elements.window }];
  return newLaunch({
    nodes: planner.numbersOf(group.nodes),
    operands: [...inputs, ...(epilogue?.inputs.slice(results.length) ?? [])],
    outputs: [
      ...scan.made.flatMap((_, i) => (keeps[i] ? [planner.output(scan, i, reads)] : [])),
      ...(epilogue?.results ?? []).map(({ step, output }) =>
        planner.output(after[step] as MapNode, output, reads),
      ),
    ],
    functor: prologue?.functor,
    parameters: prologue?.parameters ?? [],
    reduction: undefined,
    scan: {
      form: slot.form,
      elements: elements.window,
      reads: inputs.length,
      after: epilogue && { functor: epilogue.functor, parameters: epilogue.parameters, keeps },
    },
    rows: undefined,
    device: slot.device,
    dtype: undefined,
    shape: undefined,
    isChecked: false,
    site: undefined,
  });
}
