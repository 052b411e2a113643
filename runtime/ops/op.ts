// The Op record: everything about one operation in one place. Methods, functions, kernels, help, the reference page and
// the test matrix are derived from it. User functors from %%kernel and jl.jit become the same kind of kernel.
import { dtypes, type DType, isInteger, type Kind } from "../dtype.js";

/** A host value of one element: complex as `{ re, im }`, 64-bit integers as bigint. */
export type Scalar = number | bigint | boolean | { re: number; im: number };

/** A dtype rule's answer: the dtype in which the functor runs and the dtype of the result, or why the op refuses. */
export type RuleResult = { readonly compute: DType; readonly out: DType } | { readonly refuse: string };

/** The named dtype rules: from the promoted dtype of the inputs to compute and output dtype. */
export const rules = {
  /** Result and computation have the inputs' dtype. */
  sameAsInput: (t: DType): RuleResult => ({ compute: t, out: t }),
  /** Integers and bool become float32; floats and complex stay. */
  toFloat: (t: DType): RuleResult => {
    const float = t.kind === "float" || t.kind === "complex" ? t : dtypes.float32;
    return { compute: float, out: float };
  },
  /** A predicate: computes in the inputs' dtype, answers bool. */
  toBool: (t: DType): RuleResult => ({ compute: t, out: dtypes.bool }),
  /** As sameAsInput, for integers only. */
  integersOnly: (t: DType): RuleResult =>
    isInteger(t) ? { compute: t, out: t } : { refuse: `it is defined for integer dtypes only` },
} as const;

/** The name of a dtype rule. */
export type RuleName = keyof typeof rules;

/** Everything about one operation. */
export interface Op {
  readonly arity: 1 | 2 | 3;
  readonly rule: RuleName;
  /** One C++ expression over `a`, `b`, `c` and the compute type `T`, valid for NVRTC and host C++. */
  readonly functor: string;
  /** Per kind of compute dtype: another expression, or a refusal that says what to do. */
  readonly overrides?: Partial<Record<Kind, string | { readonly refuse: string }>>;
  /** The roles of the arguments where they are not all of the common dtype: `bool` for a condition. */
  readonly operands?: readonly ("common" | "bool" | "int32")[];
  /** Files of functors/ (without .cuh) that the functor calls. */
  readonly needs?: readonly string[];
  /** The definition, on host values, at float64 precision: what tests compare with. */
  // biome-ignore lint/suspicious/noExplicitAny: references are called with the scalars of whatever dtype is under test
  readonly reference: (...args: any[]) => Scalar;
  /** Interval from which tests draw each argument. */
  readonly domain: readonly [number, number];
  /** Stated accuracy in units in the last place, per compute dtype; 0 is exact. */
  readonly ulp: { readonly float32: number; readonly float64: number };
  /** One sentence; repeated as the JSDoc of its key, which is the hover text. */
  readonly doc: string;
  /** The equivalent in NumPy or SciPy. */
  readonly numpy?: string;
  /** A line that runs with `import * as jl from "jitlab"`. */
  readonly example: string;
  readonly operator?: string;
  readonly commutative?: boolean;
}

/** A record with the arity as a literal type, from which method signatures are derived. */
export function unary<const T extends Omit<Op, "arity">>(record: T): T & { readonly arity: 1 } {
  return { arity: 1, ...record };
}
/** As {@link unary}, for two arguments. */
export function binary<const T extends Omit<Op, "arity">>(record: T): T & { readonly arity: 2 } {
  return { arity: 2, ...record };
}
/** As {@link unary}, for three arguments. */
export function ternary<const T extends Omit<Op, "arity">>(record: T): T & { readonly arity: 3 } {
  return { arity: 3, ...record };
}
