// Derivatives of complex numbers, in PyTorch's convention: the cotangent of an argument is the conjugate of the derivative of a real
// loss, so that gradient descent subtracts it. A complex derivative multiplies by its conjugate; others are listed.
import type { Slope } from "../ops/op.js";

type Slopes = Readonly<Record<string, Slope | undefined>>;

/** Operations that have no complex derivative, or other values than of real numbers: their cotangents over `g`. */
const ofParts: Readonly<Record<string, Slopes>> = {
  abs: { a: { select: "g * sgn(a)" } },
  angle: { a: { select: "a == 0 ? 0 : complex(0, g) * a / square(abs(a))" } },
  real: { a: { select: "complex(g, 0)" } },
  imag: { a: { select: "complex(0, g)" } },
  conj: { a: { select: "conj(g)" } },
  complex: { a: { select: "real(g)" }, b: { select: "imag(g)" } },
  polar: {
    a: { select: "real(conj(g) * complex(cos(b), sin(b)))" },
    b: { select: "real(conj(g) * complex(-imag(y), real(y)))" },
  },
  pow: {
    a: {
      select:
        "(b == 0) | ((a == 0) & (real(b) > 1)) ? 0 : (a == 0) & (b == 1) ? g : g * conj(b * a ** (b - 1))",
    },
    b: { select: "(a == 0) & (real(b) >= 0) ? 0 : g * conj(y * log(a))" },
  },
  // On the other side of the imaginary axis the root of a square minus 1 has another sign.
  acosh: { a: { select: "g * conj(rsqrt(a - 1) * rsqrt(a + 1))" } },
  sgn: { a: { select: "abs(a) == 0 ? 0 : g / abs(a) - real(g / abs(a) * conj(y)) * y" } },
};

/** Operations whose derivatives by complex numbers are those by real ones. */
const holomorphic = new Set(
  (
    "copy add sub rsub mul div neg positive square reciprocal exp exp2 expm1 log log2 log10 log1p sqrt rsqrt sin cos tan asin " +
    "acos atan sinh cosh tanh asinh atanh sigmoid lerp addcmul addcdiv where"
  ).split(" "),
);

/** The cotangents of an operation over complex numbers; undefined if they are not known. */
export function complexSlopes(name: string, slopes: Slopes | undefined): Slopes | undefined {
  if (Object.hasOwn(ofParts, name)) return ofParts[name];
  if (slopes === undefined || !holomorphic.has(name)) return undefined;
  return Object.fromEntries(Object.entries(slopes).map(([key, slope]) => [key, conjugated(slope as Slope)]));
}

function conjugated(slope: Slope): Slope {
  if (typeof slope !== "string" || slope === "0" || slope === "1" || slope === "-1") return slope;
  return { select: `g * conj(${slope})` };
}
