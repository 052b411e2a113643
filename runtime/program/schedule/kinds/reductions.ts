// Launches of a reduction, or of several as one, after the maps that compute its elements and before those that compute what is
// stored.

import { jointReduction } from "../../../codegen/reductions/joint-reduction.js";
import type { JointMember } from "../../../functor/reduction.js";
import { sameNumbers, sizeOf } from "../../../geometry/layout.js";
import type { ReduceCall } from "../../../launch/calls.js";
import { dispatchReduction } from "../../../launch/reduce-launch.js";
import { newStorage } from "../../../launch/sink.js";
import { isReduction, type MapNode, type Value } from "../../operations/ir.js";
import { isGather, type Read, readsOf } from "../../operations/reads.js";
import type { ReduceClass, ResultClass } from "../../operations/slot.js";
import { viewOn, windowAt } from "../../operations/window.js";
import { type Loop, type ReductionParts, reductionParts } from "../../passes/loop.js";
import type { Binding, OutputRef } from "../binding.js";
import type { How, Launch, Views } from "../launches.js";
import { type Around, callAround, nameAround } from "./around.js";
import type { EndingReads, Kind, Planner } from "./kind.js";

/** Reductions that no row kernel runs. */
export const reductions: Kind = {
  holds: ({ nodes }) => nodes.some(isReduction),
  launchOf,
};

function launchOf(planner: Planner, loop: Loop, reads: EndingReads): Launch {
  const { nodes } = loop;
  const parts = reductionParts(nodes) as ReductionParts;
  const { before, reductions, after } = parts;
  const stored = nodes.length > 1 ? loop.stored : new Set(reductions[0].made);
  const ends = endsOf(parts);
  const { elements, direct, results } = ends;
  const reduced = new Set(elements.map(({ value }) => value));
  const prologue = before.length > 0 ? planner.composed(before, reduced, direct) : undefined;
  const made = prologue?.results.map(({ step, output }) => before[step]?.made[output] as Value) ?? [];
  const inputs =
    prologue?.inputs ?? direct.map(({ value, window }) => ({ ref: planner.refOf(value), window }));
  const epilogue = after.length > 0 ? planner.composed(after, stored, results) : undefined;
  const keeps = results.map(({ value }) => stored.has(value));
  const follows = epilogue !== undefined || reductions.length > 1;
  const around: Around = {
    before: prologue,
    elements: (elements[0] as Read).window,
    reads: inputs.length,
    after: follows ? { maps: epilogue, keeps } : undefined,
  };
  return {
    nodes: planner.numbersOf(nodes),
    operands: [...inputs, ...(epilogue?.inputs.slice(results.length) ?? [])],
    outputs: [
      ...reductions.flatMap((node, i) => (keeps[i] ? [planner.output(node, 0, reads)] : [])),
      ...(epilogue?.results ?? []).map(({ step, output }) =>
        planner.output(after[step] as MapNode, output, reads),
      ),
    ],
    device: reductions[0].slot.device,
    isChecked: nodes.some(isGather),
    how: new ReductionRun(callOf(parts, ends, made), around),
  };
}

/** How a reduction runs. */
class ReductionRun implements How {
  readonly name: string;
  readonly isSeveral = true;
  /** What follows from a result is computed where that is stored. */
  readonly inPlaceFrom: number;

  constructor(
    readonly call: ReduceClass,
    readonly around: Around,
  ) {
    this.name = nameAround(call.reduction.name, around);
    this.inPlaceFrom = around.reads;
  }

  run(launch: Launch, binding: Binding, views: Views): void {
    const [output] = launch.outputs as readonly [OutputRef];
    const { window: wanted } = output;
    const { input, prologue, epilogue } = callAround(launch, this.around, binding, views);
    // Without spread, which gives V8 an object of a new shape at each call.
    const { reduction, plan, gone, shape } = this.call;
    const call: ReduceCall = { reduction, plan, input, prologue, epilogue, gone, shape };
    dispatchReduction(call, (shape, strides, dtype, device) => {
      const isResult = epilogue === undefined && dtype === wanted.dtype && sameNumbers(shape, wanted.shape);
      if (isResult) return views.output(output, 0);
      return viewOn(newStorage(device, sizeOf(shape) * dtype.bytes), windowAt(dtype, 0, shape, strides));
    });
  }
}

/** The values at both ends of a kernel of reductions. */
interface ReductionEnds {
  /** The elements of each reduction, and those that it reads from memory itself. */
  readonly elements: readonly Read[];
  readonly direct: readonly Read[];
  /** The result of each. */
  readonly results: readonly Read[];
}

function endsOf({ before, reductions }: ReductionParts): ReductionEnds {
  const computed = new Set(before.flatMap(({ made }) => made));
  const elements = reductions.flatMap((node) => readsOf(node));
  return {
    elements,
    direct: elements.filter(({ value }, i) => {
      return !computed.has(value) && elements.findIndex((one) => one.value === value) === i;
    }),
    results: reductions.map(({ made, slot }) => {
      return { value: made[0] as Value, window: (slot.results[0] as ResultClass).window };
    }),
  };
}

/** The call of the reductions' kernel; `made` are the results of the maps before them, in the order of their functor. */
function callOf(
  { reductions }: ReductionParts,
  { elements, direct }: ReductionEnds,
  made: readonly Value[],
): ReduceClass {
  const [{ slot: first }, ...others] = reductions;
  if (others.length === 0) return first.call;
  const members = reductions.map(({ slot }, i): JointMember => {
    const { value, window } = elements[i] as Read;
    const { reduction, plan } = slot.call;
    const index = made.indexOf(value);
    return {
      name: reduction.name,
      plan,
      element: window.dtype,
      from:
        index >= 0
          ? { role: "out", index }
          : { role: "in", index: direct.findIndex((one) => one.value === value) },
    };
  });
  return { ...first.call, ...jointReduction(members) };
}
