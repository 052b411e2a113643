// The spec of a reduction's kernel, and the argument block that follows from it. A reduction runs in passes: each pass joins
// parts of the elements behind a result into one accumulator each, and the last pass has one part and finishes it.
import type { DType } from "../dtype.js";
import { maxDims } from "../layout.js";
import type { ReductionPlan } from "../reduction.js";
import type { Dialect } from "./dialect.js";

/** How threads share the elements: those behind one result, or results side by side in memory. */
export type ReduceKind = "inner" | "outer";

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
  /** Elements of one access of a thread; 1 where they are not dense. */
  readonly vector: number;
  /** Threads that share the elements behind one result, in a grid. */
  readonly lanes: number;
  /** How the elements behind one result lie: behind each other, at one distance, or along several dimensions. */
  readonly spacing: "dense" | "even" | "nested";
  /** Width of the numbers that are split into indexes. */
  readonly index: 32 | 64;
  readonly dialect: Dialect;
}

/** Threads of one block. */
export const reduceThreads = 256;
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

/** What users read: `inner/256x4`, `outer/8 parts`. */
export function reduceVariant(spec: ReduceSpec): string {
  const shape = spec.dialect.grid ? `/${spec.lanes}${spec.vector > 1 ? `x${spec.vector}` : ""}` : "";
  const spacing = spec.vector > 1 ? "" : ` ${spec.spacing}`;
  const stage = `${spec.first ? "" : " again"}${spec.last ? "" : " in parts"}`;
  const wide = spec.index === 64 && spec.dialect.grid ? " i64" : "";
  return `${spec.kind}${shape}${spacing}${stage}${wide}`;
}
