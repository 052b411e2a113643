// Eigenvalues and eigenvectors of Hermitian matrices: a tridiagonal form by reflections, then the implicit QL algorithm
// (Bowdler, Martin, Reinsch and Wilkinson, Handbook for Automatic Computation II, 1971).
import {
  type Columns,
  conjugate,
  elementAt,
  epsilon,
  placeOf,
  powerFor,
  put,
  rotate,
  zeroColumns,
} from "./columns.js";
import { reduceToTridiagonal, writeQ } from "./reflections.js";

const mostSteps = 60;

/**
 * Writes the ascending eigenvalues of the matrix that one triangle of `a` gives, and, if asked for, the eigenvectors over `a`.
 * Returns how many eigenvalues were not found.
 */
export function solveEigen(a: Columns, isUpper: boolean, values: Float64Array, withVectors: boolean): number {
  const factor = powerFor(a);
  fillTriangle(a, isUpper, factor);
  const below = new Float64Array(a.rows);
  const taus = reduceToTridiagonal(a, values, below);
  const vectors = withVectors ? zeroColumns(a.rows, a.rows, a.isComplex) : undefined;
  if (vectors) writeQ(vectors, a, taus, 1);
  const missing = iterate(values, below, vectors);
  for (let i = 0; i < a.rows; i++) values[i] = (values[i] as number) / factor;
  const order = Array.from(values.keys()).sort((i, j) => (values[i] as number) - (values[j] as number));
  values.sort();
  if (vectors) {
    for (const [to, from] of order.entries()) {
      const [at, begin, end] = [placeOf(a, 0, to), placeOf(a, 0, from), placeOf(a, 0, from + 1)];
      a.data.set(vectors.data.subarray(begin, end), at);
    }
  }
  return missing;
}

/** Scales the matrix by a power of two, and makes the other triangle its mirror image. */
function fillTriangle(a: Columns, isUpper: boolean, factor: number): void {
  for (let column = 0; column < a.rows; column++) {
    for (let row = column; row < a.rows; row++) {
      const { re, im } = isUpper ? conjugate(elementAt(a, column, row)) : elementAt(a, row, column);
      const value = { re: re * factor, im: row === column ? 0 : im * factor };
      put(a, row, column, value);
      put(a, column, row, conjugate(value));
    }
  }
}

/** Makes a tridiagonal matrix diagonal by rotations, which it applies to the columns of `vectors`. */
function iterate(d: Float64Array, e: Float64Array, vectors: Columns | undefined): number {
  let missing = 0;
  for (let l = 0; l < d.length; l++) {
    for (let steps = 0; ; steps++) {
      const end = blockEnd(d, e, l);
      if (end === l) break;
      if (steps === mostSteps) {
        missing++;
        break;
      }
      sweep(d, e, l, end, vectors);
    }
  }
  return missing;
}

/** The first element from `l` on with nothing next to it. */
function blockEnd(d: Float64Array, e: Float64Array, l: number): number {
  let m = l;
  for (; m < d.length - 1; m++) {
    const size = Math.abs(d[m] as number) + Math.abs(d[m + 1] as number);
    if (Math.abs(e[m] as number) <= epsilon * size) break;
  }
  return m;
}

/** One step of QL from `m` up to `l`, with the shift of the upper 2 x 2 matrix. */
function sweep(d: Float64Array, e: Float64Array, l: number, m: number, vectors: Columns | undefined): void {
  let g = ((d[l + 1] as number) - (d[l] as number)) / (2 * (e[l] as number));
  let r = Math.hypot(g, 1);
  g = (d[m] as number) - (d[l] as number) + (e[l] as number) / (g + (g < 0 ? -r : r));
  let sine = 1;
  let cosine = 1;
  let p = 0;
  for (let i = m - 1; i >= l; i--) {
    const f = sine * (e[i] as number);
    const b = cosine * (e[i] as number);
    r = Math.hypot(f, g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1] = (d[i + 1] as number) - p;
      e[m] = 0;
      return;
    }
    sine = f / r;
    cosine = g / r;
    g = (d[i + 1] as number) - p;
    r = ((d[i] as number) - g) * sine + 2 * cosine * b;
    p = sine * r;
    d[i + 1] = g + p;
    g = cosine * r - b;
    if (vectors) rotate(vectors, i, i + 1, cosine, sine);
  }
  d[l] = (d[l] as number) - p;
  e[l] = g;
  e[m] = 0;
}
