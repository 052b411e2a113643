// The table of reductions: the accumulator, how two of them are joined, and the dtypes of elements and results.
// codegen/reduce-kernel.ts writes the kernels from these few lines of C++.
import { type DType, dtypes } from "../base/dtype.js";

/** A reduction for one dtype of elements. */
export interface ReductionPlan {
  /** The type `T` that elements are converted to; half types compute in float32. */
  readonly compute: DType;
  readonly result: DType;
  /** C++: the definition of `Accumulator`, and its size in bytes. */
  readonly accumulator: string;
  readonly accumulatorBytes: number;
  /** C++ expressions: the accumulator of no elements; of element `x` at `place`; of `a` before `b`; the result of `a`. */
  readonly identity: string;
  readonly lift: string;
  readonly join: string;
  readonly finish: string;
  /** For the index of an element: the sign of the comparison by which it comes first. */
  readonly first?: "<" | ">";
  /** The parts of several reductions joined into one; codegen/joint-reduction.ts makes it. */
  readonly members?: readonly JointMember[];
  /** For a user's reduction: the other requirements of its text. */
  readonly user?: {
    /** Files of ops/functors/, dependencies first. */
    readonly needs: readonly string[];
    /** Dtypes in the accumulator. */
    readonly uses: readonly DType[];
    /** True if its text cannot share a kernel with other computations. */
    readonly isUnfusable: boolean;
  };
}

/** One of several reductions that share a kernel. */
export interface JointMember {
  readonly name: string;
  readonly plan: ReductionPlan;
  /** The dtype of its elements, and their source: an operand in memory, or a result of the maps before the reduction. */
  readonly element: DType;
  readonly from: { readonly role: "in" | "out"; readonly index: number };
}

/** The C++ of a plan: equal for equal reductions of one dtype. */
export function planText({ accumulator, identity, lift, join, finish }: ReductionPlan): string {
  return [accumulator, identity, lift, join, finish].join("\n");
}

/** One reduction. */
export interface Reduction {
  readonly name: string;
  /** True if element indexes matter: elements are numbered in row-major order. */
  readonly ordered: boolean;
  /** True if there is no result for no elements. */
  readonly needsElements: boolean;
  /** True if elements may be converted to another dtype first. */
  readonly converts?: boolean;
  readonly plan: (dtype: DType) => ReductionPlan | { readonly refuse: string };
}

const refuseComplex = { refuse: "complex numbers have no order; reduce abs() instead" };

/** An accumulator that is a single element. */
function plain(compute: DType, result: DType, identity: string, join: string, finish = "a"): ReductionPlan {
  const { ctype, bytes } = compute;
  const accumulator = `typedef ${ctype} Accumulator;`;
  return { compute, result, accumulator, accumulatorBytes: bytes, identity, lift: "x", join, finish };
}

/** Integers and bool add up in int64, as in PyTorch and NumPy; it wraps around. */
function adding(dtype: DType, identity: number, operator: "+" | "*"): ReductionPlan {
  if (dtype.kind === "float" || dtype.kind === "complex") {
    return plain(dtypes[dtype.compute], dtype, `T(${identity})`, `a ${operator} b`);
  }
  return plain(dtypes.int64, dtypes.int64, `${identity}`, `int64(uint64(a) ${operator} uint64(b))`);
}

/** The extreme value of a dtype. */
function extremeOf(dtype: DType, highest: boolean): string {
  if (dtype.name === "float64") return `${highest ? "" : "-"}float_of(0x7ff0000000000000ull)`;
  if (dtype.kind === "float") return `${highest ? "" : "-"}float_of(0x7f800000u)`;
  if (dtype.kind === "bool") return `${highest}`;
  const bits = dtype.bytes * 8;
  if (dtype.kind === "unsigned") return highest ? `T(${2n ** BigInt(bits) - 1n}ULL)` : "T(0)";
  const top = `${2n ** BigInt(bits - 1) - 1n}LL`;
  return highest ? `T(${top})` : `T(-${top} - 1)`;
}

