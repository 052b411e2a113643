// Complex arithmetic and elementary functions on the host, straight from their definitions.
import type { Complex } from "./scalar.js";

const complex = (re: number, im: number): Complex => ({ re, im });
const one = complex(1, 0);

export const complexAdd = (a: Complex, b: Complex): Complex => complex(a.re + b.re, a.im + b.im);
export const complexSubtract = (a: Complex, b: Complex): Complex => complex(a.re - b.re, a.im - b.im);
export const complexMultiply = (a: Complex, b: Complex): Complex =>
  complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
export const complexScale = (a: Complex, s: number): Complex => complex(a.re * s, a.im * s);
export const complexDivide = (a: Complex, b: Complex): Complex => {
  const scale = Math.max(Math.abs(b.re), Math.abs(b.im));
  const c = complex(b.re / scale, b.im / scale);
  const norm = (c.re * c.re + c.im * c.im) * scale;
  return complex((a.re * c.re + a.im * c.im) / norm, (a.im * c.re - a.re * c.im) / norm);
};
export const complexExp = (a: Complex): Complex =>
  complex(Math.exp(a.re) * Math.cos(a.im), a.im === 0 ? a.im : Math.exp(a.re) * Math.sin(a.im));
export const complexLog = (a: Complex): Complex =>
  complex(Math.log(Math.hypot(a.re, a.im)), Math.atan2(a.im, a.re));
export const complexSqrt = (a: Complex): Complex => {
  const r = Math.hypot(a.re, a.im);
  const major = Math.sqrt((r + Math.abs(a.re)) / 2);
  if (major === 0) return complex(0, a.im);
  const minor = Math.abs(a.im) / 2 / major;
  const negative = a.im < 0 || Object.is(a.im, -0) ? -1 : 1;
  return a.re >= 0 ? complex(major, negative * minor) : complex(minor, negative * major);
};
export const complexExp2 = (a: Complex): Complex => complexExp(complexScale(a, Math.LN2));
export const complexExpm1 = (a: Complex): Complex => {
  const { re, im } = complexExp(a);
  return complex(re - 1, im);
};
export const complexSigmoid = (a: Complex): Complex =>
  complexDivide(one, complexAdd(one, complexExp(complexScale(a, -1))));
export const complexPower = (a: Complex, b: Complex): Complex =>
  b.re === 0 && b.im === 0 ? one : complexExp(complexMultiply(b, complexLog(a)));

export const complexSinh = (a: Complex): Complex =>
  complex(Math.sinh(a.re) * Math.cos(a.im), Math.cosh(a.re) * Math.sin(a.im));
export const complexCosh = (a: Complex): Complex =>
  complex(Math.cosh(a.re) * Math.cos(a.im), Math.sinh(a.re) * Math.sin(a.im));
export const complexTanh = (a: Complex): Complex => {
  const denominator = Math.cosh(2 * a.re) + Math.cos(2 * a.im);
  return complex(Math.sinh(2 * a.re) / denominator, Math.sin(2 * a.im) / denominator);
};
/** f(ix) / i, which turns a hyperbolic function into its circular counterpart. */
export const rotated =
  (f: (a: Complex) => Complex) =>
  (a: Complex): Complex => {
    const { re, im } = f(complex(-a.im, a.re));
    return complex(im, -re);
  };
export const complexSin = rotated(complexSinh);
export const complexCos = (a: Complex): Complex => complexCosh(complex(-a.im, a.re));
export const complexTan = rotated(complexTanh);

export const complexAsinh = (a: Complex): Complex => {
  // asinh is odd; the half plane where the sum below does not cancel is the right one.
  if (a.re < 0) return complexScale(complexAsinh(complexScale(a, -1)), -1);
  return complexLog(complexAdd(a, complexSqrt(complexAdd(complexMultiply(a, a), one))));
};
export const complexAcosh = (a: Complex): Complex =>
  complexLog(
    complexAdd(a, complexMultiply(complexSqrt(complexAdd(a, one)), complexSqrt(complexSubtract(a, one)))),
  );
export const complexAtanh = (a: Complex): Complex =>
  complexScale(complexSubtract(complexLog(complexAdd(one, a)), complexLog(complexSubtract(one, a))), 0.5);
export const complexAsin = rotated(complexAsinh);
export const complexAcos = (a: Complex): Complex => {
  const { re, im } = complexAsin(a);
  return complex(Math.PI / 2 - re, -im);
};
export const complexAtan = rotated(complexAtanh);
