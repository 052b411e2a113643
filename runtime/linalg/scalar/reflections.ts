// Householder's reflections: QR factorizations, and the reduction of Hermitian matrices to tridiagonal ones. As in LAPACK,
// a reflection is `I - tau v v^H` with `v[0] = 1`, and makes the first element real.
import {
  addScaled,
  type Columns,
  conjugate,
  dot,
  elementAt,
  lengthOf,
  negative,
  type Pair,
  product,
  put,
  quotient,
  scale,
} from "./columns.js";

/**
 * Replaces a column from `row` on by its reflection: the new first element, and below it the rest of `v`. Returns tau.
 */
function reflection(a: Columns, row: number, column: number): Pair {
  const first = elementAt(a, row, column);
  const below = a.rows - row - 1;
  const rest = lengthOf(a, column, row + 1, below);
  if (rest === 0 && first.im === 0) return { re: 0, im: 0 };
  const length = Math.hypot(first.re, first.im, rest);
  const beta = first.re < 0 || Object.is(first.re, -0) ? length : -length;
  const divisor = { re: first.re - beta, im: first.im };
  scale(a, column, quotient({ re: 1, im: 0 }, divisor), row + 1, below);
  put(a, row, column, { re: beta, im: 0 });
  return { re: (beta - first.re) / beta, im: -first.im / beta };
}

/** Applies `I - factor v v^H` to a column, with `v` in another column from `row` on, and its first element 1. */
function reflect(
  to: Columns,
  toColumn: number,
  factor: Pair,
  v: Columns,
  vColumn: number,
  row: number,
): void {
  if (factor.re === 0 && factor.im === 0) return;
  const below = to.rows - row - 1;
  const first = elementAt(to, row, toColumn);
  const rest = dot(v, vColumn, to, toColumn, row + 1, below);
  const share = product(factor, { re: first.re + rest.re, im: first.im + rest.im });
  put(to, row, toColumn, { re: first.re - share.re, im: first.im - share.im });
  addScaled(to, toColumn, negative(share), v, vColumn, row + 1, below);
}

/** Factors a matrix in place: R on and above the diagonal, the reflections below it. Returns their factors tau. */
export function factorQr(a: Columns): readonly Pair[] {
  return Array.from({ length: Math.min(a.rows, a.columns) }, (_, k) => {
    const tau = reflection(a, k, k);
    for (let j = k + 1; j < a.columns; j++) reflect(a, j, conjugate(tau), a, k, k);
    return tau;
  });
}

/** Writes the first columns of the product of reflections, which begin `shift` rows below the diagonal of `a`. */
export function writeQ(q: Columns, a: Columns, taus: readonly Pair[], shift = 0): void {
  q.data.fill(0);
  for (let j = 0; j < q.columns; j++) put(q, j, j, { re: 1, im: 0 });
  for (let k = taus.length - 1; k >= 0; k--) {
    for (let j = k + shift; j < q.columns; j++) reflect(q, j, taus[k] as Pair, a, k, k + shift);
  }
}

/**
 * Reduces a Hermitian matrix, both triangles of which are given, to a real tridiagonal one. Writes its diagonal and what is
 * below it, and leaves the reflections in `a`. Returns their factors.
 */
export function reduceToTridiagonal(
  a: Columns,
  diagonal: Float64Array,
  below: Float64Array,
): readonly Pair[] {
  const { rows } = a;
  const scratch: Columns = {
    ...a,
    columns: 1,
    data: new Float64Array(rows * (a.isComplex ? 2 : 1)),
  };
  const taus: Pair[] = [];
  for (let k = 0; k < rows - 1; k++) {
    const tau = reflection(a, k + 1, k);
    below[k] = elementAt(a, k + 1, k).re;
    taus.push(tau);
    if (tau.re !== 0 || tau.im !== 0) subtractBothSides(a, k, tau, scratch);
  }
  for (let k = 0; k < rows; k++) diagonal[k] = elementAt(a, k, k).re;
  return taus;
}

/** Reflects the rest of the matrix from both sides: `A - v w^H - w v^H`. */
function subtractBothSides(a: Columns, k: number, tau: Pair, w: Columns): void {
  const from = k + 1;
  const count = a.rows - from;
  // v is complete while it is used.
  const kept = elementAt(a, from, k);
  put(a, from, k, { re: 1, im: 0 });
  w.data.fill(0);
  for (let j = from; j < a.rows; j++) {
    addScaled(w, 0, product(tau, elementAt(a, j, k)), a, j, from, count);
  }
  const half = product(tau, dot(w, 0, a, k, from, count));
  addScaled(w, 0, { re: -half.re / 2, im: -half.im / 2 }, a, k, from, count);
  for (let j = from; j < a.rows; j++) {
    const [v, other] = [elementAt(a, j, k), elementAt(w, j, 0)];
    addScaled(a, j, negative(conjugate(other)), a, k, from, count);
    addScaled(a, j, negative(conjugate(v)), w, 0, from, count);
  }
  put(a, from, k, kept);
}
