// Orthogonal polynomials; the second argument is the degree, 0 where it is negative.
import { binary, type Op } from "./op.js";
import * as reference from "./reference/polynomials.js";
import { onReals } from "./reference/scalar.js";

const needs = ["numeric", "circular", "polynomials"] as const;

export const polynomials = {
  /** Chebyshev's polynomial of the first kind of degree b. */
  chebyshevPolynomialT: binary({
    rule: "toRealFloat",
    functor: "jl::chebyshev_t(a, b)",
    operands: ["common", "int32"],
    needs,
    reference: onReals(reference.chebyshevT),
    domain: [-1, 1],
    ulp: { float32: 16, float64: 16 },
    doc: "Chebyshev's polynomial of the first kind of degree b.",
    numpy: "scipy.special.eval_chebyt(n, x)",
    example: "jl.chebyshevPolynomialT(jl.tensor([0.25, 0.5, 0.75]), 3)",
  }),
  /** Chebyshev's polynomial of the second kind of degree b. */
  chebyshevPolynomialU: binary({
    rule: "toRealFloat",
    functor: "jl::chebyshev_u(a, b)",
    operands: ["common", "int32"],
    needs,
    reference: onReals(reference.chebyshevU),
    domain: [-1, 1],
    ulp: { float32: 16, float64: 16 },
    doc: "Chebyshev's polynomial of the second kind of degree b.",
    numpy: "scipy.special.eval_chebyu(n, x)",
    example: "jl.chebyshevPolynomialU(jl.tensor([0.25, 0.5, 0.75]), 3)",
  }),
  /** Chebyshev's polynomial of the third kind of degree b. */
  chebyshevPolynomialV: binary({
    rule: "toRealFloat",
    functor: "jl::chebyshev_v(a, b)",
    operands: ["common", "int32"],
    needs,
    reference: onReals(reference.chebyshevV),
    domain: [-1, 1],
    ulp: { float32: 16, float64: 16 },
    doc: "Chebyshev's polynomial of the third kind of degree b.",
    example: "jl.chebyshevPolynomialV(jl.tensor([0.25, 0.5, 0.75]), 3)",
  }),
  /** Chebyshev's polynomial of the fourth kind of degree b. */
  chebyshevPolynomialW: binary({
    rule: "toRealFloat",
    functor: "jl::chebyshev_w(a, b)",
    operands: ["common", "int32"],
    needs,
    reference: onReals(reference.chebyshevW),
    domain: [-1, 1],
    ulp: { float32: 16, float64: 16 },
    doc: "Chebyshev's polynomial of the fourth kind of degree b.",
    example: "jl.chebyshevPolynomialW(jl.tensor([0.25, 0.5, 0.75]), 3)",
  }),
  /** Chebyshev's polynomial of the first kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialT: binary({
    rule: "toRealFloat",
    functor: "jl::chebyshev_t(T(2) * a - T(1), b)",
    operands: ["common", "int32"],
    needs,
    reference: onReals(reference.shifted(reference.chebyshevT)),
    domain: [0, 1],
    ulp: { float32: 16, float64: 16 },
    doc: "Chebyshev's polynomial of the first kind of degree b, moved to the interval from 0 to 1.",
    numpy: "scipy.special.eval_sh_chebyt(n, x)",
    example: "jl.shiftedChebyshevPolynomialT(jl.tensor([0.25, 0.5, 0.75]), 3)",
  }),
  /** Chebyshev's polynomial of the second kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialU: binary({
    rule: "toRealFloat",
    functor: "jl::chebyshev_u(T(2) * a - T(1), b)",
    operands: ["common", "int32"],
    needs,
    reference: onReals(reference.shifted(reference.chebyshevU)),
    domain: [0, 1],
    ulp: { float32: 16, float64: 16 },
    doc: "Chebyshev's polynomial of the second kind of degree b, moved to the interval from 0 to 1.",
    numpy: "scipy.special.eval_sh_chebyu(n, x)",
    example: "jl.shiftedChebyshevPolynomialU(jl.tensor([0.25, 0.5, 0.75]), 3)",
  }),
  /** Chebyshev's polynomial of the third kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialV: binary({
    rule: "toRealFloat",
    functor: "jl::chebyshev_v(T(2) * a - T(1), b)",
    operands: ["common", "int32"],
    needs,
    reference: onReals(reference.shifted(reference.chebyshevV)),
    domain: [0, 1],
    ulp: { float32: 16, float64: 16 },
    doc: "Chebyshev's polynomial of the third kind of degree b, moved to the interval from 0 to 1.",
    example: "jl.shiftedChebyshevPolynomialV(jl.tensor([0.25, 0.5, 0.75]), 3)",
  }),
  /** Chebyshev's polynomial of the fourth kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialW: binary({
    rule: "toRealFloat",
    functor: "jl::chebyshev_w(T(2) * a - T(1), b)",
    operands: ["common", "int32"],
    needs,
    reference: onReals(reference.shifted(reference.chebyshevW)),
    domain: [0, 1],
    ulp: { float32: 16, float64: 16 },
    doc: "Chebyshev's polynomial of the fourth kind of degree b, moved to the interval from 0 to 1.",
    example: "jl.shiftedChebyshevPolynomialW(jl.tensor([0.25, 0.5, 0.75]), 3)",
  }),
  /** Hermite's polynomial of degree b, as physicists scale it. */
  hermitePolynomialH: binary({
    rule: "toRealFloat",
    functor: "jl::hermite(a, b, T(2))",
    operands: ["common", "int32"],
    needs,
    reference: onReals(reference.hermiteH),
    domain: [-2, 2],
    ulp: { float32: 16, float64: 16 },
    doc: "Hermite's polynomial of degree b, as physicists scale it.",
    numpy: "scipy.special.eval_hermite(n, x)",
    example: "jl.hermitePolynomialH(jl.tensor([0.25, 0.5, 0.75]), 3)",
  }),
  /** Hermite's polynomial of degree b, as statisticians scale it. */
  hermitePolynomialHe: binary({
    rule: "toRealFloat",
    functor: "jl::hermite(a, b, T(1))",
    operands: ["common", "int32"],
    needs,
    reference: onReals(reference.hermiteHe),
    domain: [-2, 2],
    ulp: { float32: 16, float64: 16 },
    doc: "Hermite's polynomial of degree b, as statisticians scale it.",
    numpy: "scipy.special.eval_hermitenorm(n, x)",
    example: "jl.hermitePolynomialHe(jl.tensor([0.25, 0.5, 0.75]), 3)",
  }),
  /** Laguerre's polynomial of degree b. */
  laguerrePolynomialL: binary({
    rule: "toRealFloat",
    functor: "jl::laguerre(a, b)",
    operands: ["common", "int32"],
    needs,
    reference: onReals(reference.laguerre),
    domain: [0, 4],
    ulp: { float32: 16, float64: 16 },
    doc: "Laguerre's polynomial of degree b.",
    numpy: "scipy.special.eval_laguerre(n, x)",
    example: "jl.laguerrePolynomialL(jl.tensor([0.25, 0.5, 0.75]), 3)",
  }),
  /** Legendre's polynomial of degree b. */
  legendrePolynomialP: binary({
    rule: "toRealFloat",
    functor: "jl::legendre(a, b)",
    operands: ["common", "int32"],
    needs,
    reference: onReals(reference.legendre),
    domain: [-1, 1],
    ulp: { float32: 16, float64: 16 },
    doc: "Legendre's polynomial of degree b.",
    numpy: "scipy.special.eval_legendre(n, x)",
    example: "jl.legendrePolynomialP(jl.tensor([0.25, 0.5, 0.75]), 3)",
  }),
} as const satisfies Record<string, Op>;
