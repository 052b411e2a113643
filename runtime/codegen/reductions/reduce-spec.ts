// The spec of a reduction's kernel, and its argument block. A reduction runs in passes: each pass joins parts of a result's
// elements into one accumulator each, and the last pass has one part and finishes it. The first pass reads elements, or
// computes them by its prologue from several operands.
import type { DType } from "../../base/dtype.js";
import type { Dialect } from "../../device/dialect.js";
import type { Functor } from "../../functor/functor.js";
import { planText, type ReductionPlan } from "../../functor/reduction.js";
import { maxDims } from "../../geometry/layout.js";
import { ArgumentFields, type BlockLayout } from "../argument-fields.js";
import { addParameters, type KernelSpec, memoryOperands } from "../maps/map-spec.js";
import { addEpilogue, type ReduceEpilogue } from "./reduce-epilogue.js";
import type { ReduceKind } from "./reduction-order.js";

/** The layout of one result's elements: adjacent, at one distance, along several dimensions, or one for all. */
export type Spacing = "dense" | "even" | "nested" | "same";

/** An operand of a pass. */
export interface ReduceSource {
  readonly spacing: Spacing;
  /** True if a word is one load, which must be dense and aligned. */
  readonly packed: boolean;
  /** The step between results, if a task reads adjacent results together. */
  readonly across: number;
}

/** All inputs of the text of a reduction's kernel. */
export interface ReduceSpec {
  readonly name: string;
  /** Computes the elements from the operands; undefined if the single operand is reduced directly. */
  readonly prologue: Functor | undefined;
  /** Computes what the last pass stores; undefined if it stores the results. */
  readonly epilogue: ReduceEpilogue | undefined;
  /** The dtype of the elements. */
  readonly input: DType;
  readonly plan: ReductionPlan;
  /** True if the pass reads elements, false if it reads accumulators. */
  readonly first: boolean;
  /** True if the pass writes results, false if it writes accumulators. */
  readonly last: boolean;
  readonly kind: ReduceKind;
  /** Accumulators per result, from the order. */
  readonly width: number;
  /** Threads per result on a GPU: at most the width over the word. */
  readonly threads: number;
  /** Adjacent accumulators of a thread. */
  readonly word: number;
  readonly sources: readonly ReduceSource[];
  /** The width of numbers that are split into indexes. */
  readonly index: 32 | 64;
  readonly dialect: Dialect;
}

/** The minimum number of accumulators of a thread of a grid. */
export const leastWord = 4;

/** Threads per block: those of one result, or of several results if one has few. */
export function blockThreads({ threads }: ReduceSpec): number {
  return threads < 64 ? 256 : threads;
}

/** Adjacent results of one task of a processor. */
export const reduceColumns = 64;
/** The weight of one task of a processor: a launch is divided by elements. */
export const reduceUnit = 4096;

/** The dtypes of a plan's results. */
export function resultTypes({ members, result }: ReductionPlan): readonly DType[] {
  return members?.map(({ plan }) => plan.result) ?? [result];
}

/** The prologue as a map: from the operands to one element, or to those of several reductions. */
export function prologueSpec({ prologue, input, plan, dialect }: ReduceSpec): KernelSpec | undefined {
  const elements = plan.members ? prologue?.results.map((type) => (type === "T" ? input : type)) : [input];
  return (
    prologue && {
      functor: prologue,
      compute: input,
      outputs: (elements ?? []).map((dtype) => ({ dtype, scalar: false })),
      inputs: prologue.inputs.map((type) => ({ dtype: type === "T" ? input : type, scalar: false })),
      layout: { kind: "contiguous", vector: 1 },
      index: 64,
      dialect,
    }
  );
}

/** The C++ types of a pass's operands. */
export function readTypes(spec: ReduceSpec): string[] {
  if (!spec.first) return ["Accumulator"];
  const prologue = prologueSpec(spec);
  return prologue
    ? memoryOperands(prologue)
        .slice(prologue.outputs.length)
        .map(({ ctype }) => ctype)
    : [spec.input.ctype];
}

/** The counts of the block, in 64-bit words. */
export const reduceCounts = [
  "results",
  "length",
  "part",
  "parts",
  "group",
  "total",
  "part_step",
  "kept_rank",
  "reduced_rank",
];

/** The words of the geometry before the reduced dimensions: the counts, and the kept dimensions, innermost first. */
export function keptWords(sources: number): number {
  return reduceCounts.length + (sources + 2) * maxDims;
}

/** Lays out the argument block of a pass: addresses, the parameters of both functors, the counts, the dimensions. */
export function reduceArguments(spec: ReduceSpec): BlockLayout {
  const { last, plan, dialect, prologue, epilogue, input } = spec;
  const fields = new ArgumentFields();
  const types = readTypes(spec);
  types.forEach((ctype, i) => void fields.address(`in${i}`, dialect.pointer(`const ${ctype}`)));
  if (epilogue) addEpilogue(fields, epilogue, resultTypes(plan), dialect);
  else fields.address("out", dialect.pointer(last ? plan.result.ctype : "Accumulator"));
  if (prologue) addParameters(fields, prologue, input, "param_", 0);
  const before = prologue?.parameters.length ?? 0;
  if (epilogue?.functor) addParameters(fields, epilogue.functor, input, "after_", before);
  return fields.layout(8 * (keptWords(types.length) + (1 + types.length) * maxDims));
}

/** The displayed variant: `row/256x4`, `column/8 even in parts`. */
export function reduceVariant(spec: ReduceSpec): string {
  const { kind, width, threads, word, sources, dialect } = spec;
  const groups = width / (threads * word);
  const packed = sources.some((source) => source.packed);
  const share = `${threads}${packed ? `x${word}` : ""}${groups > 1 ? ` of ${groups}` : ""}`;
  const others = [...new Set(sources.filter((source) => !source.packed).map(({ spacing }) => spacing))];
  const spacing = others.map((one) => ` ${one}`).join("");
  const stage = `${spec.first ? "" : " again"}${spec.last ? "" : " in parts"}`;
  const wide = spec.index === 64 && dialect.gpu ? " i64" : "";
  return `${kind}/${dialect.gpu ? share : width}${spacing}${stage}${wide}`;
}

const spacings = ["dense", "even", "nested", "same"];

/** The key of a pass on a device: equal for equal kernels of one reduction, or of one prologue and epilogue. */
export function reduceKey(spec: ReduceSpec, device: number): number | string {
  const { input, plan, first, last, kind, width, threads, word, index, sources } = spec;
  let code = ((device * 16 + input.id) * 16 + plan.compute.id) * 16 + plan.result.id;
  code = ((code * 16 + log2(width)) * 16 + log2(threads)) * 8 + log2(word);
  code = code * 16 + (first ? 8 : 0) + (last ? 4 : 0) + (kind === "row" ? 2 : 0) + (index === 64 ? 1 : 0);
  if (spec.prologue || spec.epilogue) {
    const lies = sources.map(({ spacing, packed, across }) => `${spacing} ${packed} ${across}`);
    const after = spec.epilogue && [spec.epilogue.single, spec.epilogue.keeps, spec.prologue?.id];
    // Reductions of users may have equal names, and so may several in one.
    const own = plan.user || plan.members ? planText(plan) : "";
    return `${spec.name};${code};${lies};${after};${own}`;
  }
  const [{ packed, spacing }] = sources as readonly [ReduceSource];
  return (code * 2 + (packed ? 1 : 0)) * 4 + spacings.indexOf(spacing);
}

function log2(power: number): number {
  return 31 - Math.clz32(power);
}
