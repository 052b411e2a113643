// Systems with a triangular matrix.
import {
  addScaled,
  type Columns,
  conjugate,
  dot,
  elementAt,
  negative,
  type Pair,
  put,
  quotient,
} from "./columns.js";

/** How a triangular matrix is read: which triangle, whether its diagonal is 1, and whether it is transposed, with `conj` or not. */
export interface Triangle {
  readonly isUpper: boolean;
  readonly isUnit: boolean;
  readonly turned: "none" | "transposed" | "adjoint";
}

/** Solves `T x = b` in place for each column of `b`. */
export function solveColumns(t: Columns, triangle: Triangle, b: Columns): void {
  const isForward = triangle.isUpper === (triangle.turned !== "none");
  for (let column = 0; column < b.columns; column++) {
    for (let step = 0; step < t.rows; step++) {
      const k = isForward ? step : t.rows - 1 - step;
      if (triangle.turned === "none") eliminate(t, triangle, b, column, k);
      else collect(t, triangle, b, column, k);
    }
  }
}

/** Computes one unknown, and subtracts its part from the rows that are left. */
function eliminate(t: Columns, { isUpper, isUnit }: Triangle, b: Columns, column: number, k: number): void {
  const value = elementAt(b, k, column);
  const unknown = isUnit ? value : quotient(value, elementAt(t, k, k));
  put(b, k, column, unknown);
  const [from, count] = isUpper ? [0, k] : [k + 1, t.rows - k - 1];
  addScaled(b, column, negative(unknown), t, k, from, count);
}

/** Computes one unknown from the known ones. */
function collect(
  t: Columns,
  { isUpper, isUnit, turned }: Triangle,
  b: Columns,
  column: number,
  k: number,
): void {
  const conjugates = turned === "adjoint";
  const [from, count] = isUpper ? [0, k] : [k + 1, t.rows - k - 1];
  const known = dot(t, k, b, column, from, count, conjugates);
  const value = elementAt(b, k, column);
  const rest: Pair = { re: value.re - known.re, im: value.im - known.im };
  const diagonal = elementAt(t, k, k);
  put(b, k, column, isUnit ? rest : quotient(rest, conjugates ? conjugate(diagonal) : diagonal));
}
