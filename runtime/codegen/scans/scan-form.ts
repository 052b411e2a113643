// What the kernels of scans share: the sizes of parts and runs, and the C++ that reads and stores elements.
import type { ScanPlan } from "../../functor/scan.js";

/** Elements of a run, and units of one level that make one of the next. */
export const scanRun = 16;
/** Elements of a group. */
export const scanGroup = scanRun ** 2;
/** Elements of a part. */
export const scanPart = scanRun ** 3;

/** Threads of a block for a whole part. */
export const scanThreads = scanGroup;
const leastThreads = 32;

/** The threads of a block for a row of at most one part. */
export function threadsFor(length: number): number {
  let threads = leastThreads;
  while (threads < scanThreads && threads * scanRun < length) threads *= 2;
  return threads;
}

/** Selects a kernel of a scan. */
export interface ScanForm {
  /** True if it reads the tensor's elements, false for accumulators of parts. */
  readonly first: boolean;
  /** True if it writes the accumulators of parts, false for results. */
  readonly totals: boolean;
  /** True if there are earlier parts: a position reads their accumulator, a block waits for those of their blocks. */
  readonly carried: boolean;
  /** The threads of the block that handles a part, a run each; 0 if one position does. */
  readonly threads: number;
  /** True if a position handles a group of a part, whose accumulators are computed before. */
  readonly grouped?: boolean;
}

/** The C++ of what is read at `k` of the part: an element, or an accumulator of elements. */
export function scanRead({ first }: ScanForm, k: string, step = "in_step"): string {
  return first ? `cast<Element>(in[(${k}) * ${step}])` : `reinterpret_cast<const Accumulator*>(in)[${k}]`;
}

/** The C++ of the accumulator of what was read at `k`. */
export function scanElement(form: ScanForm, k: string, read = scanRead(form, k)): string {
  return form.first ? `lift(${read}, begin + ${k})` : read;
}

/** Statements that store the result `a` at `k`. */
export function scanStores(
  { results, finish }: ScanPlan,
  { first }: ScanForm,
  k: string,
  step = "out_step",
): string[] {
  if (!first) return [`reinterpret_cast<Accumulator*>(out0)[${k}] = a;`];
  return results.map(({ ctype }, i) => `out${i}[(${k}) * ${step}] = cast<${ctype}>(${finish[i]});`);
}
