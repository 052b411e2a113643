// The gamma function's logarithm and derivatives on the host: recurrence up to 16, then the asymptotic series. They
// define the ops to about thirteen digits; the last ones are measured against tables computed with many digits.

/** Runs a function of positive x upwards: adds `step(x)` until x is large enough for `series`. */
const raised = (step: (x: number) => number, series: (x: number) => number) => (x: number) => {
  let sum = 0;
  let at = x;
  for (; at < 16; at++) sum += step(at);
  return sum + series(at);
};

const lgammaPositive = raised(
  (x) => -Math.log(x),
  (x) => {
    const z = 1 / (x * x);
    const tail = (1 / 12 - z * (1 / 360 - z * (1 / 1260 - z / 1680))) / x;
    return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + tail;
  },
);
const digammaPositive = raised(
  (x) => -1 / x,
  (x) => {
    const z = 1 / (x * x);
    return Math.log(x) - 0.5 / x - z * (1 / 12 - z * (1 / 120 - z * (1 / 252 - z / 240)));
  },
);
const trigammaPositive = raised(
  (x) => 1 / (x * x),
  (x) => {
    const z = 1 / (x * x);
    return 1 / x + z / 2 + (z / x) * (1 / 6 - z * (1 / 30 - z * (1 / 42 - z / 30)));
  },
);

/** sin(pi x), reduced before it is multiplied. */
export function sinPi(x: number): number {
  const nearest = Math.round(x);
  const sine = Math.sin(Math.PI * (x - nearest));
  return nearest % 2 === 0 ? sine : -sine;
}

/** Logarithm of the magnitude of the gamma function. */
export function lgamma(x: number): number {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? x : Number.POSITIVE_INFINITY;
  if (x <= 0 && Number.isInteger(x)) return Number.POSITIVE_INFINITY;
  if (x > 0) return x > 1e300 ? x * (Math.log(x) - 1) : lgammaPositive(x);
  return Math.log(Math.PI / Math.abs(sinPi(x))) - lgammaPositive(1 - x);
}

/** Derivative of lgamma. */
export function digamma(x: number): number {
  if (x === 0) return -1 / x;
  if (x > 0) return digammaPositive(x);
  if (!Number.isFinite(x) || Number.isInteger(x)) return Number.NaN;
  return digammaPositive(1 - x) - Math.PI / Math.tan(Math.PI * (x - Math.round(x)));
}

/** Second derivative of lgamma. */
export function trigamma(x: number): number {
  if (x > 0) return trigammaPositive(x);
  if (!Number.isFinite(x)) return Number.NaN;
  if (Number.isInteger(x)) return Number.POSITIVE_INFINITY;
  return (Math.PI / sinPi(x)) ** 2 - trigammaPositive(1 - x);
}

const bernoulli = [1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000];

/** Hurwitz's zeta function: the sum of (q + k)^-s over k from 0. */
export function zeta(s: number, q: number): number {
  if (s === 1) return Number.POSITIVE_INFINITY;
  if (!(s > 1) || Number.isNaN(q)) return Number.NaN;
  if (q <= 0 && Number.isInteger(q)) return Number.POSITIVE_INFINITY;
  if (q < 0 && !Number.isInteger(s)) return Number.NaN;
  let sum = 0;
  let a = q;
  for (; a < 20; a++) sum += a ** -s;
  sum += a ** (1 - s) / (s - 1) + 0.5 * a ** -s;
  let factor = s * a ** (-s - 1);
  for (const [k, c] of bernoulli.entries()) {
    sum += c * factor;
    factor *= ((s + 2 * k + 1) * (s + 2 * k + 2)) / (a * a);
  }
  return sum;
}

/** Derivative of order n of digamma. */
export function polygamma(n: number, x: number): number {
  if (n < 0) return Number.NaN;
  if (n === 0) return digamma(x);
  if (n === 1) return trigamma(x);
  let factorial = 1;
  for (let k = 2; k <= n && factorial < Number.POSITIVE_INFINITY; k++) factorial *= k;
  return (n % 2 === 0 ? -1 : 1) * factorial * zeta(n + 1, x);
}

/** The share of the gamma integral below x: its power series, with positive terms only. */
export function gammainc(a: number, x: number): number {
  if (!(a > 0 && x > 0)) return a === 0 && x > 0 ? 1 : a > 0 && x === 0 ? 0 : Number.NaN;
  let term = 1 / a;
  let sum = term;
  for (let n = a + 1; term > sum * 1e-18; n++) {
    term *= x / n;
    sum += term;
  }
  return Math.exp(a * Math.log(x) - x - lgamma(a)) * sum;
}

/** Logarithm of the multivariate gamma function of p dimensions. */
export function multigammaln(a: number, p: number): number {
  let sum = (p * (p - 1) * Math.log(Math.PI)) / 4;
  for (let j = 0; j < p; j++) sum += lgamma(a - j / 2);
  return p < 1 ? Number.NaN : sum;
}
