// The passes of a reduction: from a shape and strides to the kernels that run in turn and the geometry of each.

import type { DType } from "../base/dtype.js";
import type { Dialect } from "../device/dialect.js";
import type { Reduction, ReductionPlan } from "../functor/reduction.js";
import { blockThreads, leastWord, type ReduceSpec, reduceColumns, reduceUnit } from "./reduce-spec.js";
import { gridOrder, hostOrder, partsOrder, type ReduceKind } from "./reduction-order.js";

/** A dimension that stays: its extent, and the strides of the elements and of the results. */
interface Kept {
  readonly size: number;
  readonly in: number;
  readonly out: number;
}

/** A dimension that goes away. */
type Reduced = Omit<Kept, "out">;

/** The dimensions of a reduction, merged where memory allows it, innermost first. */
export interface ReduceGeometry {
  readonly kept: readonly Kept[];
  readonly reduced: readonly Reduced[];
  readonly results: number;
  readonly length: number;
}

/** One pass: its kernel's spec and the numbers of its launch. */
export interface Pass {
  readonly spec: ReduceSpec;
  readonly geometry: ReduceGeometry;
  /** Elements of a part, and parts behind each result. */
  readonly part: number;
  readonly parts: number;
  /** Results that one task of a processor takes. */
  readonly group: number;
  /** From one part's accumulator to the next part's. */
  readonly partStep: number;
  /** What the launch is divided by. */
  readonly work: number;
}

/** The geometry of reducing the dimensions `gone` of a view into a contiguous result. */
export function reduceGeometry(
  shape: readonly number[],
  strides: readonly number[],
  gone: readonly boolean[],
  ordered: boolean,
): ReduceGeometry {
  const kept: Kept[] = [];
  const reduced: Reduced[] = [];
  let out = 1;
  for (let d = shape.length - 1; d >= 0; d--) {
    const size = shape[d] as number;
    if (gone[d]) reduced.push({ size, in: strides[d] as number });
    else {
      kept.push({ size, in: strides[d] as number, out });
      out *= size;
    }
  }
  const product = (dims: readonly Reduced[]) => dims.reduce((count, { size }) => count * size, 1);
  const byStride = <D extends Reduced>(dims: D[]): D[] =>
    dims.sort((a, b) => Math.abs(a.in) - Math.abs(b.in));
  const going = merged(ordered ? reduced : byStride(reduced), (a, b) => b.in === a.in * a.size);
  return {
    kept: merged(byStride(kept), (a, b) => b.in === a.in * a.size && b.out === a.out * a.size),
    reduced: going.length > 0 ? going : [{ size: product(reduced), in: 1 }],
    results: product(kept),
    length: product(reduced),
  };
}

/** Without dimensions of extent 1, and with neighbours joined that are walked as one. */
function merged<D extends Reduced>(dims: readonly D[], joins: (a: D, b: D) => boolean): D[] {
  const result: D[] = [];
  for (const dim of dims) {
    if (dim.size === 1) continue;
    const last = result.at(-1);
    if (last && joins(last, dim)) result[result.length - 1] = { ...last, size: last.size * dim.size };
    else result.push(dim);
  }
  return result;
}

const limit32 = 2 ** 31 - 1;

/** The passes that reduce a view whose element 0 lies at `pointer`. */
export function passesOf(
  reduction: Reduction,
  plan: ReductionPlan,
  input: DType,
  geometry: ReduceGeometry,
  pointer: number,
  dialect: Dialect,
): Pass[] {
  const kind = kindOf(geometry);
  const { length } = geometry;
  let order = dialect.grid ? gridOrder(kind, length) : hostOrder(kind, length, plan.accumulatorBytes);
  let current = geometry;
  const passes: Pass[] = [];
  for (let first = true; ; first = false) {
    const parts = Math.max(1, Math.ceil(current.length / order.part));
    const last = parts === 1;
    const bytes = first ? input.bytes : plan.accumulatorBytes;
    const walk = walkOf(current, kind, order.width, bytes, first ? pointer : 0, dialect);
    // Field by field: every call of a reduction makes one, and spreading costs microseconds.
    const spec: ReduceSpec = {
      name: reduction.name,
      input,
      plan,
      first,
      last,
      kind,
      width: order.width,
      threads: walk.threads,
      word: walk.word,
      packed: walk.packed,
      spacing: walk.spacing,
      index: walk.index,
      dialect,
    };
    const { kept, results } = current;
    // Accumulators of parts lie as the elements did: adjacent for one result, or results side by side.
    const placed = last ? current : { ...current, kept: spread(kept, kind === "row" ? parts : 1) };
    const partStep = last ? 0 : kind === "row" ? 1 : results;
    const group = groupOf(spec, current, parts);
    const tasks = Math.ceil(results / group) * parts;
    const work = tasks * (dialect.grid ? blockThreads(spec) : reduceUnit);
    passes.push({ spec, geometry: placed, part: order.part, parts, group, partStep, work });
    if (last) return passes;
    current = {
      kept: kept.map((dim, d) => ({ ...dim, in: placed.kept[d]?.out ?? 0 })),
      reduced: [{ size: parts, in: partStep }],
      results,
      length: parts,
    };
    order = partsOrder(parts);
  }
}

/** Columns where results lie nearer to each other than the elements behind one of them. */
function kindOf({ kept, reduced, results }: ReduceGeometry): ReduceKind {
  const [keptStep, step] = [Math.abs(kept[0]?.in ?? 0), Math.abs(reduced[0]?.in ?? 1)];
  return results > 1 && keptStep !== 0 && (step === 0 || keptStep < step) ? "column" : "row";
}

type Walk = Pick<ReduceSpec, "threads" | "word" | "packed" | "spacing" | "index">;

/** How the threads of a pass walk elements of `bytes` bytes. */
function walkOf(
  { kept, reduced, results, length }: ReduceGeometry,
  kind: ReduceKind,
  width: number,
  bytes: number,
  pointer: number,
  dialect: Dialect,
): Walk {
  const spacing = reduced.length > 1 ? "nested" : reduced[0]?.in === 1 ? "dense" : "even";
  if (!dialect.grid) return { threads: 1, word: 1, packed: false, spacing, index: 64 };
  // A load of 16 bytes, or several for a word of larger elements.
  const widest = Math.min(width, Math.max(leastWord, 16 / bytes));
  const dense = kind === "row" && spacing === "dense";
  const packed = dense && isAligned(kept, pointer, bytes, Math.min(16, widest * bytes));
  const word = packed ? widest : leastWord;
  const index = results <= limit32 && length <= limit32 ? 32 : 64;
  return { threads: width / word, word, packed, spacing, index };
}

/** True where every row starts at a multiple of `alignment` bytes. */
function isAligned(kept: readonly Kept[], pointer: number, bytes: number, alignment: number): boolean {
  return pointer % alignment === 0 && kept.every((dim) => (dim.in * bytes) % alignment === 0);
}

/** Results that one task takes: all that a block has threads for, or enough that a task is worth its start. */
function groupOf(spec: ReduceSpec, { results, length }: ReduceGeometry, parts: number): number {
  if (spec.dialect.grid) return blockThreads(spec) / spec.threads;
  if (spec.kind === "column") return reduceColumns;
  return parts > 1 ? 1 : Math.max(1, Math.min(results, Math.floor(reduceUnit / Math.max(length, 1))));
}

/** The same dimensions with accumulators `step` apart as results. */
function spread(kept: readonly Kept[], step: number): Kept[] {
  let out = step;
  return kept.map((dim) => {
    const placed = { ...dim, out };
    out *= dim.size;
    return placed;
  });
}
