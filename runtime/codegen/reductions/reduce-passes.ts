// The passes of a reduction: from a shape and strides to the kernels in sequence and the geometry of each.

import type { DType } from "../../base/dtype.js";
import type { Dialect } from "../../device/dialect.js";
import type { Functor } from "../../functor/functor.js";
import type { Reduction, ReductionPlan } from "../../functor/reduction.js";
import type { ReduceEpilogue } from "./reduce-epilogue.js";
import {
  blockThreads,
  leastWord,
  type ReduceSource,
  type ReduceSpec,
  reduceColumns,
  reduceUnit,
  type Spacing,
} from "./reduce-spec.js";
import { gridOrder, hostOrder, partsOrder, type ReduceKind } from "./reduction-order.js";

/** A reduced dimension: its extent, and the strides of the elements and of each operand. */
interface Reduced {
  /** Mutable for {@link merged}. */
  size: number;
  readonly step: number;
  readonly in: readonly number[];
}

/** A kept dimension, with the stride of the results. */
interface Kept extends Reduced {
  readonly out: number;
}

/** The dimensions of a reduction, merged where possible, innermost first. */
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
  /** Elements per part, and parts per result. */
  readonly part: number;
  readonly parts: number;
  /** Results per task of a processor. */
  readonly group: number;
  /** The step between the accumulators of parts. */
  readonly partStep: number;
  /** The launch's units. */
  readonly work: number;
}

/** The layout of the reduced elements: their strides determine the order of joining. */
export interface Elements {
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}

/**
 * The geometry of reducing the dimensions `gone` of elements into a contiguous result. If they are computed from operands,
 * `operands` has the operands' strides over the same shape.
 */
export function reduceGeometry(
  { shape, strides }: Elements,
  gone: readonly boolean[],
  ordered: boolean,
  operands: readonly (readonly number[])[] = [strides],
): ReduceGeometry {
  const kept: Kept[] = [];
  const reduced: Reduced[] = [];
  let out = 1;
  for (let d = shape.length - 1; d >= 0; d--) {
    const size = shape[d] as number;
    const step = strides[d] as number;
    const steps = operands.map((own) => own[d] as number);
    if (gone[d]) reduced.push({ size, step, in: steps });
    else {
      kept.push({ size, step, in: steps, out });
      out *= size;
    }
  }
  const product = (dims: readonly Reduced[]) => dims.reduce((count, { size }) => count * size, 1);
  const byStride = <D extends Reduced>(dims: D[]): D[] =>
    dims.sort((a, b) => Math.abs(a.step) - Math.abs(b.step));
  const adjoins = (a: Reduced, b: Reduced) => b.in.every((step, i) => step === (a.in[i] as number) * a.size);
  // Before merging, which changes sizes.
  const [results, length] = [product(kept), product(reduced)];
  const going = merged(ordered ? reduced : byStride(reduced), adjoins);
  return {
    kept: merged(byStride(kept), (a, b) => adjoins(a, b) && b.out === a.out * a.size),
    reduced: going.length > 0 ? going : [{ size: length, step: 1, in: operands.map(() => 1) }],
    results,
    length,
  };
}

/** Drops dimensions of extent 1, and merges adjacent ones into the first of them. */
function merged<D extends Reduced>(dims: readonly D[], joins: (a: D, b: D) => boolean): D[] {
  const result: D[] = [];
  for (const dim of dims) {
    if (dim.size === 1) continue;
    const last = result.at(-1);
    if (last && joins(last, dim)) last.size *= dim.size;
    else result.push(dim);
  }
  return result;
}

const limit32 = 2 ** 31 - 1;

/** A reduction and its input. */
export interface ReduceTask {
  readonly reduction: Reduction;
  readonly plan: ReductionPlan;
  /** Computes the elements, of this dtype, from several operands. */
  readonly prologue: Functor | undefined;
  /** Computes what is stored. */
  readonly epilogue: ReduceEpilogue | undefined;
  readonly input: DType;
}

/** An operand in memory: the size of an element, and the address of element 0. */
interface Source {
  readonly bytes: number;
  readonly pointer: number;
  /** True if the prologue gets its address. */
  readonly isAddressed: boolean;
}

