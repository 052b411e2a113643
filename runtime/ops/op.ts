// The Op record: everything about one operation in one place. Methods, functions, kernels, help, the reference page and
// the test matrix are derived from it. User functors from %%kernel and jl.jit become the same kind of kernel.
import type { DType, DTypeName, Kind } from "../base/dtype.js";
import { type RuleName, rules } from "./rules.js";

export { type RuleName, type RuleResult, rules } from "./rules.js";

/** A host value of one element: complex as `{ re, im }`, 64-bit integers as bigint. */
export type Scalar = number | bigint | boolean | { re: number; im: number };

/** Everything about one operation. */
export interface Op {
  readonly arity: 1 | 2 | 3;
  readonly rule: RuleName;
  /** One C++ expression over `a`, `b`, `c` and the compute type `T`, valid for NVRTC and host C++. */
  readonly functor: string;
  /** Per kind or name of compute dtype: another expression, or a refusal that says what to do. */
  readonly overrides?: Partial<Record<Kind | DTypeName, string | { readonly refuse: string }>>;
  /** On a processor, per compute dtype: what loops do with blocks of ordinary arguments. */
  readonly plain?: Partial<Record<DTypeName, PlainForm>>;
  /** The roles of the arguments where they are not all of the common dtype: `bool` for a condition. */
  readonly operands?: readonly ("common" | "bool" | "int32")[];
  /** Files of ops/functors/ (without .cuh) that the functor calls, dependencies first. */
  readonly needs?: readonly string[];
  /** Per kind or name of compute dtype: files instead of `needs`, where another expression calls others. */
  readonly needsFor?: Partial<Record<Kind | DTypeName, readonly string[]>>;
  /**
   * True for a long functor: one copy per thread, since a copy per vector lane costs compile time, not memory time. A list
   * where it is long in these compute dtypes only.
   */
  readonly heavy?: boolean | readonly DTypeName[];
  /**
   * The definition, at float64 precision: what tests compare with. Integers of every width are bigints, bool is a
   * boolean; the caller wraps or rounds the answer to the dtype.
   */
  // biome-ignore lint/suspicious/noExplicitAny: references are called with the scalars of whatever dtype is under test
  readonly reference: (...args: any[]) => Scalar;
  /** Interval from which tests draw each argument. */
  readonly domain: readonly [number, number];
  /** Stated accuracy in units in the last place, per compute dtype; 0 is exact. */
  readonly ulp: { readonly float32: number; readonly float64: number };
  /** One sentence: what hover, help and the reference page show. */
  readonly doc: string;
  /** The definition as a formula, where `doc` has none. */
  readonly formula?: string;
  /** The equivalent in NumPy or SciPy. */
  readonly numpy?: string;
  /** A line that runs with `import * as jl from "jitlab"`. */
  readonly example: string;
  /** Other names of it: PyTorch's own, and NumPy's where they are unambiguous. */
  readonly aliases?: readonly string[];
  /** The operations that stand in for it where the second or the third argument is left out. */
  readonly without?: { readonly b: string; readonly c: string };
  readonly operator?: string;
  readonly commutative?: boolean;
  /** What may be given by name beside `out`. */
  readonly options?: OptionTable;
  /** What runs where one of the options that are numbers is given. */
  readonly form?: Form;
}

/** An option of an operation: a number that its form computes with, or a choice among forms. */
export type OpOption =
  | {
      /** One sentence. */
      readonly doc: string;
      /** The value that the operation has without it, as text where that depends on the dtype. */
      readonly default: number | boolean | string;
    }
  | { readonly doc: string; readonly choices: Readonly<Record<string, Form>> };

/** The options of an operation by name. */
export type OptionTable = Readonly<Record<string, OpOption>>;

/** The values of options that are numbers, by name. */
export type OptionValues = Readonly<Record<string, Scalar>>;

/** What options make of an operation: what differs from its record. */
export interface Form extends Partial<Pick<Op, "rule" | "overrides" | "needs" | "needsFor">> {
  readonly functor: string;
  /** The names that the expression has for values beside its arguments, and their types; `T` is the compute type. */
  readonly parameters?: Readonly<Record<string, "T" | "bool">>;
  /** Those values, from the options as given and the dtype of computation; throws what says why an option is refused. */
  readonly values?: (given: OptionValues, compute: DType) => OptionValues;
  /** The definition for values of the parameters. */
  // biome-ignore lint/suspicious/noExplicitAny: as the record's own reference
  readonly reference: (values: any) => (...args: any[]) => Scalar;
}

/** A form of a functor without calls, so that loops over it run in vector registers; it gives the functor's own values. */
export interface PlainForm {
  /** The condition on the arguments under which it may stand for the functor. */
  readonly when: string;
  readonly functor: string;
}

/** The fields of a record that its author writes; the helper below adds the arity. */
export type OpFields = Omit<Op, "arity">;

/** A record of one argument. */
export function unary(fields: OpFields): Op {
  return { arity: 1, ...fields };
}
/** A record of two arguments. */
export function binary(fields: OpFields): Op {
  return { arity: 2, ...fields };
}
/** A record of three arguments. */
export function ternary(fields: OpFields): Op {
  return { arity: 3, ...fields };
}

/** What an op does for one common dtype of its inputs. */
export type Plan =
  | {
      /** The dtype of the functor's arguments; a half type computes in float32 under its own name. */
      readonly compute: DType;
      readonly out: DType;
      /** The C++ expression for that dtype and the files it calls. */
      readonly functor: string;
      readonly needs: readonly string[];
      readonly plain: PlainForm | undefined;
    }
  | { readonly refuse: string };

/** Applies an op's rule and overrides to the common dtype of its inputs. */
export function planOf(op: Op, common: DType): Plan {
  const result = rules[op.rule](common);
  if ("refuse" in result) return result;
  const { kind, name } = result.compute;
  // What makes signed integers wrap around does so for unsigned ones, of which C++ multiplies the short ones as signed.
  const other = kind === "unsigned" ? "signed" : kind;
  const override = op.overrides?.[name] ?? op.overrides?.[kind] ?? op.overrides?.[other];
  if (typeof override === "object") return override;
  return {
    ...result,
    functor: override ?? op.functor,
    needs: op.needsFor?.[name] ?? op.needsFor?.[kind] ?? op.needsFor?.[other] ?? op.needs ?? [],
    plain: op.plain?.[result.compute.compute],
  };
}
