// The gamma function's logarithm and its derivatives, and Hurwitz's zeta function.
import { binary, type Op, unary } from "./op.js";
import * as reference from "./reference/gamma.js";
import { onReals } from "./reference/scalar.js";

const base = ["numeric", "precise-log", "precise-circular"] as const;
const quick = ["reciprocal.cuda", "log-sum.cuda"] as const;
const zeta = ["zeta-terms", "zeta-positive", "zeta-whole", "zeta-below", "zeta"] as const;
const psi = [...base, ...quick, "digamma", "digamma-quick"] as const;
const polygammaNeeds = [...psi, "trigamma", "trigamma-float", ...zeta, "polygamma"] as const;
const incompleteNeeds = [
  ...base,
  "reciprocal.cuda",
  "precise-exp",
  "error-function",
  "lgamma",
  "log1p-rest",
  "incomplete-gamma",
  "short-gamma",
] as const;
/** The form of a function for ordinary arguments. */
const overShort = (name: string) => {
  const form = { when: `jl::is_short_${name}(a, b)`, functor: `jl::short_${name}(a, b)` };
  return { float32: form, float64: form };
};

export const gamma = {
  lgamma: unary({
    rule: "toRealFloat",
    functor: "lanes::lgamma(a)",
    halves: "halves::lgamma(a)",
    needs: [...base, ...quick, "lgamma", "lgamma-quick", "lanes-log", "lanes-lgamma"],
    heavy: ["float64"],
    reference: onReals(reference.lgamma),
    domain: [-20, 40],
    ulp: { float32: 2, float64: 2 },
    doc: "Logarithm of the magnitude of the gamma function.",
    formula: "log |Γ(a)|",
    numpy: "scipy.special.gammaln",
    aliases: ["gammaln"],
    example: "jl.lgamma(jl.tensor([0.5, 1, 5])) // [0.57236, 0, 3.1781]",
  }),
  digamma: unary({
    rule: "toRealFloat",
    functor: "jl::digamma(a)",
    needs: psi,
    heavy: true,
    reference: onReals(reference.digamma),
    domain: [-20, 40],
    ulp: { float32: 2, float64: 2 },
    doc: "Derivative of the logarithm of the gamma function.",
    formula: "ψ(a) = Γ'(a) / Γ(a)",
    numpy: "scipy.special.digamma",
    aliases: ["psi"],
    example: "jl.digamma(jl.tensor([0.5, 1, 5])) // [-1.9635, -0.57722, 1.5061]",
  }),
  trigamma: unary({
    rule: "toRealFloat",
    functor: "jl::trigamma(a)",
    needs: ["numeric", "precise-circular", "trigamma", "trigamma-float"],
    heavy: true,
    reference: onReals(reference.trigamma),
    domain: [-20, 40],
    ulp: { float32: 3, float64: 3 },
    doc: "Second derivative of the logarithm of the gamma function.",
    formula: "ψ'(a) = Σ 1 / (a + k)² over k from 0",
    numpy: "scipy.special.polygamma(1, x)",
    example: "jl.trigamma(jl.tensor([0.5, 1, 5])) // [4.9348, 1.6449, 0.22132]",
  }),
  polygamma: binary({
    rule: "toRealFloat",
    functor: "jl::polygamma(a, b)",
    plain: overShort("polygamma"),
    operands: ["int32", "common"],
    needs: polygammaNeeds,
    heavy: true,
    reference: onReals(reference.polygamma),
    domain: [1, 9],
    ulp: { float32: 16, float64: 16 },
    doc: "Derivative of order a of digamma at b; a is a whole number.",
    formula: "the derivative of order a of ψ(b); (-1)^(a+1) a! ζ(a + 1, b)",
    numpy: "scipy.special.polygamma",
    example: "jl.polygamma(2, jl.tensor([0.5, 1, 5])) // [-16.829, -2.4041, -0.04879]",
  }),
  zeta: binary({
    rule: "toRealFloat",
    functor: "jl::zeta(a, b)",
    plain: overShort("zeta"),
    needs: ["numeric", ...zeta],
    heavy: true,
    reference: onReals(reference.zeta),
    domain: [1.1, 20],
    ulp: { float32: 16, float64: 16 },
    doc: "Hurwitz's zeta function: the sum of (b + k)^-a over k from 0.",
    formula: "ζ(a, b) = Σ (b + k)^-a over k from 0",
    numpy: "scipy.special.zeta",
    example: "jl.zeta(jl.tensor([2, 3, 4]), 1) // [1.6449, 1.2021, 1.0823]",
  }),
  gammainc: binary({
    rule: "toRealFloat",
    functor: "jl::gammainc(a, b)",
    plain: overShort("gammainc"),
    needs: incompleteNeeds,
    heavy: true,
    reference: onReals(reference.gammainc),
    domain: [0.5, 12],
    ulp: { float32: 4, float64: 8 },
    doc: "Regularized lower incomplete gamma function of order a at b.",
    formula: "P(a, b) = 1 / Γ(a) ∫ t^(a-1) e^-t dt from 0 to b",
    numpy: "scipy.special.gammainc",
    aliases: ["igamma"],
    example: "jl.gammainc(2, jl.tensor([0.5, 1, 5])) // [0.090204, 0.26424, 0.95957]",
  }),
  gammaincc: binary({
    rule: "toRealFloat",
    functor: "jl::gammaincc(a, b)",
    plain: overShort("gammaincc"),
    needs: incompleteNeeds,
    heavy: true,
    reference: onReals((a, x) => 1 - reference.gammainc(a, x)),
    domain: [4, 12],
    ulp: { float32: 4, float64: 8 },
    doc: "Regularized upper incomplete gamma function of order a at b.",
    formula: "Q(a, b) = 1 / Γ(a) ∫ t^(a-1) e^-t dt from b to ∞",
    numpy: "scipy.special.gammaincc",
    aliases: ["igammac"],
    example: "jl.gammaincc(2, jl.tensor([0.5, 1, 5])) // [0.9098, 0.73576, 0.040428]",
  }),
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
    formula: "log Γ_b(a) = b (b - 1) / 4 log π + Σ log Γ(a - (k - 1) / 2) over k from 1 to b",
    numpy: "scipy.special.multigammaln",
    aliases: ["mvlgamma"],
    example: "jl.multigammaln(jl.tensor([3, 4, 5]), 2) // [1.5502, 3.5651, 6.2042]",
  }),
} as const satisfies Record<string, Op>;
