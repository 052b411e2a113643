// The steps that kernels of reductions have in common, as lines of C++ over the functions of reduce-kernel.ts.
import type { ReductionPlan } from "../functor/reduction.js";
import type { ReduceSpec } from "./reduce-spec.js";

/** The reduction itself: the type that is carried along, and the functions over it. */
export function reductionFunctions({ compute, result, ...plan }: ReductionPlan): string[] {
  return [
    `typedef ${compute.ctype} T;`,
    plan.accumulator,
    `__device__ inline Accumulator identity() { return ${plan.identity}; }`,
    `__device__ inline Accumulator lift(T x, int64 place) { return ${plan.lift}; }`,
    `__device__ inline Accumulator join(Accumulator a, Accumulator b) { return ${plan.join}; }`,
    `__device__ inline ${result.ctype} finish(Accumulator a, int64 total) { return cast<${result.ctype}>(${plan.finish}); }`,
  ];
}

/** An element, or the accumulator of a part, as an accumulator. */
export function lifted({ first }: ReduceSpec, value: string, place: string): string {
  return first ? `lift(cast<T>(${value}), ${place})` : value;
}

/** An accumulator as what the pass writes. */
export function stored({ last }: ReduceSpec, value: string): string {
  return last ? `finish(${value}, args.total)` : value;
}

/** Lines one level further in; directives stay where they are. */
export function indented(lines: readonly string[], by: string): string[] {
  return lines.map((line) => (line.startsWith("#") ? line : by + line));
}
