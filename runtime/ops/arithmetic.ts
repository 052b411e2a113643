// The four operations, division in its three forms, powers, signs and extremes.
import { binary, type Op, type Scalar, unary } from "./op.js";
import {
  complexAdd,
  complexDivide,
  complexMultiply,
  complexPower,
  complexSubtract,
} from "./reference/complex.js";
import { byKind, toComplex, toInteger, toNumber } from "./reference/scalar.js";

const exact = { float32: 0, float64: 0 } as const;
const wrapping = ["wrapping"] as const;
const division = ["wrapping", "arithmetic"] as const;
const floatDivision = ["float-division"] as const;
// For quotients that are not huge, the remainder needs no loop.
const overShortQuotients = (functor: string) => {
  const form = { when: "is_short_quotient(a, b)", functor };
  return { float32: form, float64: form };
};

const floorQuotient = (a: bigint, b: bigint): bigint => {
  if (b === 0n) return 0n;
  const q = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? q - 1n : q;
};
const floorRemainder = (a: number, b: number): number => {
  const r = a % b;
  return r !== 0 && r < 0 !== b < 0 ? r + b : r;
};
const floorDivide = (a: number, b: number): number => {
  if (b === 0) return a / b;
  const r = a % b;
  const q = (a - r) / b - (r !== 0 && r < 0 !== b < 0 ? 1 : 0);
  if (q === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0;
  return q - Math.floor(q) > 0.5 ? Math.floor(q) + 1 : Math.floor(q);
};
const integerPower = (a: bigint, b: bigint): bigint => {
  if (b >= 0n) {
    let result = 1n;
    for (let base = a, n = b; n > 0n; n >>= 1n, base = BigInt.asIntN(64, base * base))
      if (n & 1n) result = BigInt.asIntN(64, result * base);
    return result;
  }
  if (a === 1n) return 1n;
  return a === -1n ? (b % 2n === 0n ? 1n : -1n) : 0n;
};

const floorDivision = {
  functor: "jl::integer_floor_divide(a, b)",
  overrides: { float: "jl::float_floor_divide(a, b)" },
  needs: division,
  needsFor: { float: floatDivision },
  reference: byKind({ integer: floorQuotient, real: floorDivide }),
} as const;
const refuseBoolDifference = {
  refuse: 'a difference of bools has no meaning; use logicalXor, or convert with .to("int32")',
} as const;

export const arithmetic = {
  add: binary({
    rule: "sameAsInput",
    functor: "a + b",
    overrides: { bool: "a || b", signed: "jl::wrapping_add(a, b)" },
    needsFor: { signed: wrapping },
    slopes: { a: "1", b: "1" },
    reference: byKind({
      integer: (a, b) => a + b,
      real: (a, b) => a + b,
      complex: (a, b) => ({ re: a.re + b.re, im: a.im + b.im }),
    }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Sum of a and b.",
    numpy: "np.add",
    example: "jl.add(jl.tensor([1, 2, 3]), 10) // [11, 12, 13]",
    operator: "+",
    commutative: true,
    options: {
      alpha: { default: 1, doc: "The factor of b." },
    },
    form: {
      functor: "a + alpha * b",
      overrides: {
        bool: "a || (alpha && b)",
        signed: "jl::wrapping_add(a, jl::wrapping_multiply(alpha, b))",
      },
      needsFor: { signed: wrapping },
      parameters: { alpha: "T" },
      slopes: { a: "1", b: "alpha" },
      reference: ({ alpha }) =>
        byKind({
          integer: (a, b) => a + toInteger(alpha) * b,
          real: (a, b) => a + toNumber(alpha) * b,
          complex: (a, b) => complexAdd(a, complexMultiply(toComplex(alpha), b)),
        }),
    },
  }),
  sub: binary({
    rule: "sameAsInput",
    functor: "a - b",
    overrides: {
      bool: refuseBoolDifference,
      signed: "jl::wrapping_subtract(a, b)",
    },
    needsFor: { signed: wrapping },
    slopes: { a: "1", b: "-1" },
    reference: byKind({
      integer: (a, b) => a - b,
      real: (a, b) => a - b,
      complex: (a, b) => ({ re: a.re - b.re, im: a.im - b.im }),
    }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Difference of a and b.",
    numpy: "np.subtract",
    aliases: ["subtract"],
    example: "jl.sub(jl.tensor([10, 20, 30]), jl.tensor([1, 2, 3])) // [9, 18, 27]",
    operator: "-",
    options: {
      alpha: { default: 1, doc: "The factor of b." },
    },
    form: {
      functor: "a - alpha * b",
      overrides: {
        bool: refuseBoolDifference,
        signed: "jl::wrapping_subtract(a, jl::wrapping_multiply(alpha, b))",
      },
      needsFor: { signed: wrapping },
      parameters: { alpha: "T" },
      slopes: { a: "1", b: "-alpha" },
      reference: ({ alpha }) =>
        byKind({
          integer: (a, b) => a - toInteger(alpha) * b,
          real: (a, b) => a - toNumber(alpha) * b,
          complex: (a, b) => complexSubtract(a, complexMultiply(toComplex(alpha), b)),
        }),
    },
  }),
  mul: binary({
    rule: "sameAsInput",
    functor: "a * b",
    overrides: { bool: "a && b", signed: "jl::wrapping_multiply(a, b)" },
    needsFor: { signed: wrapping },
    slopes: { a: "b", b: "a" },
    reference: byKind({ integer: (a, b) => a * b, real: (a, b) => a * b, complex: complexMultiply }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Product of a and b.",
    numpy: "np.multiply",
    aliases: ["multiply"],
    example: "jl.mul(jl.tensor([1, 2, 3]), 2) // [2, 4, 6]",
    operator: "*",
    commutative: true,
  }),
  div: binary({
    rule: "toFloat",
    functor: "a / b",
    slopes: { a: "1 / b", b: "-(a / b) / b" },
    reference: byKind({ real: (a, b) => a / b, complex: complexDivide }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Quotient of a and b; integers are divided as float32.",
    numpy: "np.divide",
    aliases: ["divide", "trueDivide"],
    example: "jl.div(jl.tensor([1, 2, 3]), 2) // [0.5, 1, 1.5]",
    operator: "/",
    options: {
      roundingMode: {
        doc: "How the quotient is rounded: towards zero, or towards minus infinity. Integers then stay integers.",
        choices: {
          trunc: {
            rule: "realNumbers",
            functor: "jl::truncated_quotient(a, b)",
            overrides: { float: "trunc(a / b)" },
            needs: division,
            needsFor: { float: [] },
            slopes: { a: "0", b: "0" },
            reference: () =>
              byKind({ integer: (a, b) => (b === 0n ? 0n : a / b), real: (a, b) => Math.trunc(a / b) }),
          },
          floor: {
            rule: "realNumbers",
            ...floorDivision,
            slopes: { a: "0", b: "0" },
            reference: () => floorDivision.reference,
          },
        },
      },
    },
  }),
  floorDivide: binary({
    rule: "realNumbers",
    ...floorDivision,
    plain: overShortQuotients("short_floor_divide(a, b)"),
    slopes: { a: "0", b: "0" },
    domain: [-10, 10],
    ulp: exact,
    doc: "Quotient of a and b rounded towards minus infinity; an integer divided by zero gives 0.",
    numpy: "np.floor_divide",
    example: "jl.floorDivide(jl.tensor([7, -7, 8]), 2) // [3, -4, 4]",
  }),
  remainder: binary({
    rule: "realNumbers",
    functor: "jl::integer_remainder(a, b)",
    overrides: { float: "jl::float_remainder(a, b)" },
    plain: overShortQuotients("jl::beside(short_fmod(a, b), b)"),
    needs: division,
    needsFor: { float: floatDivision },
    slopes: { a: "1", b: "-floor(a / b)" },
    reference: byKind({
      integer: (a, b) => (b === 0n ? 0n : a - b * floorQuotient(a, b)),
      real: floorRemainder,
    }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Remainder of the floor division, with the sign of b; a zero has the sign of a, as in PyTorch. An integer modulo zero gives 0.",
    numpy: "np.remainder",
    aliases: ["mod"],
    example: "jl.remainder(jl.tensor([7, -7, 8]), 3) // [1, 2, 2]",
    operator: "%",
  }),
  fmod: binary({
    rule: "realNumbers",
    functor: "jl::integer_fmod(a, b)",
    overrides: { float: "fmod(a, b)" },
    plain: overShortQuotients("short_fmod(a, b)"),
    needs: division,
    needsFor: { float: [] },
    slopes: { a: "1", b: "-trunc(a / b)" },
    reference: byKind({ integer: (a, b) => (b === 0n ? 0n : a % b), real: (a, b) => a % b }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Remainder of the division rounded towards zero, with the sign of a; an integer modulo zero gives 0.",
    numpy: "np.fmod",
    example: "jl.fmod(jl.tensor([7, -7, 8]), 3) // [1, -1, 2]",
  }),
  rsub: binary({
    rule: "sameAsInput",
    functor: "b - a",
    overrides: {
      bool: refuseBoolDifference,
      signed: "jl::wrapping_subtract(b, a)",
    },
    needsFor: { signed: wrapping },
    slopes: { a: "-1", b: "1" },
    reference: byKind({
      integer: (a, b) => b - a,
      real: (a, b) => b - a,
      complex: (a, b) => complexSubtract(b, a),
    }),
    domain: [-10, 10],
    ulp: exact,
    doc: "b - a, the reversed difference.",
    example: "jl.rsub(jl.tensor([1, 2, 3]), 10) // [9, 8, 7]",
    options: {
      alpha: { default: 1, doc: "The factor of a." },
    },
    form: {
      functor: "b - alpha * a",
      overrides: {
        bool: refuseBoolDifference,
        signed: "jl::wrapping_subtract(b, jl::wrapping_multiply(alpha, a))",
      },
      needsFor: { signed: wrapping },
      parameters: { alpha: "T" },
      slopes: { a: "-alpha", b: "1" },
      reference: ({ alpha }) =>
        byKind({
          integer: (a, b) => b - toInteger(alpha) * a,
          real: (a, b) => b - toNumber(alpha) * a,
          complex: (a, b) => complexSubtract(b, complexMultiply(toComplex(alpha), a)),
        }),
    },
  }),
  positive: unary({
    rule: "sameAsInput",
    functor: "a",
    overrides: { bool: { refuse: 'a bool has no sign; convert with .to("int32")' } },
    slopes: { a: "1" },
    reference: (a: Scalar) => a,
    domain: [-10, 10],
    ulp: exact,
    doc: "a itself.",
    numpy: "np.positive",
    example: "jl.positive(jl.tensor([1, -2, 3])) // [1, -2, 3]",
  }),
  neg: unary({
    rule: "sameAsInput",
    functor: "-a",
    overrides: {
      bool: { refuse: 'a negative bool has no meaning; use logicalNot, or convert with .to("int32")' },
      signed: "jl::wrapping_negate(a)",
    },
    needsFor: { signed: wrapping },
    slopes: { a: "-1" },
    reference: byKind({ integer: (a) => -a, real: (a) => -a, complex: (a) => ({ re: -a.re, im: -a.im }) }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Negative of a.",
    numpy: "np.negative",
    aliases: ["negative"],
    example: "jl.neg(jl.tensor([1, -2, 3])) // [-1, 2, -3]",
    operator: "-",
  }),
  abs: unary({
    rule: "toReal",
    functor: "fabs(a)",
    overrides: {
      bool: {
        refuse: 'a bool has no sign; it is its own magnitude. Convert with .to("uint8") for a number',
      },
      unsigned: "a",
      signed: "jl::wrapping_abs(a)",
      complex: "abs(a)",
    },
    needsFor: { signed: wrapping },
    slopes: { a: "sign(a)" },
    reference: byKind({
      integer: (a) => (a < 0n ? -a : a),
      real: Math.abs,
      complex: (a) => Math.hypot(a.re, a.im),
    }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Magnitude of a; real for complex numbers.",
    numpy: "np.abs",
    aliases: ["absolute"],
    example: "jl.abs(jl.tensor([-1, 2, -3])) // [1, 2, 3]",
  }),
  square: unary({
    rule: "boolToInt64",
    functor: "a * a",
    overrides: { signed: "jl::wrapping_multiply(a, a)" },
    needsFor: { signed: wrapping },
    slopes: { a: "2 * a" },
    reference: byKind({ integer: (a) => a * a, real: (a) => a * a, complex: (a) => complexMultiply(a, a) }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Square of a; a bool is squared as int64.",
    numpy: "np.square",
    example: "jl.square(jl.tensor([1, -2, 3])) // [1, 4, 9]",
  }),
  pow: binary({
    rule: "sameAsInput",
    functor: "jl::integer_power(a, b)",
    overrides: {
      bool: { refuse: 'a power of bools has no meaning; use logicalOr(a, b.logicalNot()), or .to("int32")' },
      float: "pow(a, b)",
      complex: "pow(a, b)",
    },
    needs: division,
    needsFor: { float: [], complex: ["numeric", "circular", "tangent", "complex-math"] },
    slopes: { a: "b == 0 ? 0 : b * a ** (b - 1)", b: "(a == 0) & (b >= 0) ? 0 : y * log(a)" },
    reference: byKind({ integer: integerPower, real: (a, b) => a ** b, complex: complexPower }),
    domain: [0.1, 8],
    ulp: { float32: 4, float64: 2 },
    refusesInteger: (power, { kind, name }) =>
      power < 0 && kind !== "float" && kind !== "complex"
        ? [
            `integers to the power ${power} have fractions, which ${name} does not hold.`,
            `Write x.to("float32").pow(${power}), or x.floatPower(${power}) for float64.`,
          ]
        : undefined,
    doc: "a to the power of b; integers to negative powers of a tensor are truncated reciprocals, to a negative number an error.",
    numpy: "np.power",
    aliases: ["power"],
    example: "jl.pow(jl.tensor([1, 2, 3]), 2) // [1, 4, 9]",
    operator: "**",
  }),
} as const satisfies Record<string, Op>;
