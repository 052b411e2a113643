// Exponentials, logarithms and roots.
import { type Op, unary } from "./op.js";
import { complexExp, complexLog, complexSqrt } from "./reference/complex.js";
import { byKind } from "./reference/scalar.js";

export const exponential = {
  /** Exponential e^a. */
  exp: unary({
    rule: "toFloat",
    functor: "exp(a)",
    reference: byKind({ real: Math.exp, complex: complexExp }),
    domain: [-20, 20],
    ulp: { float32: 2, float64: 1 },
    doc: "Exponential e^a.",
    numpy: "np.exp",
    example: "jl.exp(jl.tensor([0, 1, 2]))",
  }),
  /** Natural logarithm of a; NaN below zero. */
  log: unary({
    rule: "toFloat",
    functor: "log(a)",
    reference: byKind({ real: Math.log, complex: complexLog }),
    domain: [0.01, 100],
    ulp: { float32: 2, float64: 1 },
    doc: "Natural logarithm of a; NaN below zero.",
    numpy: "np.log",
    example: "jl.log(jl.tensor([1, Math.E, 10]))",
  }),
  /** Square root of a; NaN below zero. */
  sqrt: unary({
    rule: "toFloat",
    functor: "sqrt(a)",
    reference: byKind({ real: Math.sqrt, complex: complexSqrt }),
    domain: [0, 100],
    ulp: { float32: 0, float64: 0 },
    doc: "Square root of a; NaN below zero.",
    numpy: "np.sqrt",
    example: "jl.sqrt(jl.tensor([1, 4, 2]))",
  }),
} as const satisfies Record<string, Op>;
