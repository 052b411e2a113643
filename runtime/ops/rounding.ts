// Rounding, signs and parts of single values.
import type { DTypeName } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { binary, type Op, type Scalar, unary } from "./op.js";
import { byKind, type Complex, onReals } from "./reference/scalar.js";

const exact = { float32: 0, float64: 0 } as const;

const roundEven = (a: number): number => {
  const nearest = Math.round(a);
  const even = Math.abs(a % 1) === 0.5 && nearest % 2 !== 0 ? nearest - 1 : nearest;
  return even === 0 && (a < 0 || Object.is(a, -0)) ? -0 : even;
};
const unit = ({ re, im }: Complex): Complex => {
  const size = Math.hypot(re, im);
  return size === 0 ? { re: 0, im: 0 } : { re: re / size, im: im / size };
};
const sign = byKind({
  integer: (a) => (a > 0n ? 1n : a < 0n ? -1n : 0n),
  real: (a) => (a > 0 ? 1 : a < 0 ? -1 : 0),
  complex: unit,
});
/** The next float64; tests of narrower types compare with the golden values. */
const nextafter = (a: number, b: number): number => {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
  if (a === b) return b;
  if (a === 0) return b > 0 ? 5e-324 : -5e-324;
  const bits = new BigInt64Array(new Float64Array([a]).buffer);
  bits[0] = (bits[0] ?? 0n) + (a < b === a > 0 ? 1n : -1n);
  return new Float64Array(bits.buffer)[0] ?? a;
};

/** The largest finite number of each floating dtype; of a complex one, that of its parts. */
const highestFinite: Partial<Record<DTypeName, number>> = {
  float16: 65504,
  bfloat16: 3.38953139e38,
  float32: 3.4028234663852886e38,
  complex64: 3.4028234663852886e38,
  float64: Number.MAX_VALUE,
  complex128: Number.MAX_VALUE,
};

function decimalFactors(decimals: Scalar | undefined): { up: number; down: number } {
  if (!Number.isInteger(Number(decimals)) || typeof decimals === "object") {
    throw new JitlabError(
      "bad-option",
      `round: the option decimals cannot be ${typeof decimals === "object" ? "complex" : String(decimals)}.`,
      "It is a whole number of digits.",
    );
  }
  const digits = Number(decimals);
  return { up: 10 ** Math.max(digits, 0), down: 10 ** Math.max(-digits, 0) };
}

