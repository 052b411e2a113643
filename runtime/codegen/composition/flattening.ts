// Compositions among the steps of another one, such as the expressions of jl.fuse in a compiled function: their steps take
// the place of theirs, so that loops over blocks keep the vector forms of each.

import type { Functor } from "../../functor/functor.js";
import type { Composition, Origin, Step } from "./composition.js";

/** The composition without steps that are compositions themselves; `compositionOf` gives that of a composed functor. */
export function flattened(
  composition: Composition,
  compositionOf: (functor: Functor) => Composition | undefined,
): Composition {
  if (composition.steps.every(({ functor }) => compositionOf(functor) === undefined)) return composition;
  const steps: Step[] = [];
  // Where the results of each step are now.
  const made: (readonly Origin[])[] = [];
  const add = (step: Step): readonly Origin[] => {
    const number = steps.push(step) - 1;
    return step.stored.map((_, output) => ({ kind: "step", step: number, output }));
  };
  for (const step of composition.steps) {
    const inputs = step.inputs.map((from) => resultIn(made, from));
    const inner = compositionOf(step.functor);
    if (inner === undefined) {
      made.push(add({ ...step, inputs }));
      continue;
    }
    const own: (readonly Origin[])[] = [];
    const scalarAt = (index: number) => step.parameters[index] as number;
    for (const part of inner.steps) {
      const origins = part.inputs.map((from): Origin => {
        if (from.kind === "input") return inputs[from.index] as Origin;
        if (from.kind === "scalar") return { kind: "scalar", index: scalarAt(from.index) };
        return resultIn(own, from);
      });
      own.push(
        add({ ...part, inputs: origins, parameters: part.parameters.map(scalarAt), place: step.place }),
      );
    }
    made.push(inner.outputs.map((from) => resultIn(own, { kind: "step", ...from })));
  }
  const outputs = composition.outputs.map((from) => resultIn(made, { kind: "step", ...from }));
  return { ...composition, steps, outputs: outputs as Composition["outputs"] };
}

function resultIn(made: readonly (readonly Origin[])[], from: Origin): Origin {
  return from.kind === "step" ? (made[from.step]?.[from.output] as Origin) : from;
}
