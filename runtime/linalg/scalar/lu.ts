// LU factorization with partial pivoting, and the solution of systems by it.
import {
  addScaled,
  type Columns,
  elementAt,
  exchangeRows,
  negative,
  placeOf,
  put,
  quotient,
  scale,
} from "./columns.js";
import { solveColumns, type Triangle } from "./triangular.js";

/**
 * Factors a matrix in place into L below the diagonal and U above it. Writes the row, counted from 1, that each row was
 * exchanged with. Returns the first zero on U's diagonal, counted from 1; 0 if there is none.
 */
export function factorLu(a: Columns, pivots: Int32Array): number {
  const { rows, columns } = a;
  const steps = Math.min(rows, columns);
  let zero = 0;
  for (let k = 0; k < steps; k++) {
    const row = largestRow(a, k);
    pivots[k] = row + 1;
    const pivot = elementAt(a, row, k);
    if (pivot.re === 0 && pivot.im === 0) {
      zero ||= k + 1;
      continue;
    }
    if (row !== k) exchangeRows(a, row, k);
    divideBelow(a, k);
    for (let j = k + 1; j < columns; j++) {
      addScaled(a, j, negative(elementAt(a, k, j)), a, k, k + 1, rows - k - 1);
    }
  }
  return zero;
}

/** The row of the largest element on or below the diagonal of a column; complex ones by `|re| + |im|`, as LAPACK does. */
function largestRow(a: Columns, column: number): number {
  const { data, rows, isComplex } = a;
  let largest = -1;
  let found = column;
  for (let row = column; row < rows; row++) {
    const at = placeOf(a, row, column);
    const size = Math.abs(data[at] as number) + (isComplex ? Math.abs(data[at + 1] as number) : 0);
    if (size > largest) {
      largest = size;
      found = row;
    }
  }
  return found;
}

/** Divides the elements below the diagonal of a column by the diagonal element. */
function divideBelow(a: Columns, column: number): void {
  const pivot = elementAt(a, column, column);
  const inverse = quotient({ re: 1, im: 0 }, pivot);
  const below = a.rows - column - 1;
  if (Number.isFinite(inverse.re) && Number.isFinite(inverse.im)) {
    scale(a, column, inverse, column + 1, below);
    return;
  }
  for (let row = column + 1; row < a.rows; row++)
    put(a, row, column, quotient(elementAt(a, row, column), pivot));
}

/** Solves `A x = b`, `A^T x = b` or `A^H x = b` in place, for a factored matrix and the columns of `b`. */
export function solveLu(a: Columns, pivots: Int32Array, b: Columns, turned: Triangle["turned"]): void {
  const lower: Triangle = { isUpper: false, isUnit: true, turned };
  const upper: Triangle = { isUpper: true, isUnit: false, turned };
  if (turned === "none") {
    for (let k = 0; k < a.rows; k++) exchange(b, k, pivots);
    solveColumns(a, lower, b);
    solveColumns(a, upper, b);
  } else {
    solveColumns(a, upper, b);
    solveColumns(a, lower, b);
    for (let k = a.rows - 1; k >= 0; k--) exchange(b, k, pivots);
  }
}

function exchange(b: Columns, row: number, pivots: Int32Array): void {
  const other = (pivots[row] as number) - 1;
  if (other !== row) exchangeRows(b, row, other);
}
