// The Op record: the complete definition of one operation. Methods, functions, kernels, help, the reference page and the
// test matrix are derived from it. User functors from %%kernel and jl.jit become the same kind of kernel.
import { type DType, type DTypeName, isHalf, type Kind } from "../base/dtype.js";
import { callOf, filesOf, type RegisterForm } from "./registers.js";
import { type RuleName, rules } from "./rules.js";

export { type RuleName, type RuleResult, rules } from "./rules.js";

/** A host value of one element: complex as `{ re, im }`, 64-bit integers as bigint. */
export type Scalar = number | bigint | boolean | { re: number; im: number };

type HalfName = "float16" | "bfloat16";

/**
 * The derivative of a result by one argument, an expression of jl.fuse over the arguments `a`, `b`, `c`, the result `y` and the
 * form's parameters: as a factor of the result's cotangent `g`; as the whole product, linear in `g`, where it selects; or why it does
 * not exist. `"0"` is zero almost everywhere.
 */
export type Slope = string | { readonly select: string } | { readonly refuse: string };

/** The derivatives of a result by the arguments. */
export type Slopes = Readonly<Partial<Record<"a" | "b" | "c", Slope>>>;

/** One operation. */
export interface Op {
  readonly arity: 1 | 2 | 3;
  readonly rule: RuleName;
  /** One C++ expression over `a`, `b`, `c` and the compute type `T`, valid for NVRTC and host C++. */
  readonly functor: string;
  /** Per kind or name of compute dtype: another expression, or an error with its remedy. */
  readonly overrides?: Partial<Record<Kind | DTypeName, string | { readonly refuse: string }>>;
  /** Per compute dtype: the faster form for ordinary arguments, of a processor's blocks and, if it says so, of a GPU's threads. */
  readonly plain?: Partial<Record<DTypeName, PlainForm>>;
  /** Per compute dtype: the file of functors/registers/ with the form that computes whole vector registers of a processor. */
  readonly registers?: Partial<Record<DTypeName, RegisterForm>>;
  /** On a GPU: the form for half types, a call of halves.cuda.cuh, which computes no more digits than their results keep. */
  readonly halves?: string | Readonly<Record<HalfName, string>>;
  /** The roles of the arguments, unless all have the common dtype: `bool` for a condition. */
  readonly operands?: readonly ("common" | "bool" | "int32")[];
  /** Files of ops/functors/ (without .cuh) that the functor calls, dependencies first. */
  readonly needs?: readonly string[];
  /** Per kind or name of compute dtype: files instead of `needs`, if another expression calls others. */
  readonly needsFor?: Partial<Record<Kind | DTypeName, readonly string[]>>;
  /**
   * True for a long functor: one copy per thread, since a copy per vector lane costs compile time, not memory time. A list
   * if it is long only in these compute dtypes.
   */
  readonly heavy?: boolean | readonly DTypeName[];
  /** Of these compute dtypes the ones in which a GPU's own form is not long. */
  readonly brief?: readonly DTypeName[];
  /** The derivatives of the result by the arguments; without one, differentiating by that argument is an error. */
  readonly slopes?: Slopes;
  /**
   * The definition, at float64 precision, for comparison in tests. Integers of every width are bigints, bool is a boolean;
   * the caller wraps or rounds the answer to the dtype.
   */
  // biome-ignore lint/suspicious/noExplicitAny: references are called with scalars of the dtype under test
  readonly reference: (...args: any[]) => Scalar;
  /** Interval from which tests draw each argument. */
  readonly domain: readonly [number, number];
  /** Stated accuracy in units in the last place, per compute dtype; 0 is exact. */
  readonly ulp: { readonly float32: number; readonly float64: number };
  /** One sentence for hover, help and the reference page. */
  readonly doc: string;
  /** The definition as a formula, unless `doc` has it. */
  readonly formula?: string;
  /** The equivalent in NumPy or SciPy. */
  readonly numpy?: string;
  /** A line that runs with `import * as jl from "jitlab"`. */
  readonly example: string;
  /** Aliases: PyTorch's, and NumPy's if they are unambiguous. */
  readonly aliases?: readonly string[];
  /**
   * The names of the second and the third argument as options, in that order, each with the operation that replaces this one
   * if the argument is omitted.
   */
  readonly without?: Readonly<Record<string, string>>;
  /** Why an integer beside a tensor of a dtype is refused as the second operand. */
  readonly refusesInteger?: (
    integer: number | bigint,
    dtype: DType,
  ) => readonly [what: string, help: string] | undefined;
  readonly operator?: string;
  readonly commutative?: boolean;
  /** Options other than `out`. */
  readonly options?: OptionTable;
  /** The form that runs if a numeric option is given. */
  readonly form?: OpForm;
}

