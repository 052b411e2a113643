// Questions about single values, and logic on truth values: an element is true where it is not zero.

import type { Scalar } from "./op.js";
import { binary, type Op, unary } from "./op.js";
import { byKind, isComplex, onReals } from "./reference/scalar.js";

const exact = { float32: 0, float64: 0 } as const;

const infinite = (a: number): boolean => Math.abs(a) === Number.POSITIVE_INFINITY;
const truth = (a: Scalar): boolean => (isComplex(a) ? a.re !== 0 || a.im !== 0 : Number(a) !== 0);

export const logical = {
  /** True where a is NaN. */
  isnan: unary({
    rule: "toBool",
    functor: "false",
    overrides: { float: "isnan(a)", complex: "isnan(a.re) || isnan(a.im)" },
    reference: byKind({ real: Number.isNaN, complex: (a) => Number.isNaN(a.re) || Number.isNaN(a.im) }),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a is NaN.",
    numpy: "np.isnan",
    example: "jl.isnan(jl.tensor([1, NaN]))",
  }),
  /** True where a is infinite. */
  isinf: unary({
    rule: "toBool",
    functor: "false",
    overrides: { float: "isinf(a)", complex: "isinf(a.re) || isinf(a.im)" },
    reference: byKind({ real: infinite, complex: (a) => infinite(a.re) || infinite(a.im) }),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a is infinite.",
    numpy: "np.isinf",
    example: "jl.isinf(jl.tensor([1, Infinity]))",
  }),
  /** True where a is neither infinite nor NaN. */
  isfinite: unary({
    rule: "toBool",
    functor: "true",
    overrides: { float: "isfinite(a)", complex: "isfinite(a.re) && isfinite(a.im)" },
    reference: byKind({
      real: Number.isFinite,
      complex: (a) => Number.isFinite(a.re) && Number.isFinite(a.im),
    }),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a is neither infinite nor NaN.",
    numpy: "np.isfinite",
    example: "jl.isfinite(jl.tensor([1, Infinity]))",
  }),
  /** True where a is positive infinity. */
  isposinf: unary({
    rule: "orderedToBool",
    functor: "false",
    overrides: { float: "isinf(a) && a > T(0)" },
    reference: onReals((a) => a === Number.POSITIVE_INFINITY),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a is positive infinity.",
    numpy: "np.isposinf",
    example: "jl.isposinf(jl.tensor([1, Infinity]))",
  }),
  /** True where a is negative infinity. */
  isneginf: unary({
    rule: "orderedToBool",
    functor: "false",
    overrides: { float: "isinf(a) && a < T(0)" },
    reference: onReals((a) => a === Number.NEGATIVE_INFINITY),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a is negative infinity.",
    numpy: "np.isneginf",
    example: "jl.isneginf(jl.tensor([1, -Infinity]))",
  }),
  /** True where a has no imaginary part. */
  isreal: unary({
    rule: "toBool",
    functor: "true",
    overrides: { complex: "a.im == 0" },
    reference: byKind({ real: () => true, complex: (a) => a.im === 0 }),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a has no imaginary part.",
    numpy: "np.isreal",
    example: "jl.isreal(jl.tensor([{ re: 1, im: 2 }]))",
  }),
  /** True where a is zero. */
  logicalNot: unary({
    rule: "toBool",
    functor: "a == T(0)",
    reference: byKind({ real: (a) => a === 0, complex: (a) => a.re === 0 && a.im === 0 }),
    domain: [-2, 2],
    ulp: exact,
    doc: "True where a is zero.",
    numpy: "np.logical_not",
    example: "jl.logicalNot(jl.tensor([0, 1, 2]))",
  }),
  /** True where both a and b are not zero. */
  logicalAnd: binary({
    rule: "toBool",
    functor: "(a != T(0)) & (b != T(0))",
    reference: (a: Scalar, b: Scalar) => truth(a) && truth(b),
    domain: [-2, 2],
    ulp: exact,
    doc: "True where both a and b are not zero.",
    numpy: "np.logical_and",
    example: "jl.logicalAnd(jl.tensor([0, 1, 2]), jl.tensor([0, 0, 1]))",
    commutative: true,
  }),
  /** True where a or b is not zero. */
  logicalOr: binary({
    rule: "toBool",
    functor: "(a != T(0)) | (b != T(0))",
    reference: (a: Scalar, b: Scalar) => truth(a) || truth(b),
    domain: [-2, 2],
    ulp: exact,
    doc: "True where a or b is not zero.",
    numpy: "np.logical_or",
    example: "jl.logicalOr(jl.tensor([0, 1, 2]), jl.tensor([0, 0, 1]))",
    commutative: true,
  }),
  /** True where exactly one of a and b is not zero. */
  logicalXor: binary({
    rule: "toBool",
    functor: "(a != T(0)) != (b != T(0))",
    reference: (a: Scalar, b: Scalar) => truth(a) !== truth(b),
    domain: [-2, 2],
    ulp: exact,
    doc: "True where exactly one of a and b is not zero.",
    numpy: "np.logical_xor",
    example: "jl.logicalXor(jl.tensor([0, 1, 2]), jl.tensor([0, 0, 1]))",
    commutative: true,
  }),
} as const satisfies Record<string, Op>;
