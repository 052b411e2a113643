// Singular values by one-sided Jacobi rotations (Hestenes, 1958): pairs of columns are rotated until all are orthogonal.
// Even the smallest singular values have few wrong digits.
import {
  addScaled,
  type Columns,
  conjugate,
  dot,
  elementAt,
  epsilon,
  lengthOf,
  placeOf,
  powerFor,
  put,
  rotate,
  scale,
  zeroColumns,
} from "./columns.js";
import { factorQr, writeQ } from "./reflections.js";

const mostSweeps = 60;
// Columns that are shorter, where the matrix's largest element is about 1, count as zero.
const shortest = 2 ** -1000;

/** The singular values in descending order, `u` with orthonormal columns, and `v`, the adjoint of `vh`. */
export interface Svd {
  readonly values: Float64Array;
  readonly u: Columns;
  readonly v: Columns;
  /** False if the rotations did not end. */
  readonly isDone: boolean;
}

/** The singular values and vectors of a matrix: `a = u diag(values) v^H`, with as many columns of `u` and `v` as wanted. */
export function solveSvd(a: Columns, uColumns: number, vColumns: number): Svd {
  if (a.rows >= a.columns) return solveTall(a, uColumns);
  const { u, v, ...rest } = solveTall(adjoint(a), vColumns);
  return { ...rest, u: v, v: u };
}

/** The adjoint of a matrix. */
export function adjoint(a: Columns): Columns {
  const turned = zeroColumns(a.columns, a.rows, a.isComplex);
  for (let column = 0; column < a.columns; column++)
    for (let row = 0; row < a.rows; row++) put(turned, column, row, conjugate(elementAt(a, row, column)));
  return turned;
}

/** The same for at least as many rows as columns; without vectors if `uColumns` is 0. */
function solveTall(given: Columns, uColumns: number): Svd {
  // The triangular factor has fewer rows, and its columns need fewer sweeps.
  const { columns, isComplex } = given;
  const power = powerFor(given);
  const factors: Columns = { ...given, data: given.data.map((number) => number * power) };
  const taus = factorQr(factors);
  const a = zeroColumns(columns, columns, isComplex);
  for (let j = 0; j < columns; j++) for (let i = 0; i <= j; i++) put(a, i, j, elementAt(factors, i, j));
  const v = zeroColumns(columns, columns, isComplex);
  for (let j = 0; j < columns; j++) put(v, j, j, { re: 1, im: 0 });
  const isDone = orthogonalize(a, uColumns === 0 ? [a] : [a, v]);
  const lengths = Array.from({ length: columns }, (_, j) => lengthOf(a, j, 0, columns));
  const order = lengths.map((_, j) => j).sort((i, j) => (lengths[j] as number) - (lengths[i] as number));
  const scaled = Float64Array.from(order, (j) => lengths[j] as number);
  const values = scaled.map((value) => value / power);
  if (uColumns === 0) return { values, u: a, v, isDone };
  const inner = completed(picked(a, order), scaled);
  return { values, u: product(factors, taus, inner, uColumns), v: picked(v, order), isDone };
}

/** Rotates pairs of columns of the first matrix until all are orthogonal, and the columns of all matrices with them. */
function orthogonalize(a: Columns, matrices: readonly Columns[]): boolean {
  const tolerance = epsilon * Math.sqrt(Math.max(1, a.rows));
  for (let sweep = 0; sweep < mostSweeps; sweep++) {
    let isDone = true;
    for (let p = 0; p < a.columns - 1; p++)
      for (let q = p + 1; q < a.columns; q++) {
        if (rotatePair(a, p, q, tolerance, matrices)) isDone = false;
      }
    if (isDone) return true;
  }
  return false;
}

/** Makes two columns orthogonal; false if they are. */
function rotatePair(
  a: Columns,
  p: number,
  q: number,
  tolerance: number,
  matrices: readonly Columns[],
): boolean {
  const [left, right] = [lengthOf(a, p, 0, a.rows), lengthOf(a, q, 0, a.rows)];
  const inner = dot(a, p, a, q, 0, a.rows);
  const size = Math.hypot(inner.re, inner.im);
  if (size <= tolerance * left * right) return false;
  // The phase makes the inner product real.
  const phase = { re: inner.re / size, im: -inner.im / size };
  const half = ((right / size) * right - (left / size) * left) / 2;
  const tangent = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.hypot(half, 1));
  const cosine = 1 / Math.hypot(tangent, 1);
  for (const matrix of matrices) {
    scale(matrix, q, phase, 0, matrix.rows);
    rotate(matrix, p, q, cosine, cosine * tangent);
  }
  return true;
}

/** Columns in another order. */
function picked(a: Columns, order: readonly number[]): Columns {
  const result = zeroColumns(a.rows, order.length, a.isComplex);
  for (const [to, from] of order.entries()) {
    const part = a.data.subarray(placeOf(a, 0, from), placeOf(a, 0, from + 1));
    result.data.set(part, placeOf(result, 0, to));
  }
  return result;
}

/** The columns divided by their lengths; the shortest ones are replaced by a basis of the space orthogonal to the others. */
function completed(a: Columns, lengths: Float64Array): Columns {
  const size = a.rows;
  const zero = lengths.findIndex((length) => length < shortest);
  const known = zero < 0 ? size : zero;
  for (let j = 0; j < known; j++) scale(a, j, { re: 1 / (lengths[j] as number), im: 0 }, 0, size);
  if (known === size) return a;
  const part: Columns = { ...a, columns: known, data: a.data.slice(0, placeOf(a, 0, known)) };
  const taus = factorQr(part);
  const basis = zeroColumns(size, size, a.isComplex);
  writeQ(basis, part, taus);
  a.data.set(basis.data.subarray(placeOf(a, 0, known)), placeOf(a, 0, known));
  return a;
}

/** The first columns of Q times a matrix, followed by further columns of Q. */
function product(
  factors: Columns,
  taus: ReturnType<typeof factorQr>,
  inner: Columns,
  count: number,
): Columns {
  const q = zeroColumns(factors.rows, Math.max(count, inner.columns), factors.isComplex);
  writeQ(q, factors, taus);
  const result = zeroColumns(factors.rows, count, factors.isComplex);
  for (let j = 0; j < count; j++) {
    const isProduct = j < inner.columns;
    if (!isProduct) addScaled(result, j, { re: 1, im: 0 }, q, j, 0, factors.rows);
    for (let k = 0; isProduct && k < inner.columns; k++) {
      addScaled(result, j, elementAt(inner, k, j), q, k, 0, factors.rows);
    }
  }
  return result;
}