/** An option of an operation: a number for its form, or a choice among forms. */
export type OpOption =
  | {
      /** One sentence. */
      readonly doc: string;
      /** The default value, as text if it depends on the dtype. */
      readonly default: number | boolean | string;
    }
  | { readonly doc: string; readonly choices: Readonly<Record<string, OpForm>> };

/** The options of an operation by name. */
export type OptionTable = Readonly<Record<string, OpOption>>;

/** The values of numeric options, by name. */
export type OptionValues = Readonly<Record<string, Scalar>>;

/** A form of an operation for its options: the differences from its record. */
export interface OpForm extends Partial<Pick<Op, "rule" | "overrides" | "needs" | "needsFor" | "slopes">> {
  readonly functor: string;
  /** The names and types of the expression's additional values; `T` is the compute type. */
  readonly parameters?: Readonly<Record<string, "T" | "bool">>;
  /** Those values, from the given options and the compute dtype; throws for invalid options. */
  readonly values?: (given: OptionValues, compute: DType) => OptionValues;
  /** The definition for values of the parameters. */
  // biome-ignore lint/suspicious/noExplicitAny: as the record's own reference
  readonly reference: (values: any) => (...args: any[]) => Scalar;
}

/** A form of a functor without calls, so that loops over it run in vector registers; it gives the functor's values. */
export interface PlainForm {
  /** The condition on the arguments under which it may replace the functor. */
  readonly when: string;
  readonly functor: string;
  /** True if a GPU takes it too, where it spares a branch for each element. */
  readonly onGrid?: boolean;
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

/** An op for one common dtype of its inputs. */
export type Plan =
  | {
      /** The dtype of the functor's arguments; half types compute in float32. */
      readonly compute: DType;
      readonly out: DType;
      /** The C++ expression for that dtype and the files it calls. */
      readonly functor: string;
      readonly needs: readonly string[];
      readonly plain: PlainForm | undefined;
      readonly registers: RegisterForm | undefined;
      readonly halves: string | undefined;
    }
  | { readonly refuse: string };

/** Applies an op's rule and overrides to the common dtype of its inputs. */
export function planOf(op: Op, common: DType): Plan {
  const result = rules[op.rule](common);
  if ("refuse" in result) return result;
  const { compute, out } = result;
  const { kind, name } = compute;
  // The wrapping forms of signed integers also apply to unsigned ones, because C++ multiplies short ones as signed.
  const other = kind === "unsigned" ? "signed" : kind;
  const override = op.overrides?.[name] ?? op.overrides?.[kind] ?? op.overrides?.[other];
  if (typeof override === "object") return override;
  const registers = op.registers?.[compute.compute];
  const plain = op.plain?.[compute.compute];
  const needs = op.needsFor?.[name] ?? op.needsFor?.[kind] ?? op.needsFor?.[other] ?? op.needs ?? [];
  return {
    compute,
    out,
    functor: override ?? op.functor,
    needs: registers ? [...needs, ...filesOf(registers)] : needs,
    // Registers take the arguments of a plain form too.
    plain: registers && plain ? { ...plain, when: `!JITLAB_REGISTERS && ${plain.when}` } : plain,
    registers,
    halves:
      typeof op.halves === "object" ? op.halves[name as HalfName] : isHalf(compute) ? op.halves : undefined,
  };
}

/** The lines of a function's body that return a plan's value. */
export function returnLines({
  functor,
  registers,
}: {
  functor: string;
  registers: RegisterForm | undefined;
}): string[] {
  const plain = `  return ${functor};`;
  if (registers === undefined) return [plain];
  return ["#if JITLAB_REGISTERS", `  return ${callOf(registers)};`, "#else", plain, "#endif"];
}
