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
