// Functions of two exponents or logarithms, powers in float64, and logarithms of probabilities.
import { binary, type Op, unary } from "./op.js";
import {
  complexAdd,
  complexExp,
  complexExp2,
  complexLog,
  complexMultiply,
  complexPower,
  complexSubtract,
} from "./reference/complex.js";
import { byKind, type Complex, onReals } from "./reference/scalar.js";

const logaddexp = (a: number, b: number): number =>
  a === b ? a + Math.LN2 : Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
const complexLogaddexp = (a: Complex, b: Complex): Complex =>
  a.re > b.re
    ? complexLogaddexp(b, a)
    : complexAdd(b, complexLog(complexAdd({ re: 1, im: 0 }, complexExp(complexSubtract(a, b)))));
const entropy = (a: number): number => {
  if (a > 0) return -a * Math.log(a);
  return a === 0 ? 0 : a < 0 ? Number.NEGATIVE_INFINITY : a;
};
// Both have no part in the sum: also in the second derivative no term may be NaN.
const isNone = "(a == -inf) & (b == -inf)";

export const logarithm = {
  logit: unary({
    rule: "toRealFloat",
    functor: "jl::logit(a)",
    halves: "halves::logit(a)",
    needs: ["numeric", "logit"],
    slopes: { a: "1 / (a * (1 - a))" },
    reference: onReals((a) => Math.log(a) - Math.log1p(-a)),
    domain: [0.001, 0.999],
    ulp: { float32: 4, float64: 4 },
    doc: "log(a / (1 - a)), the inverse of the logistic function.",
    example: "jl.logit(jl.tensor([0.1, 0.5, 0.9])) // [-2.1972, 0, 2.1972]",
    options: {
      eps: { default: "no bounds", doc: "Arguments are clamped to [eps, 1 - eps]." },
    },
    form: {
      functor: "jl::logit(a < eps ? eps : a > T(1) - eps ? T(1) - eps : a)",
      needs: ["numeric", "logit"],
      parameters: { eps: "T" },
      slopes: { a: { select: "(a < eps) | (a > 1 - eps) ? 0 : g / (a * (1 - a))" } },
      reference: ({ eps }) =>
        onReals((a) => {
          const clamped = a < eps ? eps : Math.min(a, 1 - eps);
          return Math.log(clamped) - Math.log1p(-clamped);
        }),
    },
  }),
  entr: unary({
    rule: "toRealFloat",
    functor: "jl::entr(a)",
    needs: ["numeric", "log-steps", "log-products"],
    slopes: { a: "-log(a) - 1" },
    reference: onReals(entropy),
    domain: [0, 10],
    ulp: { float32: 4, float64: 3 },
    doc: "-a log(a), the entropy of one outcome; 0 at 0 and -Infinity below.",
    example: "jl.entr(jl.tensor([0.1, 0.5, 1])) // [0.23026, 0.34657, -0]",
  }),
  logaddexp: binary({
    rule: "floatsOrComplex",
    functor: "jl::logaddexp(a, b)",
    needs: ["numeric", "logarithm"],
    needsFor: { complex: ["numeric", "circular", "tangent", "complex-math", "logarithm"] },
    slopes: {
      a: `${isNone} ? 0 : sigmoid(${isNone} ? 0 : a - b)`,
      b: `${isNone} ? 0 : sigmoid(${isNone} ? 0 : b - a)`,
    },
    reference: byKind({ real: logaddexp, complex: complexLogaddexp }),
    domain: [-10, 10],
    ulp: { float32: 4, float64: 3 },
    doc: "log(e^a + e^b) without overflow.",
    numpy: "np.logaddexp",
    example: "jl.logaddexp(jl.tensor([1000, 2]), jl.tensor([1000, 1])) // [1000.7, 2.3133]",
    commutative: true,
  }),
  logaddexp2: binary({
    rule: "floatsOnly",
    functor: "jl::logaddexp2(a, b)",
    needs: ["numeric", "logarithm"],
    slopes: {
      a: `${isNone} ? 0 : 1 / (1 + exp2(${isNone} ? 0 : b - a))`,
      b: `${isNone} ? 0 : 1 / (1 + exp2(${isNone} ? 0 : a - b))`,
    },
    reference: onReals((a, b) => logaddexp(a * Math.LN2, b * Math.LN2) / Math.LN2),
    domain: [-10, 10],
    ulp: { float32: 4, float64: 3 },
    doc: "log2(2^a + 2^b) without overflow.",
    numpy: "np.logaddexp2",
    example: "jl.logaddexp2(jl.tensor([1000, 2]), jl.tensor([1000, 1])) // [1001, 2.585]",
    commutative: true,
  }),
  xlogy: binary({
    rule: "toRealFloat",
    functor: "jl::xlogy(a, b)",
    needs: ["numeric", "log-steps", "log-products"],
    slopes: { a: "(a == 0) & (b <= 0) ? 0 : log(b)", b: "a / b" },
    reference: onReals((a, b) => (a === 0 && !Number.isNaN(b) ? 0 : a * Math.log(b))),
    domain: [0.1, 10],
    ulp: { float32: 4, float64: 3 },
    doc: "a log(b), and 0 where a is 0.",
    numpy: "scipy.special.xlogy",
    example: "jl.xlogy(jl.tensor([0, 1, 2]), jl.tensor([0, 2, 3])) // [0, 0.69315, 2.1972]",
  }),
  xlog1py: binary({
    rule: "toRealFloat",
    functor: "jl::xlog1py(a, b)",
    needs: ["numeric", "log-steps", "log-products"],
    slopes: { a: "(a == 0) & (b <= -1) ? 0 : log1p(b)", b: "a / (1 + b)" },
    reference: onReals((a, b) => (a === 0 && !Number.isNaN(b) ? 0 : a * Math.log1p(b))),
    domain: [0.1, 10],
    ulp: { float32: 4, float64: 3 },
    doc: "a log(1 + b), and 0 where a is 0.",
    numpy: "scipy.special.xlog1py",
    example: "jl.xlog1py(jl.tensor([0, 1, 2]), jl.tensor([-1, 2, 3])) // [0, 1.0986, 2.7726]",
  }),
  ldexp: binary({
    rule: "toFloat",
    functor: "jl::ldexp(a, b)",
    needs: ["numeric", "logarithm"],
    needsFor: { complex: ["numeric", "circular", "tangent", "complex-math", "logarithm"] },
    slopes: { a: "exp2(b)", b: "0.6931471805599453 * y" },
    reference: byKind({ real: (a, b) => a * 2 ** b, complex: (a, b) => complexMultiply(a, complexExp2(b)) }),
    domain: [-8, 8],
    ulp: { float32: 2, float64: 2 },
    doc: "a times 2 to the power of b.",
    numpy: "np.ldexp",
    example: "jl.ldexp(jl.tensor([1, 2, 3]), 4) // [16, 32, 48]",
  }),
  floatPower: binary({
    rule: "toFloat64",
    functor: "pow(a, b)",
    needsFor: { complex: ["numeric", "circular", "tangent", "complex-math"] },
    slopes: { a: "b == 0 ? 0 : b * a ** (b - 1)", b: "(a == 0) & (b >= 0) ? 0 : y * log(a)" },
    reference: byKind({ real: (a, b) => a ** b, complex: complexPower }),
    domain: [0.1, 8],
    ulp: { float32: 2, float64: 2 },
    doc: "a to the power of b in float64, or complex128.",
    numpy: "np.float_power",
    example: "jl.floatPower(jl.tensor([1, 2, 3]), 0.5) // [1, 1.4142, 1.7321]",
  }),
  hypot: binary({
    rule: "floatsOnly",
    functor: "hypot(a, b)",
    slopes: { a: "a / y", b: "b / y" },
    reference: onReals(Math.hypot),
    domain: [-10, 10],
    ulp: { float32: 4, float64: 2 },
    doc: "Length of the hypotenuse over a and b without overflow.",
    numpy: "np.hypot",
    example: "jl.hypot(jl.tensor([3, 5]), jl.tensor([4, 12])) // [5, 13]",
    commutative: true,
  }),
} as const satisfies Record<string, Op>;
