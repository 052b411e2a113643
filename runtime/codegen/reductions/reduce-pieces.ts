// Common steps of reduction kernels, as C++ lines that use the functions of reduce-kernel.ts.
import { isAddressed } from "../../functor/functor.js";
import type { ReductionPlan } from "../../functor/reduction.js";
import type { ReduceSpec } from "./reduce-spec.js";

/** The reduction: the accumulator's type, and its functions. */
export function reductionFunctions({ compute, result, members, ...plan }: ReductionPlan): string[] {
  const identity = `__device__ inline Accumulator identity() { return ${plan.identity}; }`;
  const join = `__device__ inline Accumulator join(Accumulator a, Accumulator b) { return ${plan.join}; }`;
  if (members) return [plan.accumulator, identity, join];
  return [
    `typedef ${compute.ctype} T;`,
    plan.accumulator,
    identity,
    `__device__ inline Accumulator lift(T x, int64 place) { return ${plan.lift}; }`,
    join,
    `__device__ inline ${result.ctype} finish(Accumulator a, int64 total) { return cast<${result.ctype}>(${plan.finish}); }`,
  ];
}

/** An element, or the accumulator of a part, as an accumulator; `operand` writes an operand's element by its number. */
export function lifted(spec: ReduceSpec, operand: (i: number) => string, place: string): string {
  const { prologue } = spec;
  const operands = spec.sources.map((_, i) =>
    prologue && isAddressed(prologue, i) ? `&${operand(i)}` : operand(i),
  );
  if (!spec.first) return operands[0] as string;
  if (spec.plan.members) return `lift_all(${["args", ...operands, place].join(", ")})`;
  const element = prologue ? `mapped(${["args", ...operands].join(", ")})` : operands[0];
  return liftedElement(`${element}`, place);
}

/** An element as an accumulator; `space` prefixes the names of its reduction. */
export function liftedElement(value: string, place: string, space = ""): string {
  return `${space}lift(cast<${space}T>(${value}), ${place})`;
}

/** The element of an operand at offset `place` from the first one of its result. */
export function elementAt(spec: ReduceSpec, i: number, place: string): string {
  return spec.sources[i]?.spacing === "dense" ? `in${i}[${place}]` : `in${i}[offset${i}(args, ${place})]`;
}

/** Writes an accumulator in the form that the pass stores, at the place of its result. */
export function stored({ last, epilogue, plan }: ReduceSpec, place: string, value: string): string {
  const finished = (plan.members ?? [plan]).map((_, i) =>
    plan.members ? `of_${i}::finish(${value}.a${i}, args.total)` : `finish(${value}, args.total)`,
  );
  const result = last ? finished.join(", ") : value;
  return epilogue
    ? `store_after(args, ${place}, ${result});`
    : `args.out[${place} + part * args.part_step] = ${result};`;
}
