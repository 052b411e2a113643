// Bessel functions on the host, from their integrals: the trapezoidal rule converges geometrically for a periodic
// integrand, so that a few hundred points give full precision.

/** Mean of f over (0, pi), whose even periodic continuation is smooth. */
const meanOverHalfPeriod = (points: number, f: (t: number) => number): number => {
  let sum = 0;
  for (let k = 0; k < points; k++) sum += f((Math.PI * (k + 0.5)) / points);
  return sum / points;
};

/** exp(-|x|) I_n(x), from the mean of exp(x cos t) cos(n t). */
const scaledI = (n: number) => (x: number) => {
  const a = Math.abs(x);
  if (a === Number.POSITIVE_INFINITY) return 0 * x;
  if (n === 1 && a < 1e-3) return (x / 2) * (1 + (x * x) / 8) * Math.exp(-a);
  const points = 60 + 4 * Math.ceil(Math.sqrt(Math.min(a, 1e5)));
  const mean = meanOverHalfPeriod(points, (t) => Math.exp(a * (Math.cos(t) - 1)) * Math.cos(n * t));
  return n % 2 === 1 && x < 0 ? -mean : mean;
};

export const i0e = scaledI(0);
export const i1e = scaledI(1);
export const i0 = (x: number): number => {
  const half = Math.exp(Math.abs(x) / 2);
  return half * i0e(x) * half || Math.abs(x);
};
export const i1 = (x: number): number => {
  const half = Math.exp(Math.abs(x) / 2);
  return half * i1e(x) * half || x;
};
