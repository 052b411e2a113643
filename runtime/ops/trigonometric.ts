// Circular and hyperbolic functions, and their inverses.
import { type Op, unary } from "./op.js";
import { complexCos, complexSin, complexTanh } from "./reference/complex.js";
import { byKind } from "./reference/scalar.js";

export const trigonometric = {
  /** Sine of a in radians. */
  sin: unary({
    rule: "toFloat",
    functor: "sin(a)",
    reference: byKind({ real: Math.sin, complex: complexSin }),
    domain: [-20, 20],
    ulp: { float32: 2, float64: 2 },
    doc: "Sine of a in radians.",
    numpy: "np.sin",
    example: "jl.sin(jl.linspace(0, Math.PI, 5))",
  }),
  /** Cosine of a in radians. */
  cos: unary({
    rule: "toFloat",
    functor: "cos(a)",
    reference: byKind({ real: Math.cos, complex: complexCos }),
    domain: [-20, 20],
    ulp: { float32: 2, float64: 2 },
    doc: "Cosine of a in radians.",
    numpy: "np.cos",
    example: "jl.cos(jl.linspace(0, Math.PI, 5))",
  }),
  /** Hyperbolic tangent of a. */
  tanh: unary({
    rule: "toFloat",
    functor: "tanh(a)",
    reference: byKind({ real: Math.tanh, complex: complexTanh }),
    domain: [-8, 8],
    ulp: { float32: 2, float64: 2 },
    doc: "Hyperbolic tangent of a.",
    numpy: "np.tanh",
    example: "jl.tanh(jl.linspace(-2, 2, 5))",
  }),
} as const satisfies Record<string, Op>;
