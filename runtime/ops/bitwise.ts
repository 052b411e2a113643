// Operations on the bits of integers.

import type { Scalar } from "./op.js";
import { binary, type Op, unary } from "./op.js";
import { toInteger } from "./reference/scalar.js";

const exact = { float32: 0, float64: 0 } as const;

const inWidth = (b: bigint): boolean => b >= 0n && b < 64n;
const shiftLeft = (a: bigint, b: bigint): bigint => (inWidth(b) ? a << b : 0n);
const shiftRight = (a: bigint, b: bigint): bigint => (inWidth(b) ? a >> b : a < 0n ? -1n : 0n);

export const bitwise = {
  /** Every bit of a inverted; logical for bool. */
  bitwiseNot: unary({
    rule: "integersOrBool",
    functor: "~a",
    overrides: { bool: "!a" },
    reference: (a: Scalar) => (typeof a === "boolean" ? !a : ~toInteger(a)),
    domain: [-100, 100],
    ulp: exact,
    doc: "Every bit of a inverted; logical for bool.",
    numpy: "np.bitwise_not",
    example: "jl.bitwiseNot(jl.tensor([1n, 2n]))",
    operator: "~",
  }),
  /** Bits set in both a and b. */
  bitwiseAnd: binary({
    rule: "integersOrBool",
    functor: "a & b",
    reference: (a: Scalar, b: Scalar) => toInteger(a) & toInteger(b),
    domain: [-100, 100],
    ulp: exact,
    doc: "Bits set in both a and b.",
    numpy: "np.bitwise_and",
    example: "jl.bitwiseAnd(jl.tensor([1n, 2n]), 3n)",
    operator: "&",
    commutative: true,
  }),
  /** Bits set in a or b. */
  bitwiseOr: binary({
    rule: "integersOrBool",
    functor: "a | b",
    reference: (a: Scalar, b: Scalar) => toInteger(a) | toInteger(b),
    domain: [-100, 100],
    ulp: exact,
    doc: "Bits set in a or b.",
    numpy: "np.bitwise_or",
    example: "jl.bitwiseOr(jl.tensor([1n, 2n]), 3n)",
    operator: "|",
    commutative: true,
  }),
  /** Bits set in exactly one of a and b. */
  bitwiseXor: binary({
    rule: "integersOrBool",
    functor: "a ^ b",
    reference: (a: Scalar, b: Scalar) => toInteger(a) ^ toInteger(b),
    domain: [-100, 100],
    ulp: exact,
    doc: "Bits set in exactly one of a and b.",
    numpy: "np.bitwise_xor",
    example: "jl.bitwiseXor(jl.tensor([1n, 2n]), 3n)",
    operator: "^",
    commutative: true,
  }),
  /** a shifted b bits to the left; 0 where b is negative or not below the width. */
  leftShift: binary({
    rule: "integersOnly",
    functor: "jl::left_shift(a, b)",
    needs: ["shift"],
    reference: (a: Scalar, b: Scalar) => shiftLeft(toInteger(a), toInteger(b)),
    domain: [0, 6],
    ulp: exact,
    doc: "a shifted b bits to the left; 0 where b is negative or not below the width.",
    numpy: "np.left_shift",
    example: "jl.leftShift(jl.tensor([1n, 2n]), 3n)",
    operator: "<<",
  }),
  /** a shifted b bits to the right; only the sign is left where b is negative or not below the width. */
  rightShift: binary({
    rule: "integersOnly",
    functor: "jl::right_shift(a, b)",
    needs: ["shift"],
    reference: (a: Scalar, b: Scalar) => shiftRight(toInteger(a), toInteger(b)),
    domain: [0, 6],
    ulp: exact,
    doc: "a shifted b bits to the right; only the sign is left where b is negative or not below the width.",
    numpy: "np.right_shift",
    example: "jl.rightShift(jl.tensor([16n, -16n]), 3n)",
    operator: ">>",
  }),
} as const satisfies Record<string, Op>;