export const rounding = {
  floor: unary({
    rule: "realNumbers",
    functor: "floor(a)",
    overrides: { unsigned: "a", signed: "a" },
    slopes: { a: "0" },
    reference: byKind({ integer: (a) => a, real: Math.floor }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Largest whole number not above a.",
    numpy: "np.floor",
    example: "jl.floor(jl.tensor([-1.5, 0.5, 2.5])) // [-2, 0, 2]",
  }),
  ceil: unary({
    rule: "realNumbers",
    functor: "ceil(a)",
    overrides: { unsigned: "a", signed: "a" },
    slopes: { a: "0" },
    reference: byKind({ integer: (a) => a, real: Math.ceil }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Smallest whole number not below a.",
    numpy: "np.ceil",
    example: "jl.ceil(jl.tensor([-1.5, 0.5, 2.5])) // [-1, 1, 3]",
  }),
  round: unary({
    rule: "realNumbers",
    functor: "rint(a)",
    overrides: { unsigned: "a", signed: "a" },
    slopes: { a: "0" },
    reference: byKind({ integer: (a) => a, real: roundEven }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Nearest whole number; halves go to the even one.",
    numpy: "np.round",
    aliases: ["around"],
    example: "jl.round(jl.tensor([-1.5, 0.5, 2.5])) // [-2, 0, 2]",
    options: {
      decimals: { default: 0, doc: "Digits kept after the point; negative ones round before it." },
    },
    form: {
      // Of the two factors one is 1, which changes nothing.
      rule: "floatsOnly",
      functor: "rint(a * up / down) / up * down",
      parameters: { up: "T", down: "T" },
      values: ({ decimals }) => decimalFactors(decimals),
      slopes: { a: "0" },
      reference: ({ up, down }) => onReals((a) => (roundEven((a * up) / down) / up) * down),
    },
  }),
  trunc: unary({
    rule: "realNumbers",
    functor: "trunc(a)",
    overrides: { unsigned: "a", signed: "a" },
    slopes: { a: "0" },
    reference: byKind({ integer: (a) => a, real: Math.trunc }),
    domain: [-10, 10],
    ulp: exact,
    doc: "Whole part of a, rounded towards zero.",
    numpy: "np.trunc",
    aliases: ["fix"],
    example: "jl.trunc(jl.tensor([-1.5, 0.5, 2.5])) // [-1, 0, 2]",
  }),
  frac: unary({
    rule: "floatsOnly",
    functor: "a - trunc(a)",
    slopes: { a: "1" },
    reference: onReals((a) => a - Math.trunc(a)),
    domain: [-10, 10],
    ulp: exact,
    doc: "Fractional part of a, with its sign.",
    example: "jl.frac(jl.tensor([-1.5, 0.5, 2.25])) // [-0.5, 0.5, 0.25]",
  }),
  sign: unary({
    rule: "ordered",
    functor: "jl::sign(a)",
    overrides: { bool: "a" },
    needs: ["numeric", "rounding"],
    needsFor: { bool: [] },
    slopes: { a: "0" },
    reference: sign,
    domain: [-10, 10],
    ulp: exact,
    doc: "-1, 0 or 1, the sign of a.",
    numpy: "np.sign",
    example: "jl.sign(jl.tensor([-2, 0, 3])) // [-1, 0, 1]",
  }),
  sgn: unary({
    rule: "sameAsInput",
    functor: "jl::sign(a)",
    overrides: { bool: "a", complex: "jl::sgn(a)" },
    needs: ["numeric", "rounding"],
    needsFor: { bool: [] },
    slopes: { a: "0" },
    reference: sign,
    domain: [-10, 10],
    ulp: exact,
    doc: "a divided by its magnitude, and 0 at 0: the sign of a complex number.",
    numpy: "np.sign",
    example: "jl.sgn(jl.tensor([-2, 0, 3])) // [-1, 0, 1]",
  }),
  signbit: unary({
    rule: "orderedToBool",
    functor: "a < T(0)",
    overrides: { float: "(a == a) & (copysign(T(1), a) < T(0))", bool: "false", unsigned: "false" },
    reference: onReals((a) => a < 0 || Object.is(a, -0)),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a is negative or -0; false for NaN, which has no sign.",
    numpy: "np.signbit",
    example: "jl.signbit(jl.tensor([-2, -0, 3])) // [true, true, false]",
  }),
  copysign: binary({
    rule: "toRealFloat",
    functor: "copysign(a, b == b ? b : T(0))",
    slopes: { a: "a == 0 ? 0 : y / a", b: "0" },
    reference: onReals((a, b) => (b < 0 || Object.is(b, -0) ? -Math.abs(a) : Math.abs(a))),
    domain: [-10, 10],
    ulp: exact,
    doc: "Magnitude of a with the sign of b; a NaN in b counts as positive.",
    numpy: "np.copysign",
    example: "jl.copysign(jl.tensor([1, 2, 3]), -1) // [-1, -2, -3]",
  }),
  spacing: unary({
    rule: "floatsOnly",
    functor: "copysign(nextafter(fabs(a), T(2) * fabs(a) + T(1)) - fabs(a), a)",
    overrides: {
      float16: "copysign(jl::next_float16(fabs(a), T(2) * fabs(a) + T(1)) - fabs(a), a)",
      bfloat16: "copysign(jl::next_bfloat16(fabs(a), T(2) * fabs(a) + T(1)) - fabs(a), a)",
    },
    needsFor: { float16: ["half-steps"], bfloat16: ["half-steps"] },
    slopes: { a: "0" },
    reference: onReals(
      (a) => Math.sign(a) * (nextafter(Math.abs(a), Number.POSITIVE_INFINITY) - Math.abs(a)),
    ),
    domain: [-10, 10],
    ulp: exact,
    doc: "The distance from a to the next number away from zero, with the sign of a.",
    numpy: "np.spacing",
    example: "jl.spacing(jl.tensor([1, -1000])) // [1.1921e-7, -0.000061035]",
  }),
  nextafter: binary({
    rule: "floatsOnly",
    functor: "nextafter(a, b)",
    overrides: { float16: "jl::next_float16(a, b)", bfloat16: "jl::next_bfloat16(a, b)" },
    needsFor: { float16: ["half-steps"], bfloat16: ["half-steps"] },
    slopes: {
      a: { refuse: "it steps between neighboring floats" },
      b: { refuse: "it steps between neighboring floats" },
    },
    reference: onReals(nextafter),
    domain: [-10, 10],
    ulp: exact,
    doc: "The floating number after a in the direction of b.",
    numpy: "np.nextafter",
    example: "jl.nextafter(jl.tensor([1, 2]), 3) // [1, 2]",
  }),
  heaviside: binary({
    rule: "ordered",
    functor: "a == T(0) ? b : T(a > T(0))",
    overrides: { bool: "a || b" },
    slopes: { a: "0", b: { select: "a == 0 ? g : 0" } },
    reference: byKind({
      integer: (a, b) => (a === 0n ? b : a > 0n ? 1n : 0n),
      real: (a, b) => (a === 0 ? b : Number(a > 0)),
    }),
    domain: [-10, 10],
    ulp: exact,
    doc: "0 below zero, 1 above, and b at zero.",
    numpy: "np.heaviside",
    example: "jl.heaviside(jl.tensor([-1, 0, 1]), 0.5) // [0, 0.5, 1]",
  }),
  nanToNum: unary({
    rule: "sameAsInput",
    functor: "a",
    overrides: {
      float: "jl::nan_to_num(a)",
      complex: "jl::nan_to_num(a)",
      float16: "jl::nan_to_num_within(a, 65504.0f)",
      bfloat16: "jl::nan_to_num_within(a, 3.38953139e+38f)",
    },
    needsFor: {
      float: ["numeric", "rounding"],
      complex: ["numeric", "rounding"],
      float16: ["half-steps"],
      bfloat16: ["half-steps"],
    },
    slopes: { a: { select: "isfinite(a) ? g : 0" } },
    reference: byKind({ integer: (a) => a, real: (a) => (Number.isNaN(a) ? 0 : a), complex: (a) => a }),
    domain: [-10, 10],
    ulp: exact,
    doc: "a with NaN as 0 and the infinities as the largest finite numbers.",
    numpy: "np.nan_to_num",
    example: "jl.nanToNum(jl.tensor([NaN, Infinity, 1])) // [0, 3.4028e+38, 1]",
    options: {
      nan: { default: 0, doc: "The replacement for NaN." },
      posinf: { default: "the largest number", doc: "The replacement for Infinity." },
      neginf: { default: "the lowest number", doc: "The replacement for -Infinity." },
    },
    form: {
      functor: "a",
      overrides: {
        float: "jl::nan_to_num(a, nan, posinf, neginf)",
        complex: "jl::nan_to_num(a, nan.re, posinf.re, neginf.re)",
      },
      needsFor: { float: ["numeric", "rounding"], complex: ["numeric", "rounding"] },
      parameters: { nan: "T", posinf: "T", neginf: "T" },
      values: (given, { name, kind }) => {
        // Integers are never replaced.
        if (kind !== "float" && kind !== "complex") return { nan: 0, posinf: 0, neginf: 0 };
        const highest = highestFinite[name] ?? 0;
        return { posinf: highest, neginf: -highest, ...given };
      },
      slopes: { a: { select: "isfinite(a) ? g : 0" } },
      reference: ({ nan, posinf, neginf }) => {
        const replaced = (a: number) =>
          Number.isNaN(a) ? nan : Number.isFinite(a) ? a : a > 0 ? posinf : neginf;
        return byKind({
          integer: (a) => a,
          real: replaced,
          complex: (a) => ({ re: replaced(a.re), im: replaced(a.im) }),
        });
      },
    },
  }),
} as const satisfies Record<string, Op>;
