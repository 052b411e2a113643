// Casts of casts: where the first one loses nothing, the second one reads what the first one read. A cast back to the dtype
// that it came from is no step at all.

import type { DType } from "../../base/dtype.js";
import { copyFunctor } from "../../functor/functor.js";
import type { Composition, Origin, Step } from "./composition.js";

/** The composition without casts that change no result. */
export function foldedCasts(composition: Composition): Composition {
  const { inputs, outputs } = composition;
  const steps: Step[] = [];
  // What each step is a lossless cast of, and what it is the same as.
  const sources = new Map<number, Origin>();
  const equals = new Map<number, Origin>();
  const typeOf = (from: Origin): DType | undefined => {
    if (from.kind === "scalar") return undefined;
    return from.kind === "input" ? inputs[from.index] : steps[from.step]?.stored[from.output];
  };
  for (const [number, step] of composition.steps.entries()) {
    const origins = step.inputs.map((from) =>
      from.kind === "step" ? (equals.get(from.step) ?? from) : from,
    );
    const [given] = origins as [Origin];
    if (step.functor !== copyFunctor || given.kind === "scalar") {
      steps.push({ ...step, inputs: origins });
      continue;
    }
    const [stored] = step.stored as readonly [DType];
    const first = given.kind === "step" ? sources.get(given.step) : undefined;
    const from = first && skips(typeOf(first) as DType, stored) ? first : given;
    const source = typeOf(from) as DType;
    steps.push(from === given ? { ...step, inputs: origins } : castOf(step, from, source));
    if (source === stored) equals.set(number, from);
    if (holds(stored, source)) sources.set(number, from);
  }
  return equals.size + sources.size === 0 ? composition : withoutUnread({ ...composition, steps, outputs });
}

function castOf(step: Step, from: Origin, source: DType): Step {
  const resolution = copyFunctor.resolve(source);
  return "compute" in resolution ? { ...step, compute: resolution.compute, inputs: [from] } : step;
}

/** True if a lossless cast before one from `source` to `stored` changes nothing. */
function skips(source: DType, stored: DType): boolean {
  if (holds(stored, source) || stored.kind === "bool") return true;
  return source.kind === "float" && stored.kind === "float";
}

const fractions: Readonly<Record<string, number>> = { float16: 11, bfloat16: 8, float32: 24, float64: 53 };

/** True if a dtype has every value of another one. */
function holds(dtype: DType, other: DType): boolean {
  if (dtype === other || (other.kind === "bool" && dtype.kind !== "complex")) return true;
  const bits = other.bytes * 8;
  const digits = other.kind === "signed" ? bits - 1 : bits;
  if (other.kind === "float") {
    return dtype.kind === "float" && dtype.bytes > other.bytes;
  }
  if (other.kind !== "signed" && other.kind !== "unsigned") return false;
  if (dtype.kind === "float") return (fractions[dtype.name] ?? 0) >= digits;
  if (dtype.kind === "signed") return dtype.bytes * 8 - 1 >= digits;
  return dtype.kind === "unsigned" && other.kind === "unsigned" && dtype.bytes >= other.bytes;
}

/** The composition without steps that no output needs. */
function withoutUnread({ steps, outputs, ...rest }: Composition): Composition {
  const needed = new Set(outputs.map(({ step }) => step));
  for (let number = steps.length - 1; number >= 0; number--) {
    if (!needed.has(number)) continue;
    for (const from of steps[number]?.inputs ?? []) if (from.kind === "step") needed.add(from.step);
  }
  const kept = steps.flatMap((_, number) => (needed.has(number) ? number : []));
  const numbers = new Map(kept.map((number, index) => [number, index]));
  const indexOf = (number: number) => numbers.get(number) as number;
  const moved = (from: Origin): Origin =>
    from.kind === "step" ? { ...from, step: indexOf(from.step) } : from;
  return {
    ...rest,
    steps: kept.map((number) => {
      const step = steps[number] as Step;
      return { ...step, inputs: step.inputs.map(moved) };
    }),
    outputs: outputs.map(({ step, output }) => ({ step: indexOf(step), output })),
  };
}