/** The smaller or larger element; NaN wins. */
function extreme(dtype: DType, sign: "<" | ">"): ReductionPlan | { readonly refuse: string } {
  if (dtype.kind === "complex") return refuseComplex;
  const compute = dtypes[dtype.compute];
  const join = compute.kind === "float" ? `b ${sign} a || b != b ? b : a` : `b ${sign} a ? b : a`;
  return plain(compute, dtype, extremeOf(compute, sign === "<"), join);
}

/** The index of the first smallest or largest element; the first NaN wins. */
function place(dtype: DType, sign: "<" | ">"): ReductionPlan | { readonly refuse: string } {
  if (dtype.kind === "complex") return refuseComplex;
  const compute = dtypes[dtype.compute];
  const accumulator = [
    `struct Accumulator { T value; int64 place; };  // place -1: no element yet`,
    `__device__ inline bool comes_first(Accumulator a, Accumulator b) {`,
    `  if (a.place < 0 || b.place < 0) return b.place < 0;`,
    ...(compute.kind === "float"
      ? [
          `  const bool a_nan = a.value != a.value, b_nan = b.value != b.value;`,
          `  if (a_nan || b_nan) return a_nan && (!b_nan || a.place < b.place);`,
        ]
      : []),
    `  return a.value == b.value ? a.place < b.place : a.value ${sign} b.value;`,
    `}`,
  ].join("\n");
  return {
    compute,
    result: dtypes.int64,
    accumulator,
    accumulatorBytes: 16,
    identity: "Accumulator{T(), -1}",
    lift: "Accumulator{x, place}",
    join: "comes_first(a, b) ? a : b",
    finish: "a.place",
    first: sign,
  };
}

const unordered = { ordered: false, needsElements: false } as const;
const extremes = { ordered: false, needsElements: true } as const;
const places = { ordered: true, needsElements: true } as const;

/** All reductions by name. */
export const reductions = {
  /** Sum of the elements; of integers and bool in int64. */
  sum: { ...unordered, converts: true, name: "sum", plan: (dtype) => adding(dtype, 0, "+") },
  /** Product of the elements; of integers and bool in int64. */
  prod: { ...unordered, converts: true, name: "prod", plan: (dtype) => adding(dtype, 1, "*") },
  /** Mean of the elements of a floating or complex dtype. */
  mean: {
    ...unordered,
    converts: true,
    name: "mean",
    plan: (dtype) =>
      dtype.kind === "float" || dtype.kind === "complex"
        ? { ...adding(dtype, 0, "+"), finish: "a / T(total)" }
        : {
            refuse: 'the mean of integers is a float; convert with .to("float32") first, or pass { dtype }',
          },
  },
  /** The smallest element; NaN if there is one. `{ indices: true }` gives `{ values, indices }` along a dimension. */
  min: { ...extremes, name: "min", plan: (dtype) => extreme(dtype, "<") },
  /** The largest element; NaN if there is one. `{ indices: true }` gives `{ values, indices }` along a dimension. */
  max: { ...extremes, name: "max", plan: (dtype) => extreme(dtype, ">") },
  /** Whether any element is not zero. */
  any: { ...unordered, name: "any", plan: () => plain(dtypes.bool, dtypes.bool, "false", "bool(a | b)") },
  /** Whether all elements are not zero. */
  all: { ...unordered, name: "all", plan: () => plain(dtypes.bool, dtypes.bool, "true", "bool(a & b)") },
  /** Index of the first smallest element, or of the first NaN: along one dimension, or in row-major order. */
  argmin: { ...places, name: "argmin", plan: (dtype) => place(dtype, "<") },
  /** Index of the first largest element, or of the first NaN: along one dimension, or in row-major order. */
  argmax: { ...places, name: "argmax", plan: (dtype) => place(dtype, ">") },
} as const satisfies Readonly<Record<string, Reduction>>;

/** The names of the reductions. */
export type ReductionName = keyof typeof reductions;
