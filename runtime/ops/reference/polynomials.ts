// Orthogonal polynomials on the host, by their three-term recurrences.

type Step = (k: number, current: number, previous: number) => number;

/** The polynomial of degree n of a recurrence that starts with 1 and `first`. */
function recurrence(n: number, first: number, step: Step): number {
  if (n < 0) return 0;
  let previous = 1;
  let current = first;
  for (let k = 1; k < n; k++) [previous, current] = [current, step(k, current, previous)];
  return n === 0 ? 1 : current;
}

const chebyshev =
  (first: (x: number) => number) =>
  (x: number, n: number): number =>
    recurrence(n, first(x), (_, current, previous) => 2 * x * current - previous);

export const chebyshevT = chebyshev((x) => x);
export const chebyshevU = chebyshev((x) => 2 * x);
export const chebyshevV = chebyshev((x) => 2 * x - 1);
export const chebyshevW = chebyshev((x) => 2 * x + 1);
/** A polynomial of x - 1/2 over the unit interval. */
export const shifted =
  (f: (x: number, n: number) => number) =>
  (x: number, n: number): number =>
    f(2 * x - 1, n);

export const hermiteH = (x: number, n: number): number =>
  recurrence(n, 2 * x, (k, current, previous) => 2 * (x * current - k * previous));
export const hermiteHe = (x: number, n: number): number =>
  recurrence(n, x, (k, current, previous) => x * current - k * previous);
export const laguerre = (x: number, n: number): number =>
  recurrence(n, 1 - x, (k, current, previous) => ((2 * k + 1 - x) * current - k * previous) / (k + 1));
export const legendre = (x: number, n: number): number =>
  recurrence(n, x, (k, current, previous) => ((2 * k + 1) * x * current - k * previous) / (k + 1));
