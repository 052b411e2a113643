// The table of reductions: what one carries along, how two of them are joined, and which dtypes it takes and gives. The
// kernels of codegen/reduce-kernel.ts are written from these few lines of C++.
import { type DType, dtypes } from "../base/dtype.js";

/** What a reduction does with one dtype of elements. */
export interface ReductionPlan {
  /** The type `T` that elements are converted to; half types compute in float32. */
  readonly compute: DType;
  readonly result: DType;
  /** C++: definition of `Accumulator`, the value that is carried along, and its size in bytes. */
  readonly accumulator: string;
  readonly accumulatorBytes: number;
  /** C++ expressions: the accumulator of no elements; of element `x` at `place`; of `a` before `b`; the result of `a`. */
  readonly identity: string;
  readonly lift: string;
  readonly join: string;
  readonly finish: string;
  /** Of a user's reduction: what its text needs beside this. */
  readonly user?: {
    /** Files of ops/functors/, dependencies first. */
    readonly needs: readonly string[];
    /** Dtypes that are carried along. */
    readonly uses: readonly DType[];
  };
}

/** Everything about one reduction. */
export interface Reduction {
  readonly name: string;
  /** True where the places of elements count: they are walked in row-major order. */
  readonly ordered: boolean;
  /** True where no elements have no result. */
  readonly needsElements: boolean;
  /** True where elements may be converted to another dtype first. */
  readonly converts?: boolean;
  readonly plan: (dtype: DType) => ReductionPlan | { readonly refuse: string };
}

const refuseComplex = { refuse: "complex numbers have no order; reduce abs() instead" };

/** An accumulator that is an element itself. */
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

/** The value of a dtype that no element is beyond. */
function extremeOf(dtype: DType, highest: boolean): string {
  if (dtype.name === "float64") return `${highest ? "" : "-"}float_of(0x7ff0000000000000ull)`;
  if (dtype.kind === "float") return `${highest ? "" : "-"}float_of(0x7f800000u)`;
  if (dtype.kind === "bool") return `${highest}`;
  const bits = dtype.bytes * 8;
  if (dtype.kind === "unsigned") return highest ? `T(${2n ** BigInt(bits) - 1n}ULL)` : "T(0)";
  const top = `${2n ** BigInt(bits - 1) - 1n}LL`;
  return highest ? `T(${top})` : `T(-${top} - 1)`;
}

/** The lesser or greater element; NaN passes all. */
function extreme(dtype: DType, sign: "<" | ">"): ReductionPlan | { readonly refuse: string } {
  if (dtype.kind === "complex") return refuseComplex;
  const compute = dtypes[dtype.compute];
  const join = compute.kind === "float" ? `b ${sign} a || b != b ? b : a` : `b ${sign} a ? b : a`;
  return plain(compute, dtype, extremeOf(compute, sign === "<"), join);
}

/** The place of the first of the least or greatest elements; the first NaN passes all. */
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
  };
}

const unordered = { ordered: false, needsElements: false } as const;
const extremes = { ordered: false, needsElements: true } as const;
const places = { ordered: true, needsElements: true } as const;

/** Every reduction by name. */
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
            refuse: 'a mean of integers is no integer; convert with .to("float32") first, or give { dtype }',
          },
  },
  /** The least element; NaN where there is one. `{ indices: true }` gives `{ values, indices }` along a dimension. */
  min: { ...extremes, name: "min", plan: (dtype) => extreme(dtype, "<") },
  /** The greatest element; NaN where there is one. `{ indices: true }` gives `{ values, indices }` along a dimension. */
  max: { ...extremes, name: "max", plan: (dtype) => extreme(dtype, ">") },
  /** Whether some element is not zero. */
  any: { ...unordered, name: "any", plan: () => plain(dtypes.bool, dtypes.bool, "false", "bool(a | b)") },
  /** Whether no element is zero. */
  all: { ...unordered, name: "all", plan: () => plain(dtypes.bool, dtypes.bool, "true", "bool(a & b)") },
  /** Place of the first of the least elements, or of the first NaN: along one dimension, or in row-major order. */
  argmin: { ...places, name: "argmin", plan: (dtype) => place(dtype, "<") },
  /** Place of the first of the greatest elements, or of the first NaN: along one dimension, or in row-major order. */
  argmax: { ...places, name: "argmax", plan: (dtype) => place(dtype, ">") },
} as const satisfies Readonly<Record<string, Reduction>>;

/** The names of the reductions. */
export type ReductionName = keyof typeof reductions;
