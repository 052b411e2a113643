// Functions of three arguments.

import type { Scalar } from "./op.js";
import { type Op, ternary } from "./op.js";
import { complexAdd, complexDivide, complexMultiply, complexSubtract } from "./reference/complex.js";
import { byKind, toComplex, toInteger, toNumber } from "./reference/scalar.js";

const exact = { float32: 0, float64: 0 } as const;

const clampInteger = (a: bigint, low: bigint, high: bigint): bigint => {
  const raised = a < low ? low : a;
  return raised > high ? high : raised;
};
const clamp = (a: number, low: number, high: number): number => Math.min(Math.max(a, low), high);

const refuseBoolSum = { refuse: 'a sum of bools has no meaning; convert with .to("int32")' } as const;

export const ternaries = {
  where: ternary({
    rule: "sameAsInput",
    functor: "a ? b : c",
    operands: ["bool", "common", "common"],
    slopes: { b: { select: "a ? g : 0" }, c: { select: "a ? 0 : g" } },
    reference: (a: Scalar, b: Scalar, c: Scalar) => (a ? b : c),
    domain: [-10, 10],
    ulp: exact,
    doc: "b where the condition a holds, c elsewhere; as a method of tensors, mask.where(b, c).",
    numpy: "np.where",
    example: "jl.where(jl.tensor([true, false]), jl.tensor([1, 2]), 0) // [1, 0]",
  }),
  lerp: ternary({
    rule: "floatsOrComplex",
    functor: "jl::lerp(a, b, c)",
    needs: ["ternary"],
    slopes: { a: "1 - c", b: "c", c: "b - a" },
    reference: byKind({
      real: (a, b, c) => a + c * (b - a),
      complex: (a, b, c) => complexAdd(a, complexMultiply(c, complexSubtract(b, a))),
    }),
    domain: [-4, 4],
    ulp: { float32: 8, float64: 8 },
    doc: "a + c (b - a), the point at weight c between a and b.",
    example: "jl.lerp(jl.tensor([0, 10]), jl.tensor([1, 20]), 0.5) // [0.5, 15]",
  }),
  addcmul: ternary({
    rule: "sameAsInput",
    functor: "a + b * c",
    overrides: {
      bool: refuseBoolSum,
      signed: "jl::wrapping_add(a, jl::wrapping_multiply(b, c))",
    },
    needsFor: { signed: ["wrapping"] },
    slopes: { a: "1", b: "c", c: "b" },
    reference: byKind({
      integer: (a, b, c) => a + b * c,
      real: (a, b, c) => a + b * c,
      complex: (a, b, c) => complexAdd(a, complexMultiply(b, c)),
    }),
    domain: [-10, 10],
    ulp: { float32: 8, float64: 8 },
    doc: "a + b c.",
    example: "jl.addcmul(jl.tensor([1, 2]), jl.tensor([3, 4]), 2) // [7, 10]",
    options: {
      value: { default: 1, doc: "The factor of the product." },
    },
    form: {
      functor: "a + value * b * c",
      overrides: {
        bool: refuseBoolSum,
        signed: "jl::wrapping_add(a, jl::wrapping_multiply(jl::wrapping_multiply(value, b), c))",
      },
      needsFor: { signed: ["wrapping"] },
      parameters: { value: "T" },
      slopes: { a: "1", b: "value * c", c: "value * b" },
      reference: ({ value }) =>
        byKind({
          integer: (a, b, c) => a + toInteger(value) * b * c,
          real: (a, b, c) => a + toNumber(value) * b * c,
          complex: (a, b, c) => complexAdd(a, complexMultiply(complexMultiply(toComplex(value), b), c)),
        }),
    },
  }),
  addcdiv: ternary({
    rule: "floatsOrComplex",
    functor: "a + b / c",
    slopes: { a: "1", b: "1 / c", c: "-b / (c * c)" },
    reference: byKind({
      real: (a, b, c) => a + b / c,
      complex: (a, b, c) => complexAdd(a, complexDivide(b, c)),
    }),
    domain: [0.1, 10],
    ulp: { float32: 8, float64: 8 },
    doc: "a + b / c.",
    example: "jl.addcdiv(jl.tensor([1, 2]), jl.tensor([3, 4]), 2) // [2.5, 4]",
    options: {
      value: { default: 1, doc: "The factor of the quotient." },
    },
    form: {
      functor: "a + value * b / c",
      parameters: { value: "T" },
      slopes: { a: "1", b: "value / c", c: "-value * b / (c * c)" },
      reference: ({ value }) =>
        byKind({
          real: (a, b, c) => a + (toNumber(value) * b) / c,
          complex: (a, b, c) => complexAdd(a, complexDivide(complexMultiply(toComplex(value), b), c)),
        }),
    },
  }),
  clamp: ternary({
    rule: "realNumbers",
    functor: "a < b ? (b > c ? c : b) : a > c ? c : a",
    overrides: { float: "jl::clamp(a, b, c)" },
    needsFor: { float: ["ternary"] },
    slopes: {
      a: { select: "(a >= b) & (a <= c) ? g : 0" },
      b: { select: "(a < b) & (b < c) ? g : 0" },
      c: { select: "(a > c) | (c < b) ? g : 0" },
    },
    reference: byKind({ integer: clampInteger, real: clamp }),
    domain: [-10, 10],
    ulp: exact,
    doc: "a clamped to [b, c].",
    numpy: "np.clip",
    aliases: ["clip"],
    example: "jl.clamp(jl.tensor([-5, 0, 5]), -1, 1) // [-1, 0, 1]",
    without: { min: "clampMax", max: "clampMin" },
  }),
} as const satisfies Record<string, Op>;
