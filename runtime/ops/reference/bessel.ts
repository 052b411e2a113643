// Bessel functions on the host, from their integrals: the trapezoidal rule converges geometrically for a periodic
// integrand, so that a few hundred points give full precision. At infinity they are NaN where PyTorch's are.

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
const unscaled = (scaled: (x: number) => number) => (x: number) => {
  const half = Math.exp(Math.abs(x) / 2);
  return half * scaled(x) * half;
};
export const i0 = unscaled(i0e);
export const i1 = unscaled(i1e);

// From here on, Hankel's expansion has full precision for n of 0 and 1; the integrals take time in proportion to x.
const far = 1000;

/** J_n(x) and Y_n(x) far from 0, for n of 0 and 1. */
function hankel(n: number, x: number): readonly [j: number, y: number] {
  let term = 1;
  const sums = [1, 0];
  for (let k = 1; k < 8; k++) {
    term *= (4 * n * n - (2 * k - 1) ** 2) / (8 * k * x);
    sums[k % 2] = (sums[k % 2] as number) + (k % 4 < 2 ? term : -term);
  }
  const [p, q] = sums as [number, number];
  const [plus, minus] = [Math.cos(x) + Math.sin(x), Math.sin(x) - Math.cos(x)];
  const [cos, sin] = n === 0 ? [plus, minus] : [minus, -plus];
  const size = 1 / Math.sqrt(Math.PI * x);
  return [size * (p * cos - q * sin), size * (p * sin + q * cos)];
}

/** J_n(x), from the mean of cos(x sin t - n t). */
export function besselJ(n: number, x: number): number {
  if (!Number.isFinite(x)) return Number.NaN;
  if (n < 2 && Math.abs(x) > far) return (x < 0 && n === 1 ? -1 : 1) * hankel(n, Math.abs(x))[0];
  const points = 40 + n + 2 * Math.ceil(Math.abs(x));
  return meanOverHalfPeriod(points, (t) => Math.cos(x * Math.sin(t) - n * t));
}
const euler = 0.5772156649015329;

/** Y_0(x), from Neumann's series over J. */
export function besselY0(x: number): number {
  if (!(x > 0) || !Number.isFinite(x)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x > far) return hankel(0, x)[1];
  let sum = (Math.log(x / 2) + euler) * besselJ(0, x);
  for (let k = 1; k < 20 + x; k++) sum -= ((k % 2 === 0 ? 2 : -2) * besselJ(2 * k, x)) / k;
  return (2 / Math.PI) * sum;
}
/** Y_1(x), from the derivative of that series. */
export function besselY1(x: number): number {
  if (!(x > 0) || !Number.isFinite(x)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x > far) return hankel(1, x)[1];
  let sum = (Math.log(x / 2) + euler) * besselJ(1, x) - besselJ(0, x) / x;
  for (let k = 1; k < 20 + x; k++) {
    sum += ((k % 2 === 0 ? 1 : -1) * (besselJ(2 * k - 1, x) - besselJ(2 * k + 1, x))) / k;
  }
  return (2 / Math.PI) * sum;
}

/** exp(x) K_n(x), from the integral of exp(x - x cosh t) cosh(n t), whose ends vanish doubly exponentially. */
export function scaledK(n: number, x: number): number {
  if (!(x > 0) || !Number.isFinite(x)) return x === 0 ? Number.POSITIVE_INFINITY : x > 0 ? 0 : Number.NaN;
  const step = 1 / 64;
  let sum = 0.5;
  for (let t = step; ; t += step) {
    const term = Math.exp(x - x * Math.cosh(t)) * Math.cosh(n * t);
    sum += term;
    if (term < 1e-18 * sum) return sum * step;
  }
}
/** K_n(x). */
export const besselK = (n: number, x: number): number => scaledK(n, x) * (x === 0 ? 1 : Math.exp(-x));

/** Ai(x): the power series below 1, and an integral over the path of steepest descent above. */
export function airyAi(x: number): number {
  if (!Number.isFinite(x)) return Number.NaN;
  if (x > 1) {
    const step = 1 / 64;
    const root = Math.sqrt(x);
    let sum = 0.5;
    for (let t = step; t < 12; t += step) sum += Math.exp(-root * t * t) * Math.cos(t ** 3 / 3);
    return (Math.exp((-2 / 3) * x * root) / Math.PI) * sum * step;
  }
  let f = 0.3550280538878172;
  let g = -0.2588194037928068 * x;
  let sum = f + g;
  for (let k = 1; k < 60; k++) {
    f *= x ** 3 / ((3 * k - 1) * 3 * k);
    g *= x ** 3 / (3 * k * (3 * k + 1));
    sum += f + g;
  }
  return sum;
}
