// Exponentials, logarithms and roots.
import { type Op, unary } from "./op.js";
import * as complex from "./reference/complex.js";
import { byKind, onReals } from "./reference/scalar.js";

const exact = { float32: 0, float64: 0 } as const;

const complexMath = ["numeric", "circular", "tangent", "complex-math"] as const;

export const exponential = {
  /** Exponential e^a. */
  exp: unary({
    rule: "toFloat",
    functor: "exp(a)",
    needsFor: { complex: complexMath },
    reference: byKind({ real: Math.exp, complex: complex.complexExp }),
    domain: [-20, 20],
    ulp: { float32: 2, float64: 1 },
    doc: "Exponential e^a.",
    numpy: "np.exp",
    example: "jl.exp(jl.tensor([0, 1, 2]))",
  }),
  /** Two to the power of a. */
  exp2: unary({
    rule: "toFloat",
    functor: "exp2(a)",
    needsFor: { complex: complexMath },
    reference: byKind({ real: (a) => 2 ** a, complex: complex.complexExp2 }),
    domain: [-20, 20],
    ulp: { float32: 2, float64: 1 },
    doc: "Two to the power of a.",
    numpy: "np.exp2",
    example: "jl.exp2(jl.tensor([0, 1, 10]))",
  }),
  /** e^a - 1 without cancellation near 0. */
  expm1: unary({
    rule: "toFloat",
    functor: "expm1(a)",
    needsFor: { complex: complexMath },
    reference: byKind({ real: Math.expm1, complex: complex.complexExpm1 }),
    domain: [-5, 5],
    ulp: { float32: 2, float64: 1 },
    doc: "e^a - 1 without cancellation near 0.",
    numpy: "np.expm1",
    example: "jl.expm1(jl.tensor([1e-8, 1]))",
  }),
  /** Natural logarithm of a; NaN below zero. */
  log: unary({
    rule: "toFloat",
    functor: "log(a)",
    needsFor: { complex: complexMath },
    reference: byKind({ real: Math.log, complex: complex.complexLog }),
    domain: [0.01, 100],
    ulp: { float32: 2, float64: 1 },
    doc: "Natural logarithm of a; NaN below zero.",
    numpy: "np.log",
    example: "jl.log(jl.tensor([1, Math.E, 10]))",
  }),
  /** Logarithm of a to the base 2. */
  log2: unary({
    rule: "toFloat",
    functor: "log2(a)",
    needsFor: { complex: complexMath },
    reference: byKind({
      real: Math.log2,
      complex: (a) => complex.complexScale(complex.complexLog(a), Math.LOG2E),
    }),
    domain: [0.01, 100],
    ulp: { float32: 2, float64: 2 },
    doc: "Logarithm of a to the base 2.",
    numpy: "np.log2",
    example: "jl.log2(jl.tensor([1, 2, 1024]))",
  }),
  /** Logarithm of a to the base 10. */
  log10: unary({
    rule: "toFloat",
    functor: "log10(a)",
    overrides: { float64: "jl::precise_log10(a)" },
    needsFor: { float64: ["numeric", "precise-log", "log10"], complex: complexMath },
    reference: byKind({
      real: Math.log10,
      complex: (a) => complex.complexScale(complex.complexLog(a), Math.LOG10E),
    }),
    domain: [0.01, 100],
    ulp: { float32: 2, float64: 2 },
    doc: "Logarithm of a to the base 10.",
    numpy: "np.log10",
    example: "jl.log10(jl.tensor([1, 10, 1000]))",
  }),
  /** log(1 + a) without cancellation near 0. */
  log1p: unary({
    rule: "toFloat",
    functor: "log1p(a)",
    needsFor: { complex: complexMath },
    reference: byKind({ real: Math.log1p, complex: (a) => complex.complexLog({ re: 1 + a.re, im: a.im }) }),
    domain: [-0.9, 50],
    ulp: { float32: 2, float64: 1 },
    doc: "log(1 + a) without cancellation near 0.",
    numpy: "np.log1p",
    example: "jl.log1p(jl.tensor([1e-8, 1]))",
  }),
  /** Square root of a; NaN below zero. */
  sqrt: unary({
    rule: "toFloat",
    functor: "sqrt(a)",
    needsFor: { complex: complexMath },
    reference: byKind({ real: Math.sqrt, complex: complex.complexSqrt }),
    domain: [0, 100],
    ulp: exact,
    doc: "Square root of a; NaN below zero.",
    numpy: "np.sqrt",
    example: "jl.sqrt(jl.tensor([1, 4, 2]))",
  }),
  /** Cube root of a. */
  cbrt: unary({
    rule: "toRealFloat",
    functor: "cbrt(a)",
    reference: onReals(Math.cbrt),
    domain: [-100, 100],
    ulp: { float32: 4, float64: 4 },
    doc: "Cube root of a.",
    numpy: "np.cbrt",
    example: "jl.cbrt(jl.tensor([1, 8, -27]))",
  }),
  /** Reciprocal of the square root of a. */
  rsqrt: unary({
    rule: "toFloat",
    functor: "rsqrt(a)",
    overrides: { complex: "T(1) / sqrt(a)" },
    needsFor: { complex: complexMath },
    reference: byKind({
      real: (a) => 1 / Math.sqrt(a),
      complex: (a) => complex.complexDivide({ re: 1, im: 0 }, complex.complexSqrt(a)),
    }),
    domain: [0.01, 100],
    ulp: { float32: 2, float64: 2 },
    doc: "Reciprocal of the square root of a.",
    example: "jl.rsqrt(jl.tensor([1, 4, 2]))",
  }),
  /** 1 / a. */
  reciprocal: unary({
    rule: "toFloat",
    functor: "T(1) / a",
    needsFor: { complex: [] },
    reference: byKind({ real: (a) => 1 / a, complex: (a) => complex.complexDivide({ re: 1, im: 0 }, a) }),
    domain: [0.1, 10],
    ulp: exact,
    doc: "1 / a.",
    numpy: "np.reciprocal",
    example: "jl.reciprocal(jl.tensor([1, 4, 2]))",
  }),
  /** Logistic function 1 / (1 + e^-a). */
  sigmoid: unary({
    rule: "toFloat",
    functor: "jl::sigmoid(a)",
    needs: ["numeric", "logarithm"],
    needsFor: { complex: ["numeric", "circular", "tangent", "complex-math", "logarithm"] },
    reference: byKind({ real: (a) => 1 / (1 + Math.exp(-a)), complex: complex.complexSigmoid }),
    domain: [-20, 20],
    ulp: { float32: 3, float64: 3 },
    doc: "Logistic function 1 / (1 + e^-a).",
    numpy: "scipy.special.expit",
    example: "jl.sigmoid(jl.tensor([-2, 0, 2]))",
  }),
} as const satisfies Record<string, Op>;