/** The passes of a reduction. */
export function passesOf(
  { reduction, plan, prologue, epilogue, input }: ReduceTask,
  geometry: ReduceGeometry,
  operands: readonly Source[],
  dialect: Dialect,
): Pass[] {
  const kind = kindOf(geometry);
  const { length } = geometry;
  // Each of several reductions keeps its own order.
  const { accumulatorBytes } = plan.members?.[0]?.plan ?? plan;
  let order = dialect.gpu ? gridOrder(kind, length) : hostOrder(kind, length, accumulatorBytes);
  let current = geometry;
  const passes: Pass[] = [];
  for (let first = true; ; first = false) {
    const parts = Math.max(1, Math.ceil(current.length / order.part));
    const last = parts === 1;
    const read = first ? operands : [{ bytes: plan.accumulatorBytes, pointer: 0, isAddressed: false }];
    const walk = walkOf(current, kind, order.width, read, dialect);
    // Field by field, because every call makes one and spreading costs microseconds.
    const spec: ReduceSpec = {
      name: reduction.name,
      prologue: first ? prologue : undefined,
      epilogue: last ? epilogue : undefined,
      input,
      plan,
      first,
      last,
      kind,
      width: order.width,
      threads: walk.threads,
      word: walk.word,
      sources: walk.sources,
      index: walk.index,
      dialect,
    };
    const { kept, results } = current;
    // Accumulators of parts have the elements' layout: adjacent for one result, or adjacent results.
    const { reduced, length } = current;
    const placed = last
      ? current
      : { kept: spread(kept, kind === "row" ? parts : 1), reduced, results, length };
    const partStep = last ? 0 : kind === "row" ? 1 : results;
    const group = groupOf(spec, current, parts);
    const tasks = Math.ceil(results / group) * parts;
    const work = tasks * (dialect.gpu ? blockThreads(spec) : reduceUnit);
    passes.push({ spec, geometry: placed, part: order.part, parts, group, partStep, work });
    if (last) return passes;
    current = {
      kept: kept.map(({ size, step, out }, d) => ({ size, step, in: [placed.kept[d]?.out ?? 0], out })),
      reduced: [{ size: parts, step: partStep, in: [partStep] }],
      results,
      length: parts,
    };
    order = partsOrder(parts);
  }
}

/** Columns if results are closer to each other than the elements of one result. */
export function kindOf({ kept, reduced, results }: ReduceGeometry): ReduceKind {
  const [keptStep, step] = [Math.abs(kept[0]?.step ?? 0), Math.abs(reduced[0]?.step ?? 1)];
  return results > 1 && keptStep !== 0 && (step === 0 || keptStep < step) ? "column" : "row";
}

type Walk = Pick<ReduceSpec, "threads" | "word" | "sources" | "index">;

/** How the threads of a pass access its operands. */
function walkOf(
  geometry: ReduceGeometry,
  kind: ReduceKind,
  width: number,
  operands: readonly Source[],
  dialect: Dialect,
): Walk {
  const { kept, results, length } = geometry;
  const sources: ReduceSource[] = [];
  if (!dialect.gpu) {
    for (let i = 0; i < operands.length; i++) {
      // One element for all columns of a task stays one; others are read together if adjacent.
      const across = kind === "column" && kept[0]?.in[i] === 0 ? 0 : 1;
      sources.push({ spacing: spacingOf(geometry, i), packed: false, across });
    }
    return { threads: 1, word: 1, sources, index: 64 };
  }
  // A load of 16 bytes, or several for a word of larger elements.
  let widest = width;
  for (const { bytes } of operands) widest = Math.min(widest, Math.max(leastWord, 16 / bytes));
  let word = leastWord;
  for (let i = 0; i < operands.length; i++) {
    const { bytes, pointer, isAddressed } = operands[i] as Source;
    const spacing = spacingOf(geometry, i);
    const packed =
      !isAddressed &&
      kind === "row" &&
      spacing === "dense" &&
      isAligned(kept, i, pointer, bytes, Math.min(16, widest * bytes));
    if (packed) word = widest;
    sources.push({ spacing, packed, across: 1 });
  }
  const index = results <= limit32 && length <= limit32 ? 32 : 64;
  return { threads: width / word, word, sources, index };
}

function spacingOf({ reduced }: ReduceGeometry, operand: number): Spacing {
  if (reduced.length > 1) return "nested";
  const step = (reduced[0] as Reduced).in[operand];
  return step === 1 ? "dense" : step === 0 ? "same" : "even";
}

/** True if every row of an operand starts at a multiple of `alignment` bytes. */
function isAligned(
  kept: readonly Kept[],
  operand: number,
  pointer: number,
  bytes: number,
  alignment: number,
): boolean {
  return (
    pointer % alignment === 0 && kept.every((dim) => ((dim.in[operand] as number) * bytes) % alignment === 0)
  );
}

/** Results per task: as many as a block has threads for, or enough to outweigh a task's start. */
function groupOf(spec: ReduceSpec, { results, length }: ReduceGeometry, parts: number): number {
  if (spec.dialect.gpu) return blockThreads(spec) / spec.threads;
  if (spec.kind === "column") return reduceColumns;
  return parts > 1 ? 1 : Math.max(1, Math.min(results, Math.floor(reduceUnit / Math.max(length, 1))));
}

/** The same dimensions with accumulators `step` apart as results. */
function spread(kept: readonly Kept[], step: number): Kept[] {
  let out = step;
  return kept.map(({ size, step, in: steps }) => {
    const placed = { size, step, in: steps, out };
    out *= size;
    return placed;
  });
}
