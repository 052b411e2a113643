// Circular and hyperbolic functions, and their inverses.
import { binary, type Op, unary } from "./op.js";
import * as complex from "./reference/complex.js";
import { sinPi } from "./reference/gamma.js";
import { byKind, type Complex, onReals } from "./reference/scalar.js";

const complexMath = ["numeric", "circular", "tangent", "complex-math"] as const;
const hyperbolic = ["numeric", "precise-exp", "precise-log", "hyperbolic"] as const;

const sinc = (a: number): number => (a === 0 ? 1 : sinPi(a) / (Math.PI * a));
const complexSinc = (a: Complex): Complex => {
  const angle = complex.complexScale(a, Math.PI);
  return a.re === 0 && a.im === 0
    ? { re: 1, im: 0 }
    : complex.complexDivide(complex.complexSin(angle), angle);
};

export const trigonometric = {
  /** Sine of a in radians. */
  sin: unary({
    rule: "toFloat",
    functor: "jl::sin(a)",
    overrides: { complex: "sin(a)" },
    plain: { float32: { when: "jl::is_small_angle(a)", functor: "jl::small_sin(a)" } },
    needs: ["numeric", "circular"],
    needsFor: { complex: complexMath },
    reference: byKind({ real: Math.sin, complex: complex.complexSin }),
    domain: [-20, 20],
    ulp: { float32: 2, float64: 2 },
    doc: "Sine of a in radians.",
    numpy: "np.sin",
    example: "jl.sin(jl.linspace(0, Math.PI, 5))",
  }),
  /** Cosine of a in radians. */
  cos: unary({
    rule: "toFloat",
    functor: "jl::cos(a)",
    overrides: { complex: "cos(a)" },
    plain: { float32: { when: "jl::is_small_angle(a)", functor: "jl::small_cos(a)" } },
    needs: ["numeric", "circular"],
    needsFor: { complex: complexMath },
    reference: byKind({ real: Math.cos, complex: complex.complexCos }),
    domain: [-20, 20],
    ulp: { float32: 2, float64: 2 },
    doc: "Cosine of a in radians.",
    numpy: "np.cos",
    example: "jl.cos(jl.linspace(0, Math.PI, 5))",
  }),
  /** Tangent of a in radians. */
  tan: unary({
    rule: "toFloat",
    functor: "jl::tan(a)",
    overrides: { complex: "tan(a)" },
    needs: ["numeric", "circular", "tangent"],
    needsFor: { complex: complexMath },
    reference: byKind({ real: Math.tan, complex: complex.complexTan }),
    domain: [-20, 20],
    ulp: { float32: 2, float64: 2 },
    doc: "Tangent of a in radians.",
    numpy: "np.tan",
    example: "jl.tan(jl.linspace(0, 1, 5))",
  }),
  /** Angle whose sine is a, from -pi/2 to pi/2. */
  asin: unary({
    rule: "toFloat",
    functor: "asin(a)",
    needsFor: { complex: complexMath },
    reference: byKind({ real: Math.asin, complex: complex.complexAsin }),
    domain: [-1, 1],
    ulp: { float32: 2, float64: 2 },
    doc: "Angle whose sine is a, from -pi/2 to pi/2.",
    numpy: "np.arcsin",
    example: "jl.asin(jl.linspace(-1, 1, 5))",
  }),
  /** Angle whose cosine is a, from 0 to pi. */
  acos: unary({
    rule: "toFloat",
    functor: "acos(a)",
    needsFor: { complex: complexMath },
    reference: byKind({ real: Math.acos, complex: complex.complexAcos }),
    domain: [-1, 1],
    ulp: { float32: 2, float64: 2 },
    doc: "Angle whose cosine is a, from 0 to pi.",
    numpy: "np.arccos",
    example: "jl.acos(jl.linspace(-1, 1, 5))",
  }),
  /** Angle whose tangent is a, from -pi/2 to pi/2. */
  atan: unary({
    rule: "toFloat",
    functor: "atan(a)",
    needsFor: { complex: complexMath },
    reference: byKind({ real: Math.atan, complex: complex.complexAtan }),
    domain: [-20, 20],
    ulp: { float32: 2, float64: 2 },
    doc: "Angle whose tangent is a, from -pi/2 to pi/2.",
    numpy: "np.arctan",
    example: "jl.atan(jl.linspace(-1, 1, 5))",
  }),
  /** Hyperbolic sine of a. */
  sinh: unary({
    rule: "toFloat",
    functor: "jl::precise_sinh(a)",
    overrides: { complex: "sinh(a)" },
    needs: hyperbolic,
    needsFor: { complex: complexMath },
    heavy: ["float64"],
    reference: byKind({ real: Math.sinh, complex: complex.complexSinh }),
    domain: [-8, 8],
    ulp: { float32: 2, float64: 2 },
    doc: "Hyperbolic sine of a.",
    numpy: "np.sinh",
    example: "jl.sinh(jl.linspace(-1, 1, 5))",
  }),
  /** Hyperbolic cosine of a. */
  cosh: unary({
    rule: "toFloat",
    functor: "jl::precise_cosh(a)",
    overrides: { complex: "cosh(a)" },
    needs: hyperbolic,
    needsFor: { complex: complexMath },
    heavy: ["float64"],
    reference: byKind({ real: Math.cosh, complex: complex.complexCosh }),
    domain: [-8, 8],
    ulp: { float32: 2, float64: 2 },
    doc: "Hyperbolic cosine of a.",
    numpy: "np.cosh",
    example: "jl.cosh(jl.linspace(-1, 1, 5))",
  }),
  /** Hyperbolic tangent of a. */
  tanh: unary({
    rule: "toFloat",
    functor: "tanh(a)",
    overrides: { float64: "jl::precise_tanh(a)" },
    needsFor: { float64: hyperbolic, complex: complexMath },
    heavy: ["float64"],
    reference: byKind({ real: Math.tanh, complex: complex.complexTanh }),
    domain: [-8, 8],
    ulp: { float32: 2, float64: 2 },
    doc: "Hyperbolic tangent of a.",
    numpy: "np.tanh",
    example: "jl.tanh(jl.linspace(-2, 2, 5))",
  }),
  /** Inverse hyperbolic sine of a. */
  asinh: unary({
    rule: "toFloat",
    functor: "asinh(a)",
    needsFor: { complex: complexMath },
    reference: byKind({ real: Math.asinh, complex: complex.complexAsinh }),
    domain: [-20, 20],
    ulp: { float32: 3, float64: 3 },
    doc: "Inverse hyperbolic sine of a.",
    numpy: "np.arcsinh",
    example: "jl.asinh(jl.linspace(-1, 1, 5))",
  }),
  /** Inverse hyperbolic cosine of a; NaN below 1. */
  acosh: unary({
    rule: "toFloat",
    functor: "acosh(a)",
    needsFor: { complex: complexMath },
    reference: byKind({ real: Math.acosh, complex: complex.complexAcosh }),
    domain: [1, 20],
    ulp: { float32: 4, float64: 3 },
    doc: "Inverse hyperbolic cosine of a; NaN below 1.",
    numpy: "np.arccosh",
    example: "jl.acosh(jl.linspace(1, 3, 5))",
  }),
  /** Inverse hyperbolic tangent of a; NaN beyond 1. */
  atanh: unary({
    rule: "toFloat",
    functor: "jl::precise_atanh(a)",
    overrides: { complex: "atanh(a)" },
    needs: hyperbolic,
    needsFor: { complex: complexMath },
    heavy: ["float64"],
    reference: byKind({ real: Math.atanh, complex: complex.complexAtanh }),
    domain: [-0.99, 0.99],
    ulp: { float32: 2, float64: 2 },
    doc: "Inverse hyperbolic tangent of a; NaN beyond 1.",
    numpy: "np.arctanh",
    example: "jl.atanh(jl.linspace(-0.5, 0.5, 5))",
  }),
  /** sin(pi a) / (pi a), and 1 at 0. */
  sinc: unary({
    rule: "toFloat",
    functor: "jl::sinc(a)",
    needs: ["numeric", "precise-circular", "sinc"],
    needsFor: { complex: ["numeric", "circular", "tangent", "complex-math", "precise-circular", "sinc"] },
    reference: byKind({ real: sinc, complex: complexSinc }),
    domain: [-20, 20],
    ulp: { float32: 2, float64: 2 },
    doc: "sin(pi a) / (pi a), and 1 at 0.",
    numpy: "np.sinc",
    example: "jl.sinc(jl.linspace(-2, 2, 5))",
  }),
  /** Angle of the point with ordinate a and abscissa b, from -pi to pi. */
  atan2: binary({
    rule: "toRealFloat",
    functor: "atan2(a, b)",
    reference: onReals(Math.atan2),
    domain: [-10, 10],
    ulp: { float32: 3, float64: 2 },
    doc: "Angle of the point with ordinate a and abscissa b, from -pi to pi.",
    numpy: "np.arctan2",
    example: "jl.atan2(jl.tensor([1, -1]), jl.tensor([1, -1]))",
  }),
  /** Radians of an angle a in degrees. */
  deg2rad: unary({
    rule: "toRealFloat",
    functor: "a * T(0.017453292519943295)",
    reference: onReals((a) => a * (Math.PI / 180)),
    domain: [-360, 360],
    ulp: { float32: 1, float64: 1 },
    doc: "Radians of an angle a in degrees.",
    numpy: "np.deg2rad",
    example: "jl.deg2rad(jl.tensor([90, 180]))",
  }),
  /** Degrees of an angle a in radians. */
  rad2deg: unary({
    rule: "toRealFloat",
    functor: "a * T(57.29577951308232)",
    reference: onReals((a) => a * (180 / Math.PI)),
    domain: [-7, 7],
    ulp: { float32: 1, float64: 1 },
    doc: "Degrees of an angle a in radians.",
    numpy: "np.rad2deg",
    example: "jl.rad2deg(jl.tensor([Math.PI, 1]))",
  }),
} as const satisfies Record<string, Op>;
