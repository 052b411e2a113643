// The parts of complex numbers.
import { binary, type Op, type Scalar, unary } from "./op.js";
import { byKind } from "./reference/scalar.js";

const exact = { float32: 0, float64: 0 } as const;

export const complexParts = {
  conj: unary({
    rule: "sameAsInput",
    functor: "a",
    overrides: { complex: "conj(a)" },
    slopes: { a: "1" },
    reference: byKind({ integer: (a) => a, real: (a) => a, complex: (a) => ({ re: a.re, im: -a.im }) }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Complex conjugate of a.",
    numpy: "np.conj",
    aliases: ["conjugate"],
    example: "jl.conj(jl.tensor([{ re: 1, im: 2 }])) // [{ re: 1, im: -2 }]",
  }),
  real: unary({
    rule: "toReal",
    functor: "a",
    overrides: { complex: "a.re" },
    slopes: { a: "1" },
    reference: byKind({ integer: (a) => a, real: (a) => a, complex: (a) => a.re }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Real part of a.",
    numpy: "np.real",
    example: "jl.real(jl.tensor([{ re: 1, im: 2 }])) // [1]",
  }),
  imag: unary({
    rule: "toReal",
    functor: "T(0)",
    overrides: { complex: "a.im" },
    slopes: { a: "0" },
    reference: byKind({ integer: () => 0n, real: () => 0, complex: (a) => a.im }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Imaginary part of a; 0 for real numbers.",
    numpy: "np.imag",
    example: "jl.imag(jl.tensor([{ re: 1, im: 2 }])) // [2]",
  }),
  complex: binary({
    rule: "toComplex",
    functor: "complex<T>(a, b)",
    reference: (re: Scalar, im: Scalar) => ({ re: Number(re), im: Number(im) }),
    domain: [-10, 10],
    ulp: exact,
    doc: "The complex number with real part a and imaginary part b.",
    numpy: "a + 1j * b",
    example: "jl.complex(jl.tensor([1, 2]), jl.tensor([0, 1])) // [{ re: 1, im: 0 }, { re: 2, im: 1 }]",
  }),
  polar: binary({
    rule: "toComplex",
    functor: "polar(a, b)",
    needs: ["numeric", "circular", "tangent", "complex-math"],
    reference: (r: Scalar, t: Scalar) => ({
      re: Number(r) * Math.cos(Number(t)),
      im: Number(r) * Math.sin(Number(t)),
    }),
    domain: [0, 10],
    ulp: { float32: 4, float64: 4 },
    doc: "The complex number with magnitude a and angle b.",
    numpy: "a * np.exp(1j * b)",
    example:
      "jl.polar(jl.tensor([1, 2]), jl.tensor([0, 1])) // [{ re: 1, im: 0 }, { re: 1.0806, im: 1.6829 }]",
  }),
  angle: unary({
    rule: "toFloatReal",
    functor: "isnan(a) ? a : a < T(0) ? T(3.141592653589793) : T(0)",
    overrides: { complex: "arg(a)" },
    slopes: { a: "0" },
    reference: byKind({
      real: (a) => (a < 0 ? Math.PI : Number.isNaN(a) ? a : 0),
      complex: (a) => Math.atan2(a.im, a.re),
    }),
    domain: [-10, 10],
    ulp: { float32: 3, float64: 2 },
    doc: "Angle of a in the complex plane, from -pi to pi.",
    numpy: "np.angle",
    example: "jl.angle(jl.tensor([{ re: 0, im: 2 }])) // [1.5708]",
  }),
} as const satisfies Record<string, Op>;
