// Bessel functions and the Airy function.
import { type Op, unary } from "./op.js";
import * as reference from "./reference/bessel.js";
import { onReals } from "./reference/scalar.js";

const terms = ["numeric", "precise-exp", "bessel-i-terms"] as const;
const modified = [...terms, "bessel-i"] as const;
const second = [...terms, "bessel-k"] as const;
const oscillating = ["numeric", "circular", "oscillation", "bessel-j"] as const;

export const bessel = {
  /** Modified Bessel function of the first kind of order 0. */
  i0: unary({
    rule: "toRealFloat",
    functor: "jl::i0(a)",
    needs: modified,
    heavy: ["float64"],
    reference: onReals(reference.i0),
    domain: [-20, 20],
    ulp: { float32: 3, float64: 3 },
    doc: "Modified Bessel function of the first kind of order 0.",
    numpy: "np.i0",
    example: "jl.i0(jl.tensor([0, 1, 10]))",
  }),
  /** Modified Bessel function of order 0 times e^-|a|. */
  i0e: unary({
    rule: "toRealFloat",
    functor: "jl::i0e(a)",
    needs: modified,
    heavy: ["float64"],
    reference: onReals(reference.i0e),
    domain: [-20, 20],
    ulp: { float32: 3, float64: 3 },
    doc: "Modified Bessel function of order 0 times e^-|a|.",
    numpy: "scipy.special.i0e",
    example: "jl.i0e(jl.tensor([0, 1, 10]))",
  }),
  /** Modified Bessel function of the first kind of order 1. */
  i1: unary({
    rule: "toRealFloat",
    functor: "jl::i1(a)",
    needs: modified,
    heavy: ["float64"],
    reference: onReals(reference.i1),
    domain: [-20, 20],
    ulp: { float32: 3, float64: 3 },
    doc: "Modified Bessel function of the first kind of order 1.",
    numpy: "scipy.special.i1",
    example: "jl.i1(jl.tensor([0, 1, 10]))",
  }),
  /** Modified Bessel function of order 1 times e^-|a|. */
  i1e: unary({
    rule: "toRealFloat",
    functor: "jl::i1e(a)",
    needs: modified,
    heavy: ["float64"],
    reference: onReals(reference.i1e),
    domain: [-20, 20],
    ulp: { float32: 3, float64: 3 },
    doc: "Modified Bessel function of order 1 times e^-|a|.",
    numpy: "scipy.special.i1e",
    example: "jl.i1e(jl.tensor([0, 1, 10]))",
  }),
  /** Modified Bessel function of the first kind of order 0, another name of i0. */
  modifiedBesselI0: unary({
    rule: "toRealFloat",
    functor: "jl::i0(a)",
    needs: modified,
    heavy: ["float64"],
    reference: onReals(reference.i0),
    domain: [-20, 20],
    ulp: { float32: 3, float64: 3 },
    doc: "Modified Bessel function of the first kind of order 0, another name of i0.",
    numpy: "scipy.special.i0",
    example: "jl.modifiedBesselI0(jl.tensor([0, 1, 10]))",
  }),
  /** Modified Bessel function of the first kind of order 1, another name of i1. */
  modifiedBesselI1: unary({
    rule: "toRealFloat",
    functor: "jl::i1(a)",
    needs: modified,
    heavy: ["float64"],
    reference: onReals(reference.i1),
    domain: [-20, 20],
    ulp: { float32: 3, float64: 3 },
    doc: "Modified Bessel function of the first kind of order 1, another name of i1.",
    numpy: "scipy.special.i1",
    example: "jl.modifiedBesselI1(jl.tensor([0, 1, 10]))",
  }),
  /** Modified Bessel function of the second kind of order 0. */
  modifiedBesselK0: unary({
    rule: "toRealFloat",
    functor: "jl::modified_bessel_k0(a)",
    needs: second,
    heavy: ["float64"],
    reference: onReals((a) => reference.besselK(0, a)),
    domain: [0.01, 20],
    ulp: { float32: 5, float64: 5 },
    doc: "Modified Bessel function of the second kind of order 0.",
    numpy: "scipy.special.k0",
    example: "jl.modifiedBesselK0(jl.tensor([0.5, 1, 10]))",
  }),
  /** Modified Bessel function of the second kind of order 1. */
  modifiedBesselK1: unary({
    rule: "toRealFloat",
    functor: "jl::modified_bessel_k1(a)",
    needs: second,
    heavy: ["float64"],
    reference: onReals((a) => reference.besselK(1, a)),
    domain: [0.01, 20],
    ulp: { float32: 5, float64: 5 },
    doc: "Modified Bessel function of the second kind of order 1.",
    numpy: "scipy.special.k1",
    example: "jl.modifiedBesselK1(jl.tensor([0.5, 1, 10]))",
  }),
  /** Modified Bessel function of the second kind of order 0 times e^a. */
  scaledModifiedBesselK0: unary({
    rule: "toRealFloat",
    functor: "jl::scaled_modified_bessel_k0(a)",
    needs: second,
    heavy: ["float64"],
    reference: onReals((a) => reference.scaledK(0, a)),
    domain: [0.01, 20],
    ulp: { float32: 5, float64: 5 },
    doc: "Modified Bessel function of the second kind of order 0 times e^a.",
    numpy: "scipy.special.k0e",
    example: "jl.scaledModifiedBesselK0(jl.tensor([0.5, 1, 10]))",
  }),
  /** Modified Bessel function of the second kind of order 1 times e^a. */
  scaledModifiedBesselK1: unary({
    rule: "toRealFloat",
    functor: "jl::scaled_modified_bessel_k1(a)",
    needs: second,
    heavy: ["float64"],
    reference: onReals((a) => reference.scaledK(1, a)),
    domain: [0.01, 20],
    ulp: { float32: 5, float64: 5 },
    doc: "Modified Bessel function of the second kind of order 1 times e^a.",
    numpy: "scipy.special.k1e",
    example: "jl.scaledModifiedBesselK1(jl.tensor([0.5, 1, 10]))",
  }),
  /** Bessel function of the first kind of order 0. */
  besselJ0: unary({
    rule: "toRealFloat",
    functor: "jl::bessel_j0(a)",
    needs: oscillating,
    heavy: true,
    reference: onReals((a) => reference.besselJ(0, a)),
    domain: [-30, 30],
    ulp: { float32: 6, float64: 6 },
    doc: "Bessel function of the first kind of order 0.",
    numpy: "scipy.special.j0",
    example: "jl.besselJ0(jl.tensor([0.5, 1, 10]))",
  }),
  /** Bessel function of the first kind of order 1. */
  besselJ1: unary({
    rule: "toRealFloat",
    functor: "jl::bessel_j1(a)",
    needs: oscillating,
    heavy: true,
    reference: onReals((a) => reference.besselJ(1, a)),
    domain: [-30, 30],
    ulp: { float32: 6, float64: 6 },
    doc: "Bessel function of the first kind of order 1.",
    numpy: "scipy.special.j1",
    example: "jl.besselJ1(jl.tensor([0.5, 1, 10]))",
  }),
  /** Bessel function of the second kind of order 0; NaN below 0. */
  besselY0: unary({
    rule: "toRealFloat",
    functor: "jl::bessel_y0(a)",
    needs: oscillating,
    heavy: true,
    reference: onReals(reference.besselY0),
    domain: [0.01, 30],
    ulp: { float32: 6, float64: 6 },
    doc: "Bessel function of the second kind of order 0; NaN below 0.",
    numpy: "scipy.special.y0",
    example: "jl.besselY0(jl.tensor([0.5, 1, 10]))",
  }),
  /** Bessel function of the second kind of order 1; NaN below 0. */
  besselY1: unary({
    rule: "toRealFloat",
    functor: "jl::bessel_y1(a)",
    needs: oscillating,
    heavy: true,
    reference: onReals(reference.besselY1),
    domain: [0.01, 30],
    ulp: { float32: 6, float64: 6 },
    doc: "Bessel function of the second kind of order 1; NaN below 0.",
    numpy: "scipy.special.y1",
    example: "jl.besselY1(jl.tensor([0.5, 1, 10]))",
  }),
  /** Spherical Bessel function of the first kind of order 0, sin(a) / a. */
  sphericalBesselJ0: unary({
    rule: "toRealFloat",
    functor: "jl::spherical_bessel_j0(a)",
    needs: ["numeric", "circular", "spherical"],
    heavy: true,
    reference: onReals((a) => (a === 0 ? 1 : Number.isFinite(a) ? Math.sin(a) / a : 0 / Math.abs(a))),
    domain: [-30, 30],
    ulp: { float32: 2, float64: 2 },
    doc: "Spherical Bessel function of the first kind of order 0, sin(a) / a.",
    numpy: "scipy.special.spherical_jn(0, x)",
    example: "jl.sphericalBesselJ0(jl.tensor([0.5, 1, 10]))",
  }),
  /** Airy function Ai. */
  airyAi: unary({
    rule: "toRealFloat",
    functor: "jl::airy_ai(a)",
    needs: ["numeric", "circular", "oscillation", "airy"],
    heavy: true,
    reference: onReals(reference.airyAi),
    domain: [-5, 8],
    ulp: { float32: 6, float64: 6 },
    doc: "Airy function Ai.",
    numpy: "scipy.special.airy",
    example: "jl.airyAi(jl.tensor([-2, 0, 2]))",
  }),
} as const satisfies Record<string, Op>;
