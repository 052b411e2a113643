// Activation functions of neural networks, with PyTorch's default parameters.
import { binary, type Op, unary } from "./op.js";
import {
  complexMultiply,
  complexScale,
  complexSigmoid,
  complexSubtract,
  complexTanh,
} from "./reference/complex.js";
import { byKind, onReals, toInteger } from "./reference/scalar.js";

const exact = { float32: 0, float64: 0 } as const;

const relu6 = (a: number): number => (Number.isNaN(a) ? a : Math.min(Math.max(a, 0), 6));

export const activation = {
  relu: unary({
    rule: "realNumbers",
    functor: "a < T(0) ? T(0) : a",
    reference: byKind({
      integer: (a) => (a < 0n ? 0n : a),
      real: (a) => (Number.isNaN(a) ? a : Math.max(a, 0)),
    }),
    domain: [-8, 8],
    ulp: exact,
    doc: "a where it is positive, 0 elsewhere.",
    example: "jl.relu(jl.tensor([-2, 0, 2])) // [0, 0, 2]",
  }),
  relu6: unary({
    rule: "realNumbers",
    functor: "jl::relu6(a)",
    needs: ["numeric", "activation"],
    reference: byKind({ integer: (a) => (a < 0n ? 0n : a > 6n ? 6n : a), real: relu6 }),
    domain: [-8, 8],
    ulp: exact,
    doc: "a clamped to [0, 6].",
    example: "jl.relu6(jl.tensor([-2, 0, 2])) // [0, 0, 2]",
  }),
  hardtanh: unary({
    rule: "realNumbers",
    functor: "a < T(-1) ? T(-1) : a > T(1) ? T(1) : a",
    overrides: { unsigned: "a > T(1) ? T(1) : a" },
    reference: byKind({
      integer: (a) => (a < -1n ? -1n : a > 1n ? 1n : a),
      real: (a) => (Number.isNaN(a) ? a : Math.min(Math.max(a, -1), 1)),
    }),
    domain: [-8, 8],
    ulp: exact,
    doc: "a clamped to [-1, 1].",
    example: "jl.hardtanh(jl.tensor([-2, 0, 2])) // [-1, 0, 1]",
    options: {
      minVal: { default: -1, doc: "The lower bound." },
      maxVal: { default: 1, doc: "The upper bound." },
    },
    form: {
      functor: "a < minVal ? minVal : a > maxVal ? maxVal : a",
      parameters: { minVal: "T", maxVal: "T" },
      reference: ({ minVal, maxVal }) =>
        byKind({
          integer: (a) => {
            const bounded = a < toInteger(minVal) ? minVal : a > toInteger(maxVal) ? maxVal : a;
            return toInteger(bounded);
          },
          real: (a) => (a < minVal ? minVal : Math.min(a, maxVal)),
        }),
    },
  }),
  silu: unary({
    rule: "floatsOrComplex",
    functor: "jl::silu(a)",
    registers: { float32: "silu", float64: "silu" },
    halves: "halves::silu(a)",
    needs: ["numeric", "activation", "logistic", "silu"],
    needsFor: { complex: ["numeric", "circular", "tangent", "complex-math", "activation"] },
    reference: byKind({
      real: (a) => a / (1 + Math.exp(-a)),
      complex: (a) => complexMultiply(a, complexSigmoid(a)),
    }),
    domain: [-8, 8],
    ulp: { float32: 4, float64: 4 },
    doc: "a times its logistic function.",
    example: "jl.silu(jl.tensor([-2, 0, 2])) // [-0.23841, 0, 1.7616]",
  }),
  mish: unary({
    rule: "floatsOnly",
    functor: "jl::mish(a)",
    registers: { float32: "mish", float64: "mish" },
    needs: ["numeric", "activation"],
    reference: onReals((a) => a * Math.tanh(Math.log1p(Math.exp(a)))),
    domain: [-8, 8],
    ulp: { float32: 4, float64: 4 },
    doc: "a tanh(log(1 + e^a)).",
    example: "jl.mish(jl.tensor([-2, 0, 2])) // [-0.2525, 0, 1.944]",
  }),
  softplus: unary({
    rule: "floatsOnly",
    functor: "jl::softplus(a)",
    needs: ["log-steps"],
    reference: onReals((a) => (a > 20 ? a : Math.log1p(Math.exp(a)))),
    domain: [-8, 8],
    ulp: { float32: 4, float64: 4 },
    doc: "log(1 + e^a), and a itself above 20.",
    example: "jl.softplus(jl.tensor([-2, 0, 2])) // [0.12693, 0.69315, 2.1269]",
    options: {
      beta: { default: 1, doc: "The factor of a, by which the logarithm is divided." },
      threshold: { default: 20, doc: "If beta a exceeds it, the result is a." },
    },
    form: {
      functor: "a * beta > threshold ? a : log1p(exp(a * beta)) / beta",
      parameters: { beta: "T", threshold: "T" },
      reference: ({ beta, threshold }) =>
        onReals((a) => (a * beta > threshold ? a : Math.log1p(Math.exp(a * beta)) / beta)),
    },
  }),
  softsign: unary({
    rule: "toFloat",
    functor: "jl::softsign(a)",
    needs: ["numeric", "activation"],
    needsFor: { complex: ["numeric", "circular", "tangent", "complex-math", "activation"] },
    reference: byKind({
      real: (a) => a / (1 + Math.abs(a)),
      complex: (a) => complexScale(a, 1 / (1 + Math.hypot(a.re, a.im))),
    }),
    domain: [-8, 8],
    ulp: { float32: 4, float64: 4 },
    doc: "a / (1 + |a|).",
    example: "jl.softsign(jl.tensor([-2, 0, 2])) // [-0.66667, 0, 0.66667]",
  }),
  hardswish: unary({
    rule: "floatsOnly",
    functor: "a * (jl::relu6(a + T(3)) * T(0.16666666666666667))",
    needs: ["numeric", "activation"],
    reference: onReals((a) => (a * relu6(a + 3)) / 6),
    domain: [-8, 8],
    ulp: { float32: 4, float64: 4 },
    doc: "a relu6(a + 3) / 6.",
    example: "jl.hardswish(jl.tensor([-2, 0, 2])) // [-0.33333, 0, 1.6667]",
  }),
  hardsigmoid: unary({
    rule: "floatsOnly",
    functor: "jl::relu6(a + T(3)) * T(0.16666666666666667)",
    needs: ["numeric", "activation"],
    reference: onReals((a) => relu6(a + 3) / 6),
    domain: [-8, 8],
    ulp: { float32: 4, float64: 4 },
    doc: "relu6(a + 3) / 6.",
    example: "jl.hardsigmoid(jl.tensor([-2, 0, 2])) // [0.16667, 0.5, 0.83333]",
  }),
  logsigmoid: unary({
    rule: "floatsOnly",
    functor: "jl::logsigmoid(a)",
    halves: "halves::logsigmoid(a)",
    needs: ["log-steps"],
    reference: onReals((a) => Math.min(a, 0) - Math.log1p(Math.exp(-Math.abs(a)))),
    domain: [-8, 8],
    ulp: { float32: 4, float64: 4 },
    doc: "Logarithm of the logistic function.",
    example: "jl.logsigmoid(jl.tensor([-2, 0, 2])) // [-2.1269, -0.69315, -0.12693]",
  }),
  elu: unary({
    rule: "floatsOnly",
    functor: "a > T(0) ? a : expm1(a)",
    reference: onReals((a) => (a > 0 ? a : Math.expm1(a))),
    domain: [-8, 8],
    ulp: { float32: 2, float64: 1 },
    doc: "a above zero, e^a - 1 below.",
    example: "jl.elu(jl.tensor([-2, 0, 2])) // [-0.86466, 0, 2]",
    options: {
      alpha: { default: 1, doc: "The factor below zero." },
    },
    form: {
      functor: "a > T(0) ? a : alpha * expm1(a)",
      parameters: { alpha: "T" },
      reference: ({ alpha }) => onReals((a) => (a > 0 ? a : alpha * Math.expm1(a))),
    },
  }),
  selu: unary({
    rule: "floatsOnly",
    functor: "jl::elu(a) * (a > T(0) ? T(1.0507009873554805) : T(1.7580993408473766))",
    needs: ["numeric", "activation"],
    reference: onReals((a) => 1.0507009873554805 * (a > 0 ? a : 1.6732632423543772 * Math.expm1(a))),
    domain: [-8, 8],
    ulp: { float32: 4, float64: 4 },
    doc: "Scaled elu, which keeps mean 0 and variance 1.",
    example: "jl.selu(jl.tensor([-2, 0, 2])) // [-1.5202, 0, 2.1014]",
  }),
  celu: unary({
    rule: "floatsOnly",
    functor: "a > T(0) ? a : expm1(a)",
    reference: onReals((a) => (a > 0 ? a : Math.expm1(a))),
    domain: [-8, 8],
    ulp: { float32: 2, float64: 1 },
    doc: "Continuously differentiable elu; elu itself for alpha = 1.",
    example: "jl.celu(jl.tensor([-2, 0, 2])) // [-0.86466, 0, 2]",
    options: {
      alpha: { default: 1, doc: "The divisor of a below zero, and the factor there." },
    },
    form: {
      functor: "a > T(0) ? a : alpha * expm1(a / alpha)",
      parameters: { alpha: "T" },
      reference: ({ alpha }) => onReals((a) => (a > 0 ? a : alpha * Math.expm1(a / alpha))),
    },
  }),
  prelu: binary({
    rule: "floatsOnly",
    functor: "a > T(0) ? a : a * b",
    reference: onReals((a, b) => (a > 0 ? a : a * b)),
    domain: [-8, 8],
    ulp: exact,
    doc: "a above zero, a b below, for a slope b.",
    example: "jl.prelu(jl.tensor([-2, 0, 2]), 0.25) // [-0.5, 0, 2]",
  }),
  leakyRelu: unary({
    rule: "floatsOnly",
    functor: "a > T(0) ? a : a * T(0.01)",
    reference: onReals((a) => (a > 0 ? a : a * 0.01)),
    domain: [-8, 8],
    ulp: { float32: 1, float64: 1 },
    doc: "a above zero, a / 100 below.",
    example: "jl.leakyRelu(jl.tensor([-2, 0, 2])) // [-0.02, 0, 2]",
    options: {
      negativeSlope: { default: 0.01, doc: "The factor below zero." },
    },
    form: {
      functor: "a > T(0) ? a : a * negativeSlope",
      parameters: { negativeSlope: "T" },
      reference: ({ negativeSlope }) => onReals((a) => (a > 0 ? a : a * negativeSlope)),
    },
  }),
  tanhshrink: unary({
    rule: "toFloat",
    functor: "jl::tanhshrink(a)",
    registers: { float32: "tanhshrink", float64: "tanhshrink" },
    needs: ["numeric", "activation"],
    needsFor: { complex: ["numeric", "circular", "tangent", "complex-math", "activation"] },
    reference: byKind({ real: (a) => a - Math.tanh(a), complex: (a) => complexSubtract(a, complexTanh(a)) }),
    domain: [-8, 8],
    ulp: { float32: 4, float64: 4 },
    doc: "a - tanh(a).",
    example: "jl.tanhshrink(jl.tensor([-2, 0, 2])) // [-1.036, 0, 1.036]",
  }),
  softshrink: unary({
    rule: "floatsOnly",
    functor: "a > T(0.5) ? a - T(0.5) : a < T(-0.5) ? a + T(0.5) : isnan(a) ? a : T(0)",
    reference: onReals((a) => (Number.isNaN(a) ? a : Math.sign(a) * Math.max(Math.abs(a) - 0.5, 0))),
    domain: [-8, 8],
    ulp: exact,
    doc: "a moved by 0.5 towards zero, and 0 within 0.5 of it.",
    example: "jl.softshrink(jl.tensor([-2, 0, 2])) // [-1.5, 0, 1.5]",
    options: {
      lambd: { default: 0.5, doc: "How far a moves, and the distance from zero that gives 0." },
    },
    form: {
      functor: "a > lambd ? a - lambd : a < -lambd ? a + lambd : isnan(a) ? a : T(0)",
      parameters: { lambd: "T" },
      reference: ({ lambd }) =>
        onReals((a) => (a > lambd ? a - lambd : a < -lambd ? a + lambd : Number.isNaN(a) ? a : 0)),
    },
  }),
  hardshrink: unary({
    rule: "floatsOnly",
    functor: "fabs(a) <= T(0.5) ? T(0) : a",
    reference: onReals((a) => (Math.abs(a) <= 0.5 ? 0 : a)),
    domain: [-8, 8],
    ulp: exact,
    doc: "a, and 0 within 0.5 of zero.",
    example: "jl.hardshrink(jl.tensor([-2, 0, 2])) // [-2, 0, 2]",
    options: {
      lambd: { default: 0.5, doc: "The distance from zero that gives 0." },
    },
    form: {
      functor: "fabs(a) <= lambd ? T(0) : a",
      parameters: { lambd: "T" },
      reference: ({ lambd }) => onReals((a) => (Math.abs(a) <= lambd ? 0 : a)),
    },
  }),
} as const satisfies Record<string, Op>;
