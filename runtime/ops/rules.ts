// The named dtype rules of the op table. A rule maps the common dtype of the inputs to the dtypes of computation and result,
// or rejects it with a clause that follows "op does not take these dtypes:" and names the remedy. It ends without a full
// stop.
import { type DType, dtypes, isInteger } from "../base/dtype.js";

/** A dtype rule's answer: the compute dtype and the result dtype, or why the op rejects it. */
export type RuleResult = { readonly compute: DType; readonly out: DType } | { readonly refuse: string };

const same = (t: DType): RuleResult => ({ compute: t, out: t });
const isFloat = (t: DType) => t.kind === "float";
const isComplex = (t: DType) => t.kind === "complex";
const floated = (t: DType) => (isFloat(t) || isComplex(t) ? t : dtypes.float32);
/** The dtype of the real part: itself unless complex. */
const realPart = (t: DType) =>
  isComplex(t) ? (t.name === "complex64" ? dtypes.float32 : dtypes.float64) : t;

const refuseComplex = {
  refuse: "it is not defined for complex numbers; take the magnitude with abs() first",
};
const refuseBool = { refuse: 'it has no meaning for bool; convert with .to("uint8") first' };
const refuseNonFloat = {
  refuse: 'it is defined for floating dtypes only; convert with .to("float32") first',
};
const refuseNonInteger = {
  refuse: 'it is defined for integer dtypes only; convert with .to("int32") first',
};

/** The named dtype rules: from the promoted dtype of the inputs to compute and output dtype. */
export const rules = {
  /** Result and computation have the inputs' dtype. */
  sameAsInput: same,
  /** As sameAsInput, without complex, which has no order. */
  ordered: (t: DType): RuleResult => (isComplex(t) ? refuseComplex : same(t)),
  /** As sameAsInput, for real numbers: without bool and complex. */
  realNumbers: (t: DType): RuleResult =>
    t.kind === "bool" ? refuseBool : isComplex(t) ? refuseComplex : same(t),
  /** Integers and bool become float32; floats and complex stay. */
  toFloat: (t: DType): RuleResult => same(floated(t)),
  /** As toFloat, without complex. */
  toRealFloat: (t: DType): RuleResult => (isComplex(t) ? refuseComplex : same(floated(t))),
  /** As sameAsInput, for floating dtypes only. */
  floatsOnly: (t: DType): RuleResult => (isFloat(t) ? same(t) : refuseNonFloat),
  /** As sameAsInput, for floating and complex dtypes only. */
  floatsOrComplex: (t: DType): RuleResult => (isFloat(t) || isComplex(t) ? same(t) : refuseNonFloat),
  /** Integers and bool become float64, complex becomes complex128. */
  toFloat64: (t: DType): RuleResult => same(isComplex(t) ? dtypes.complex128 : dtypes.float64),
  /** Bool becomes int64; the rest stays. */
  boolToInt64: (t: DType): RuleResult => same(t.kind === "bool" ? dtypes.int64 : t),
  /** Computes in the inputs' dtype; the result of a complex number is real. */
  toReal: (t: DType): RuleResult => ({ compute: t, out: realPart(t) }),
  /** As toReal, with integers and bool as float32. */
  toFloatReal: (t: DType): RuleResult => ({ compute: floated(t), out: realPart(floated(t)) }),
  /** Two real parts become one complex number; integers as float32. */
  toComplex: (t: DType): RuleResult => {
    if (isComplex(t)) return { refuse: "its arguments are real; take parts with real() and imag() first" };
    return { compute: floated(t), out: t.name === "float64" ? dtypes.complex128 : dtypes.complex64 };
  },
  /** A predicate: computes in the inputs' dtype, returns bool. */
  toBool: (t: DType): RuleResult => ({ compute: t, out: dtypes.bool }),
  /** A predicate of floating and complex numbers: integers and bool are compared as float64. */
  floatsToBool: (t: DType): RuleResult => ({
    compute: isFloat(t) || isComplex(t) ? t : dtypes.float64,
    out: dtypes.bool,
  }),
  /** A predicate without complex, which has no order. */
  orderedToBool: (t: DType): RuleResult => (isComplex(t) ? refuseComplex : { compute: t, out: dtypes.bool }),
  /** As sameAsInput, for integers only. */
  integersOnly: (t: DType): RuleResult => (isInteger(t) ? same(t) : refuseNonInteger),
  /** As sameAsInput, for integers and bool. */
  integersOrBool: (t: DType): RuleResult => (isInteger(t) || t.kind === "bool" ? same(t) : refuseNonInteger),
} as const;

/** The name of a dtype rule. */
export type RuleName = keyof typeof rules;
