// The error function and the normal distribution on the host: the power series near zero, Laplace's continued fraction
// far out, Newton's iteration for the inverses.

/** exp(x^2) erfc(x) for x from 2 up. */
function erfcxFar(x: number): number {
  let fraction = x;
  for (let k = 120; k >= 1; k--) fraction = x + k / 2 / fraction;
  return 1 / (Math.sqrt(Math.PI) * fraction);
}

/** Integral of the Gaussian from 0 to x, times 2 / sqrt(pi). */
export function erf(x: number): number {
  if (Math.abs(x) >= 2.5) return Math.sign(x) * (1 - erfcxFar(Math.abs(x)) * Math.exp(-x * x));
  // All terms of this series are positive.
  let term = x;
  let sum = x;
  for (let n = 1; n < 80; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return ((2 * sum) / Math.sqrt(Math.PI)) * Math.exp(-x * x);
}
export const erfc = (x: number): number => (x >= 2 ? erfcxFar(x) * Math.exp(-x * x) : 1 - erf(x));
export const erfcx = (x: number): number => (x >= 2 ? erfcxFar(x) : Math.exp(x * x) * erfc(x));

export const ndtr = (x: number): number => erfc(-x / Math.SQRT2) / 2;
export const logNdtr = (x: number): number =>
  x < -3 ? Math.log(erfcx(-x / Math.SQRT2) / 2) - (x * x) / 2 : Math.log1p(-erfc(x / Math.SQRT2) / 2);

/** The x with ndtr(x) = p, by Newton's iteration on the logarithm. */
export function ndtri(p: number): number {
  if (!(p > 0 && p < 1)) return p === 0 || p === 1 ? (p - 0.5) * Number.POSITIVE_INFINITY : Number.NaN;
  if (p > 0.5) return -ndtri(1 - p);
  let x = p > 0.1 ? 0 : -Math.sqrt(-2 * Math.log(p));
  for (let i = 0; i < 60; i++) {
    const density = Math.sqrt(2 / Math.PI) / erfcx(-x / Math.SQRT2);
    x -= (logNdtr(x) - Math.log(p)) / density;
  }
  return x;
}
/** The inverse of erf; near zero from its derivative there, which ndtri cannot resolve. */
export function erfinv(x: number): number {
  if (Math.abs(x) < 1e-4) return (x * Math.sqrt(Math.PI)) / 2;
  return -Math.sign(x) * (ndtri((1 - Math.abs(x)) / 2) / Math.SQRT2);
}
