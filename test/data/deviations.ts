// Where jitlab differs from PyTorch on purpose, each with its reason. The golden test reads this list.
import type { DTypeName } from "../../runtime/base/dtype.js";
import { type Complex, isComplex } from "../../runtime/ops/reference/scalar.js";
import type { Scalar } from "../../runtime/ops/op.js";

/** A set of arguments for which another value than PyTorch's is right. */
export interface Deviation {
  readonly op: string;
  readonly reason: string;
  readonly applies: (args: readonly Scalar[], got: Scalar, want: Scalar) => boolean;
}

export const deviations: readonly Deviation[] = [
  {
    op: "trigamma",
    reason: "a pole is infinite; PyTorch's reflection formula divides by a rounded sine there",
    applies: ([x], got) => Number(x) <= 0 && Number.isInteger(Number(x)) && got === Number.POSITIVE_INFINITY,
  },
  {
    op: "sqrt",
    reason: "the correctly rounded root; PyTorch's vectorised one is off by one place",
    applies: ([x], got) => got === Math.sqrt(Number(x)),
  },
  {
    op: "softsign",
    reason: "integers become floats before 1 is added; PyTorch adds in the integer type, which overflows",
    applies: ([x], got) => Math.abs(Number(x)) > 100 && Math.abs(Number(got)) <= 1,
  },
  {
    op: "sinc",
    reason: "zeros at whole numbers are exact",
    applies: ([x], got) => {
      const value = isComplex(got) ? got.re : got;
      return Number.isInteger(isComplex(x as Scalar) ? (x as Complex).re : Number(x)) && value === 0;
    },
  },
  {
    op: "signbit",
    reason: "the sign of a NaN has no meaning",
    applies: ([x]) => Number.isNaN(x),
  },
  {
    op: "copysign",
    reason: "the sign of a NaN has no meaning",
    applies: ([, y]) => Number.isNaN(y),
  },
  {
    op: "tanhshrink",
    reason: "small arguments keep their digits; PyTorch subtracts numbers that nearly cancel",
    applies: ([x], got) => Math.abs(Number(x)) < 0.5 && Math.abs(Number(got) - Number(x) ** 3 / 3) < 1e-2 * Math.abs(Number(x)) ** 3 + 1e-12,
  },
  {
    op: "softshrink",
    reason: "the zero in the middle is positive; PyTorch's sign depends on the position in the tensor",
    applies: (_, got, want) => got === 0 && want === 0,
  },
  {
    op: "ldexp",
    reason: "PyTorch rounds the power of two to the second operand's own half type",
    applies: ([x, y], got) => Math.abs(Number(got) / (Number(x) * 2 ** Number(y)) - 1) < 1e-6,
  },
  {
    op: "floatPower",
    reason: "a complex zero to the power zero is 1",
    applies: (_, got, want) => isComplex(want) && Number.isNaN(want.re) && isComplex(got) && got.re === 1,
  },
  {
    op: "gelu",
    reason: "infinite at infinity, where PyTorch's vectorised float32 is NaN and its float64 is not; exact in the tail",
    applies: ([x], got, want) => (x === Number.POSITIVE_INFINITY && got === x) || (Number(x) < -3 && near(got, want, 1e-3)),
  },
  {
    op: "ndtr",
    reason: "the lower tail keeps its digits; PyTorch's is 1 - erf, which is 0 there",
    applies: ([x], got) => Number(x) < -3 && Number(got) > 0 && Number(got) < 1e-3,
  },
  {
    op: "zeta",
    reason: "a power that underflows leaves 0; PyTorch multiplies the 0 by infinity",
    applies: ([s, q], got) => Number(s) > 1e9 && Number(q) > 1 && got === 0,
  },
  {
    op: "zeta",
    reason: "every term of the sum is 0 for an infinite second argument",
    applies: ([s, q], got) => Number(s) > 1 && q === Number.POSITIVE_INFINITY && got === 0,
  },
  {
    op: "gcd",
    reason: "a divisor is positive where the dtype holds it; PyTorch's is negative beside the lowest integer",
    applies: (_, got, want) => Number(got) > 0 && Number(got) === -Number(want),
  },
  {
    op: "airyAi",
    reason: "the angle of an argument beyond -1e9 has no digits left after the point",
    applies: ([x]) => Number(x) < -1e9,
  },
];

function near(a: Scalar, b: Scalar, relative: number): boolean {
  return Math.abs(Number(a) - Number(b)) <= relative * Math.abs(Number(b));
}

const halves = new Set<DTypeName>(["float16", "bfloat16"]);
/** Functions that PyTorch's CPU leaves out for half types; here they compute in float32. */
const halfToo = new Set([
  "erfcx", "ndtri", "logNdtr", "besselJ0", "besselJ1", "besselY0", "besselY1", "airyAi", "sphericalBesselJ0",
  "modifiedBesselK0", "modifiedBesselK1", "zeta",
]);

/** True where jitlab accepts dtypes that PyTorch refuses, because the meaning is obvious. */
export function extensions(op: string, names: readonly DTypeName[]): boolean {
  if (halfToo.has(op)) return names.some((name) => halves.has(name)) && !names.some((n) => n.startsWith("complex"));
  if (op === "sub") return names.includes("bool") && names.some((name) => name !== "bool");
  if (op === "heaviside") return !names.some((name) => name.startsWith("complex"));
  return (op === "softsign" || op === "tanhshrink") && names.includes("bool");
}
