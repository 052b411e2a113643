// The gamma function's logarithm and its derivatives, and Hurwitz's zeta function.
import { binary, type Op, unary } from "./op.js";
import * as reference from "./reference/gamma.js";
import { onReals } from "./reference/scalar.js";

const base = ["numeric", "precise-log", "precise-circular"] as const;
const zeta = ["zeta-terms", "zeta-positive", "zeta"] as const;
const polygammaNeeds = [...base, "digamma", "trigamma", ...zeta, "polygamma"] as const;
const incompleteNeeds = [...base, "precise-exp", "error-function", "lgamma", "incomplete-gamma"] as const;

export const gamma = {
  /** Logarithm of the magnitude of the gamma function. */
  lgamma: unary({
    rule: "toRealFloat",
    functor: "jl::lgamma(a)",
    needs: [...base, "lgamma"],
    heavy: ["float64"],
    reference: onReals(reference.lgamma),
    domain: [-20, 40],
    ulp: { float32: 2, float64: 2 },
    doc: "Logarithm of the magnitude of the gamma function.",
    numpy: "scipy.special.gammaln",
    example: "jl.lgamma(jl.tensor([0.5, 1, 5]))",
  }),
  /** Derivative of the logarithm of the gamma function. */
  digamma: unary({
    rule: "toRealFloat",
    functor: "jl::digamma(a)",
    needs: [...base, "digamma"],
    heavy: true,
    reference: onReals(reference.digamma),
    domain: [-20, 40],
    ulp: { float32: 2, float64: 2 },
    doc: "Derivative of the logarithm of the gamma function.",
    numpy: "scipy.special.digamma",
    example: "jl.digamma(jl.tensor([0.5, 1, 5]))",
  }),
  /** Second derivative of the logarithm of the gamma function. */
  trigamma: unary({
    rule: "toRealFloat",
    functor: "jl::trigamma(a)",
    needs: ["numeric", "precise-circular", "trigamma"],
    heavy: true,
    reference: onReals(reference.trigamma),
    domain: [-20, 40],
    ulp: { float32: 3, float64: 3 },
    doc: "Second derivative of the logarithm of the gamma function.",
    numpy: "scipy.special.polygamma(1, x)",
    example: "jl.trigamma(jl.tensor([0.5, 1, 5]))",
  }),
  /** Derivative of order a of digamma at b; a is a whole number. */
  polygamma: binary({
    rule: "toRealFloat",
    functor: "jl::polygamma(a, b)",
    operands: ["int32", "common"],
    needs: polygammaNeeds,
    heavy: true,
    reference: onReals(reference.polygamma),
    domain: [1, 9],
    ulp: { float32: 16, float64: 16 },
    doc: "Derivative of order a of digamma at b; a is a whole number.",
    numpy: "scipy.special.polygamma",
    example: "jl.polygamma(2, jl.tensor([0.5, 1, 5]))",
  }),
  /** Hurwitz's zeta function: the sum of (b + k)^-a over k from 0. */
  zeta: binary({
    rule: "toRealFloat",
    functor: "jl::zeta(a, b)",
    needs: ["numeric", ...zeta],
    heavy: true,
    reference: onReals(reference.zeta),
    domain: [1.1, 20],
    ulp: { float32: 16, float64: 16 },
    doc: "Hurwitz's zeta function: the sum of (b + k)^-a over k from 0.",
    numpy: "scipy.special.zeta",
    example: "jl.zeta(jl.tensor([2, 3, 4]), 1)",
  }),
  /** Share of the gamma integral of order a below b. */
  gammainc: binary({
    rule: "toRealFloat",
    functor: "jl::gammainc(a, b)",
    needs: incompleteNeeds,
    heavy: true,
    reference: onReals(reference.gammainc),
    domain: [0.5, 12],
    ulp: { float32: 4, float64: 8 },
    doc: "Share of the gamma integral of order a below b.",
    numpy: "scipy.special.gammainc",
    example: "jl.gammainc(2, jl.tensor([0.5, 1, 5]))",
  }),
  /** Share of the gamma integral of order a above b. */
  gammaincc: binary({
    rule: "toRealFloat",
    functor: "jl::gammaincc(a, b)",
    needs: incompleteNeeds,
    heavy: true,
    reference: onReals((a, x) => 1 - reference.gammainc(a, x)),
    domain: [4, 12],
    ulp: { float32: 4, float64: 8 },
    doc: "Share of the gamma integral of order a above b.",
    numpy: "scipy.special.gammaincc",
    example: "jl.gammaincc(2, jl.tensor([0.5, 1, 5]))",
  }),
  /** Logarithm of the multivariate gamma function of b dimensions. */
  multigammaln: binary({
    rule: "toRealFloat",
    functor: "jl::multigammaln(a, b)",
    operands: ["common", "int32"],
    needs: incompleteNeeds,
    heavy: true,
    reference: onReals(reference.multigammaln),
    domain: [3, 40],
    ulp: { float32: 2, float64: 2 },
    doc: "Logarithm of the multivariate gamma function of b dimensions.",
    numpy: "scipy.special.multigammaln",
    example: "jl.multigammaln(jl.tensor([3, 4, 5]), 2)",
  }),
} as const satisfies Record<string, Op>;
