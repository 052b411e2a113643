// The gamma function's logarithm and its derivatives.
import { type Op, unary } from "./op.js";
import * as reference from "./reference/gamma.js";
import { onReals } from "./reference/scalar.js";

const needs = ["numeric", "precise", "gamma"] as const;

export const gamma = {
  /** Logarithm of the magnitude of the gamma function. */
  lgamma: unary({
    rule: "toRealFloat",
    functor: "jl::lgamma(a)",
    needs,
    reference: onReals(reference.lgamma),
    domain: [-20, 40],
    ulp: { float32: 4, float64: 4 },
    doc: "Logarithm of the magnitude of the gamma function.",
    numpy: "scipy.special.gammaln",
    example: "jl.lgamma(jl.tensor([0.5, 1, 5]))",
  }),
  /** Derivative of the logarithm of the gamma function. */
  digamma: unary({
    rule: "toRealFloat",
    functor: "jl::digamma(a)",
    needs,
    reference: onReals(reference.digamma),
    domain: [-20, 40],
    ulp: { float32: 4, float64: 4 },
    doc: "Derivative of the logarithm of the gamma function.",
    numpy: "scipy.special.digamma",
    example: "jl.digamma(jl.tensor([0.5, 1, 5]))",
  }),
  /** Second derivative of the logarithm of the gamma function. */
  trigamma: unary({
    rule: "toRealFloat",
    functor: "jl::trigamma(a)",
    needs,
    reference: onReals(reference.trigamma),
    domain: [-20, 40],
    ulp: { float32: 8, float64: 8 },
    doc: "Second derivative of the logarithm of the gamma function.",
    numpy: "scipy.special.polygamma(1, x)",
    example: "jl.trigamma(jl.tensor([0.5, 1, 5]))",
  }),
} as const satisfies Record<string, Op>;
