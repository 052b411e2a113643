// The error function, its inverse and the normal distribution.
import { type Op, unary } from "./op.js";
import * as reference from "./reference/error-function.js";
import { onReals } from "./reference/scalar.js";

const needs = ["numeric", "precise-exp", "error-function"] as const;
const inverse = ["numeric", "precise-log", "error-inverse"] as const;

export const errorFunction = {
  erf: unary({
    rule: "toRealFloat",
    functor: "jl::erf(a)",
    needs,
    heavy: ["float64"],
    reference: onReals(reference.erf),
    domain: [-4, 4],
    ulp: { float32: 2, float64: 2 },
    doc: "Error function.",
    numpy: "scipy.special.erf",
    example: "jl.erf(jl.tensor([0.25, 0.5, 0.75]))",
  }),
  erfc: unary({
    rule: "toRealFloat",
    functor: "jl::erfc(a)",
    needs,
    heavy: ["float64"],
    reference: onReals(reference.erfc),
    domain: [-4, 8],
    ulp: { float32: 2, float64: 2 },
    doc: "Complement of the error function, 1 - erf(a), without cancellation.",
    numpy: "scipy.special.erfc",
    example: "jl.erfc(jl.tensor([0.25, 0.5, 0.75]))",
  }),
  erfcx: unary({
    rule: "toRealFloat",
    functor: "jl::erfcx(a)",
    needs,
    heavy: ["float64"],
    reference: onReals(reference.erfcx),
    domain: [-4, 20],
    ulp: { float32: 3, float64: 2 },
    doc: "Complement of the error function times e^(a^2).",
    numpy: "scipy.special.erfcx",
    example: "jl.erfcx(jl.tensor([0.25, 0.5, 0.75]))",
  }),
  erfinv: unary({
    rule: "toRealFloat",
    functor: "jl::erfinv(a)",
    needs: inverse,
    heavy: ["float64"],
    reference: onReals(reference.erfinv),
    domain: [-0.999, 0.999],
    ulp: { float32: 2, float64: 3 },
    doc: "Inverse of the error function.",
    numpy: "scipy.special.erfinv",
    example: "jl.erfinv(jl.tensor([0.25, 0.5, 0.75]))",
  }),
  ndtr: unary({
    rule: "toRealFloat",
    functor: "jl::ndtr(a)",
    needs,
    heavy: ["float64"],
    reference: onReals(reference.ndtr),
    domain: [-8, 8],
    ulp: { float32: 3, float64: 3 },
    doc: "Probability that a standard normal variable is below a.",
    numpy: "scipy.special.ndtr",
    example: "jl.ndtr(jl.tensor([0.25, 0.5, 0.75]))",
  }),
  ndtri: unary({
    rule: "toRealFloat",
    functor: "jl::ndtri(a)",
    needs: inverse,
    heavy: ["float64"],
    reference: onReals(reference.ndtri),
    domain: [0.001, 0.999],
    ulp: { float32: 3, float64: 3 },
    doc: "Inverse of ndtr: the quantile of the standard normal distribution.",
    numpy: "scipy.special.ndtri",
    example: "jl.ndtri(jl.tensor([0.25, 0.5, 0.75]))",
  }),
  logNdtr: unary({
    rule: "toRealFloat",
    functor: "jl::log_ndtr(a)",
    needs: [...needs, "precise-log", "log-ndtr"],
    heavy: ["float64"],
    reference: onReals(reference.logNdtr),
    domain: [-20, 8],
    ulp: { float32: 3, float64: 3 },
    doc: "Logarithm of ndtr, without underflow.",
    numpy: "scipy.special.log_ndtr",
    example: "jl.logNdtr(jl.tensor([0.25, 0.5, 0.75]))",
  }),
  gelu: unary({
    rule: "floatsOnly",
    functor: "jl::gelu(a)",
    needs,
    heavy: ["float64"],
    reference: onReals((a) => a * reference.ndtr(a)),
    domain: [-8, 8],
    ulp: { float32: 8, float64: 8 },
    doc: "Gaussian error linear unit, a ndtr(a).",
    example: "jl.gelu(jl.tensor([-1, 0, 1]))",
    options: {
      approximate: {
        doc: 'Another formula: "tanh" is the older approximation 0.5 a (1 + tanh(sqrt(2 / pi) (a + 0.044715 a^3))).',
        choices: {
          tanh: {
            // 0.5 (1 + tanh(x)) = 1 / (1 + exp(-2 x)), which does not cancel.
            functor: "a / (T(1) + exp(T(-1.5957691216057308) * (a + T(0.044715) * a * a * a)))",
            reference: () =>
              onReals((a) => a / (1 + Math.exp(-1.5957691216057308 * (a + 0.044715 * a ** 3)))),
          },
        },
      },
    },
  }),
} as const satisfies Record<string, Op>;
