// The passes of a reduction: from a shape and strides to the kernels that run in turn and the geometry of each. What is
// decided here depends on shape, strides and dtype only, so that the same call always joins in the same order.
import type { Dialect } from "./codegen/dialect.js";
import { rowWidth } from "./codegen/reduce-kernel.js";
import { type ReduceSpec, reduceColumns, reduceThreads, reduceUnit } from "./codegen/reduce-spec.js";
import type { DType } from "./dtype.js";
import type { Reduction, ReductionPlan } from "./reduction.js";

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
// Blocks of threads that keep a large GPU busy, and the most and least elements that a thread then joins one by one.
const manyBlocks = 1024;
const mostSteps = 64;
const leastSteps = 8;
// Rows that a task of a processor reads.
const taskRows = 256;
// Where fewer elements than this lie behind each result, threads take one result each.
const shortLength = 16;

/** The passes that reduce a view whose element 0 lies at `pointer`. */
export function passesOf(
  reduction: Reduction,
  plan: ReductionPlan,
  input: DType,
  geometry: ReduceGeometry,
  pointer: number,
  dialect: Dialect,
): Pass[] {
  const passes: Pass[] = [];
  let current = geometry;
  for (let first = true; ; first = false) {
    const bytes = first ? input.bytes : plan.accumulatorBytes;
    const pass = onePass(reduction, plan, input, current, first, first ? pointer : 0, bytes, dialect);
    passes.push(pass);
    if (pass.spec.last) return passes;
    current = afterPass(current, pass);
  }
}

function onePass(
  { name }: Reduction,
  plan: ReductionPlan,
  input: DType,
  geometry: ReduceGeometry,
  first: boolean,
  pointer: number,
  bytes: number,
  dialect: Dialect,
): Pass {
  const { kept, reduced, results, length } = geometry;
  const [keptStep, step] = [Math.abs(kept[0]?.in ?? 0), Math.abs(reduced[0]?.in ?? 1)];
  const sideBySide = results > 1 && keptStep !== 0 && (step === 0 || keptStep < step);
  const kind = sideBySide || (results > 1 && length < shortLength) ? "outer" : "inner";
  const spacing = reduced.length > 1 ? "nested" : reduced[0]?.in === 1 ? "dense" : "even";
  const vector = dialect.grid && kind === "inner" && spacing === "dense" ? vectorOf(kept, pointer, bytes) : 1;
  const lanes = dialect.grid ? lanesOf(kind, length, vector) : 1;
  const part = partOf(geometry, kind, lanes, vector, plan, dialect);
  const parts = Math.max(1, Math.ceil(length / part));
  const columns = dialect.grid ? reduceThreads / lanes : reduceColumns;
  const perTask = Math.max(1, Math.min(results, Math.floor(reduceUnit / Math.max(length, 1))));
  const group = dialect.grid || kind === "outer" ? columns : parts > 1 ? 1 : perTask;
  const last = parts === 1;
  const spec: ReduceSpec = {
    name,
    input,
    plan,
    first,
    last,
    kind,
    vector,
    lanes,
    spacing,
    index: dialect.grid && results <= limit32 && length <= limit32 ? 32 : 64,
    dialect,
  };
  const tasks = Math.ceil(results / group) * parts;
  return {
    spec,
    // Accumulators of parts lie as the elements did: behind each other for one result, or results side by side.
    geometry: last ? geometry : { ...geometry, kept: spread(kept, kind === "inner" ? parts : 1) },
    part,
    parts,
    group,
    partStep: last ? 0 : kind === "inner" ? 1 : results,
    work: tasks * (dialect.grid ? reduceThreads : reduceUnit),
  };
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

/** What the next pass reads: the accumulators of this one. Its results go where those of the reduction go. */
function afterPass({ kept, results }: ReduceGeometry, { geometry, parts, partStep }: Pass): ReduceGeometry {
  return {
    kept: kept.map((dim, d) => ({ ...dim, in: geometry.kept[d]?.out ?? 0 })),
    reduced: [{ size: parts, in: partStep }],
    results,
    length: parts,
  };
}

/** Elements of one access of 16 bytes, where every row starts at a multiple of it. */
function vectorOf(kept: readonly Kept[], pointer: number, bytes: number): number {
  const fits = (vector: number) =>
    pointer % (vector * bytes) === 0 && kept.every((dim) => dim.in % vector === 0);
  return [16, 8, 4, 2].find((vector) => vector * bytes <= 16 && fits(vector)) ?? 1;
}

function lanesOf(kind: ReduceSpec["kind"], length: number, vector: number): number {
  if (kind === "outer") return length <= shortLength ? 1 : 8;
  const words = length / vector;
  if (words > 256) return 256;
  return words > 16 ? 32 : 4;
}

function partOf(
  { results, length }: ReduceGeometry,
  kind: ReduceSpec["kind"],
  lanes: number,
  vector: number,
  { accumulatorBytes }: ReductionPlan,
  dialect: Dialect,
): number {
  if (!dialect.grid) return kind === "inner" ? rowWidth(accumulatorBytes) * 128 : taskRows;
  if (kind === "inner" && lanes < reduceThreads) return Math.max(1, length);
  const atOnce = lanes * vector;
  const blocks = Math.ceil(results / (reduceThreads / lanes));
  const wanted = 2 ** Math.ceil(Math.log2((blocks * Math.max(length, 1)) / (atOnce * manyBlocks)));
  return atOnce * Math.max(leastSteps, Math.min(mostSteps, wanted)) * (vector === 1 ? 4 : 1);
}
