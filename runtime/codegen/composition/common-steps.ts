// Common subexpressions: steps of one functor over the same values are computed once. Steps with scalars are kept separate,
// because two scalars that are equal now may differ in the next call. Every stored result keeps its own memory.

import type { Composition, Origin, Step } from "./composition.js";

/** The composition without steps that repeat an earlier one. */
export function withoutRepeats(composition: Composition): Composition {
  const steps: Step[] = [];
  const known = new Map<string, number>();
  // The new number of each step.
  const numbers: number[] = [];
  for (const step of composition.steps) {
    const inputs = step.inputs.map((from) => renumbered(from, numbers));
    const key = keyOf(step, inputs);
    const same = key === undefined ? undefined : known.get(key);
    if (same !== undefined) {
      numbers.push(same);
      continue;
    }
    const number = steps.push({ ...step, inputs }) - 1;
    if (key !== undefined) known.set(key, number);
    numbers.push(number);
  }
  if (steps.length === composition.steps.length) return composition;
  const outputs = composition.outputs.map(({ step, output }) => ({ step: numbers[step] as number, output }));
  return { ...composition, steps, outputs };
}

function renumbered(from: Origin, numbers: readonly number[]): Origin {
  return from.kind === "step" ? { ...from, step: numbers[from.step] as number } : from;
}

/** Equal for steps that compute the same; undefined for a step that a scalar or the element's position changes. */
function keyOf(
  { functor, compute, stored, parameters }: Step,
  inputs: readonly Origin[],
): string | undefined {
  const positioned = functor.signature.some(({ role }) => role === "position");
  if (positioned || parameters.length > 0 || inputs.some(({ kind }) => kind === "scalar")) return undefined;
  const origins = inputs.map((from) =>
    from.kind === "step" ? `${from.step}.${from.output}` : `x${from.kind === "input" ? from.index : ""}`,
  );
  return `${functor.id}:${compute.id}(${origins})${stored.map(({ id }) => id)}`;
}
