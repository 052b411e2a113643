// Cholesky factorization of Hermitian matrices.
import { addScaled, type Columns, dot, elementAt, negative, put, scale } from "./columns.js";

/**
 * Factors one triangle of a positive definite matrix in place. Returns the order, counted from 1, of the first leading minor
 * that is not positive; 0 if all are.
 */
export function factorCholesky(a: Columns, isUpper: boolean): number {
  return isUpper ? factorUpper(a) : factorLower(a);
}

function factorUpper(a: Columns): number {
  for (let j = 0; j < a.rows; j++) {
    for (let i = 0; i < j; i++) {
      const known = dot(a, i, a, j, 0, i);
      const value = elementAt(a, i, j);
      const divisor = elementAt(a, i, i).re;
      put(a, i, j, { re: (value.re - known.re) / divisor, im: (value.im - known.im) / divisor });
    }
    const rest = elementAt(a, j, j).re - dot(a, j, a, j, 0, j).re;
    if (!(rest > 0)) return j + 1;
    put(a, j, j, { re: Math.sqrt(rest), im: 0 });
  }
  return 0;
}

function factorLower(a: Columns): number {
  for (let j = 0; j < a.rows; j++) {
    const rest = elementAt(a, j, j).re;
    if (!(rest > 0)) return j + 1;
    const root = Math.sqrt(rest);
    put(a, j, j, { re: root, im: 0 });
    scale(a, j, { re: 1 / root, im: 0 }, j + 1, a.rows - j - 1);
    for (let k = j + 1; k < a.rows; k++) {
      const { re, im } = elementAt(a, k, j);
      addScaled(a, k, negative({ re, im: -im }), a, j, k, a.rows - k);
    }
  }
  return 0;
}
