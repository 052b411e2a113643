// The table of scans: running sums and similar. Like a reduction, a scan joins accumulators; every element has a result.
// codegen/scan-kernel.ts writes the kernels from these few lines of C++.
import { type DType, dtypes } from "../base/dtype.js";

/** A scan for one dtype of elements. */
export interface ScanPlan {
  /** The dtype that elements are converted to, as `Element`. */
  readonly compute: DType;
  /** The dtypes of the results and the C++ expressions that give them from the accumulator `a`. */
  readonly results: readonly DType[];
  readonly finish: readonly string[];
  /** C++: the definition of `Accumulator` with its helpers, and its size in bytes. */
  readonly accumulator: string;
  readonly accumulatorBytes: number;
  /** C++ expressions: the accumulator of no elements; of element `x` at `place`; of `a` before `b`. */
  readonly identity: string;
  readonly lift: string;
  readonly join: string;
}

/** One scan. */
export interface Scan {
  readonly name: string;
  readonly plan: (dtype: DType) => ScanPlan | { readonly refuse: string };
}

function plain(compute: DType, result: DType, identity: string, join: string): ScanPlan {
  return {
    compute,
    results: [result],
    finish: ["a"],
    accumulator: "typedef Element Accumulator;",
    accumulatorBytes: compute.bytes,
    identity,
    lift: "x",
    join,
  };
}

/** Integers and bool in int64, where they wrap around; half types in float32, rounded once. */
function adding(dtype: DType, identity: number, operator: "+" | "*"): ScanPlan {
  if (dtype.kind === "float" || dtype.kind === "complex") {
    return plain(dtypes[dtype.compute], dtype, `Element(${identity})`, `a ${operator} b`);
  }
  return plain(dtypes.int64, dtypes.int64, `${identity}`, `int64(uint64(a) ${operator} uint64(b))`);
}

/** The largest or smallest element so far and its index, the last of equal ones; after a NaN the last NaN. */
function extreme(dtype: DType, sign: ">=" | "<="): ScanPlan | { readonly refuse: string } {
  if (dtype.kind === "complex") return { refuse: "complex numbers have no order" };
  return {
    compute: dtypes[dtype.compute],
    results: [dtype, dtypes.int64],
    finish: ["a.value", "a.place"],
    accumulator: [
      "struct Accumulator { Element value; int64 place; };  // place -1: no element yet",
      "__device__ inline Accumulator later(Accumulator a, Accumulator b) {",
      "  if (a.place < 0 || b.place < 0) return b.place < 0 ? a : b;",
      `  return b.value != b.value || (a.value == a.value && b.value ${sign} a.value) ? b : a;`,
      "}",
    ].join("\n"),
    accumulatorBytes: 16,
    identity: "Accumulator{Element(), -1}",
    lift: "Accumulator{x, place}",
    join: "later(a, b)",
  };
}

/** The logarithm of a sum of exponentials. */
function exponentials(dtype: DType): ScanPlan | { readonly refuse: string } {
  if (dtype.kind !== "float") {
    return { refuse: 'it is defined for floating dtypes only; convert with .to("float32") first' };
  }
  const compute = dtypes[dtype.compute];
  const lowest = compute.bytes === 8 ? "-float_of(0x7ff0000000000000ull)" : "-float_of(0x7f800000u)";
  return {
    ...plain(compute, dtype, lowest, "sum_of_exponentials(a, b)"),
    accumulator: [
      "typedef Element Accumulator;",
      "__device__ inline Element sum_of_exponentials(Element a, Element b) {",
      "  if (a != a || b != b) return a + b;",
      "  const Element high = a < b ? b : a, low = a < b ? a : b;",
      "  return isinf(high) ? high : high + log1p(exp(low - high));",
      "}",
    ].join("\n"),
  };
}

/** All scans by name. */
export const scans = {
  cumsum: { name: "cumsum", plan: (dtype) => adding(dtype, 0, "+") },
  cumprod: { name: "cumprod", plan: (dtype) => adding(dtype, 1, "*") },
  cummax: { name: "cummax", plan: (dtype) => extreme(dtype, ">=") },
  cummin: { name: "cummin", plan: (dtype) => extreme(dtype, "<=") },
  logcumsumexp: { name: "logcumsumexp", plan: exponentials },
} as const satisfies Readonly<Record<string, Scan>>;
