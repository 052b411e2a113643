// The spec of a reduction's kernel, and the argument block that follows from it. A reduction runs in passes: each pass joins
// parts of the elements behind a result into one accumulator each, and the last pass has one part and finishes it.
import type { DType } from "../base/dtype.js";
import type { Dialect } from "../device/dialect.js";
import type { ReductionPlan } from "../functor/reduction.js";
import { maxDims } from "../geometry/layout.js";
import type { ReduceKind } from "./reduction-order.js";

/** Everything that decides the text of a reduction's kernel. */
export interface ReduceSpec {
  readonly name: string;
  readonly input: DType;
  readonly plan: ReductionPlan;
  /** True where the pass reads elements, false where it reads accumulators. */
  readonly first: boolean;
  /** True where the pass writes results, false where it writes accumulators. */
  readonly last: boolean;
  readonly kind: ReduceKind;
  /** Accumulators behind one result: the order's. */
  readonly width: number;
  /** Threads that share the elements behind one result, in a grid: at most the width over the word. */
  readonly threads: number;
  /** Accumulators of a thread side by side. */
  readonly word: number;
  /** True where a word is one load, which must be dense and aligned. */
  readonly packed: boolean;
  /** How the elements behind one result lie: adjacent, at one distance, or along several dimensions. */
  readonly spacing: "dense" | "even" | "nested";
  /** Width of the numbers that are split into indexes. */
  readonly index: 32 | 64;
  readonly dialect: Dialect;
}

/** Accumulators that a thread of a grid has at least. */
export const leastWord = 4;

/** Threads of one block: those of one result, or of several results where one has few. */
export function blockThreads({ threads }: ReduceSpec): number {
  return threads < 64 ? 256 : threads;
}

/** Results side by side that one task of a processor takes. */
export const reduceColumns = 64;
/** What one task of a processor counts as in its launch; a device shares launches by elements. */
export const reduceUnit = 4096;

/** The C++ type of what a pass reads, and its size. */
export function readType({ first, input, plan }: ReduceSpec): {
  readonly ctype: string;
  readonly bytes: number;
} {
  return first ? input : { ctype: "Accumulator", bytes: plan.accumulatorBytes };
}

/** The counts of the block, behind the two addresses, in 64-bit words. */
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

/** The block's size in bytes: the dimensions that stay and those that go away follow, innermost first. */
export const reduceBlockBytes = 8 * (2 + reduceCounts.length + (3 + 2) * maxDims);

/** What users read: `row/256x4`, `column/8 even in parts`. */
export function reduceVariant(spec: ReduceSpec): string {
  const { kind, width, threads, word, packed, dialect } = spec;
  const groups = width / (threads * word);
  const share = `${threads}${packed ? `x${word}` : ""}${groups > 1 ? ` of ${groups}` : ""}`;
  const spacing = packed ? "" : ` ${spec.spacing}`;
  const stage = `${spec.first ? "" : " again"}${spec.last ? "" : " in parts"}`;
  const wide = spec.index === 64 && dialect.grid ? " i64" : "";
  return `${kind}/${dialect.grid ? share : width}${spacing}${stage}${wide}`;
}

const spacings = ["dense", "even", "nested"];

/** More than any {@link reduceCode}. */
export const reduceCodes = 2 ** 30;

/** A spec as one number: equal for equal kernels of one reduction and dialect. */
export function reduceCode(spec: ReduceSpec): number {
  const { input, plan, first, last, kind, width, threads, word, packed, spacing, index } = spec;
  let code = (input.id * 16 + plan.compute.id) * 16 + plan.result.id;
  code = ((code * 16 + log2(width)) * 16 + log2(threads)) * 8 + log2(word);
  code = (code * 2 + (packed ? 1 : 0)) * 4 + spacings.indexOf(spacing);
  return code * 16 + (first ? 8 : 0) + (last ? 4 : 0) + (kind === "row" ? 2 : 0) + (index === 64 ? 1 : 0);
}

function log2(power: number): number {
  return 31 - Math.clz32(power);
}
