// Operations on the bits of integers.

import type { Scalar } from "./op.js";
import { binary, type Op, unary } from "./op.js";
import { toInteger } from "./reference/scalar.js";

const exact = { float32: 0, float64: 0 } as const;

const inWidth = (b: bigint): boolean => b >= 0n && b < 64n;
const shiftLeft = (a: bigint, b: bigint): bigint => (inWidth(b) ? a << b : 0n);
const shiftRight = (a: bigint, b: bigint): bigint => (inWidth(b) ? a >> b : a < 0n ? -1n : 0n);

export const bitwise = {
  bitwiseNot: unary({
    rule: "integersOrBool",
    functor: "~a",
    overrides: { bool: "!a" },
    reference: (a: Scalar) => (typeof a === "boolean" ? !a : ~toInteger(a)),
    domain: [-100, 100],
    ulp: exact,
    doc: "Every bit of a inverted; logical for bool.",
    numpy: "np.bitwise_not",
    aliases: ["bitwiseInvert"],
    example: "jl.bitwiseNot(jl.tensor([1n, 2n])) // [-2n, -3n]",
    operator: "~",
  }),
  bitwiseCount: unary({
    rule: "integersOnly",
    functor: "T(jl::set_bits(uint64(a)))",
    overrides: { signed: "T(jl::set_bits(a < 0 ? 0 - uint64(a) : uint64(a)))" },
    needs: ["bit-count"],
    reference: (a: Scalar) => {
      const whole = toInteger(a);
      return BigInt([...(whole < 0n ? -whole : whole).toString(2)].filter((bit) => bit === "1").length);
    },
    domain: [-100, 100],
    ulp: exact,
    doc: "The number of bits that are set in the magnitude of a.",
    numpy: "np.bitwise_count",
    example: "jl.bitwiseCount(jl.tensor([7n, -8n])) // [3n, 1n]",
  }),
  bitwiseAnd: binary({
    rule: "integersOrBool",
    functor: "a & b",
    reference: (a: Scalar, b: Scalar) => toInteger(a) & toInteger(b),
    domain: [-100, 100],
    ulp: exact,
    doc: "Bits set in both a and b.",
    numpy: "np.bitwise_and",
    example: "jl.bitwiseAnd(jl.tensor([1n, 2n]), 3n) // [1n, 2n]",
    operator: "&",
    commutative: true,
  }),
  bitwiseOr: binary({
    rule: "integersOrBool",
    functor: "a | b",
    reference: (a: Scalar, b: Scalar) => toInteger(a) | toInteger(b),
    domain: [-100, 100],
    ulp: exact,
    doc: "Bits set in a or b.",
    numpy: "np.bitwise_or",
    example: "jl.bitwiseOr(jl.tensor([1n, 2n]), 3n) // [3n, 3n]",
    operator: "|",
    commutative: true,
  }),
  bitwiseXor: binary({
    rule: "integersOrBool",
    functor: "a ^ b",
    reference: (a: Scalar, b: Scalar) => toInteger(a) ^ toInteger(b),
    domain: [-100, 100],
    ulp: exact,
    doc: "Bits set in exactly one of a and b.",
    numpy: "np.bitwise_xor",
    example: "jl.bitwiseXor(jl.tensor([1n, 2n]), 3n) // [2n, 1n]",
    operator: "^",
    commutative: true,
  }),
  leftShift: binary({
    rule: "integersOnly",
    functor: "jl::left_shift(a, b)",
    needs: ["shift"],
    reference: (a: Scalar, b: Scalar) => shiftLeft(toInteger(a), toInteger(b)),
    domain: [0, 6],
    ulp: exact,
    doc: "a shifted b bits to the left; 0 where b is negative or not below the width.",
    numpy: "np.left_shift",
    aliases: ["bitwiseLeftShift"],
    example: "jl.leftShift(jl.tensor([1n, 2n]), 3n) // [8n, 16n]",
    operator: "<<",
  }),
  rightShift: binary({
    rule: "integersOnly",
    functor: "jl::right_shift(a, b)",
    needs: ["shift"],
    reference: (a: Scalar, b: Scalar) => shiftRight(toInteger(a), toInteger(b)),
    domain: [0, 6],
    ulp: exact,
    doc: "a shifted b bits to the right; only the sign is left where b is negative or not below the width.",
    numpy: "np.right_shift",
    aliases: ["bitwiseRightShift"],
    example: "jl.rightShift(jl.tensor([16n, -16n]), 3n) // [2n, -2n]",
    operator: ">>",
  }),
} as const satisfies Record<string, Op>;
