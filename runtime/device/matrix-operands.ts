// The operands of the routines over batches of column-major matrices: what every library of factorizations, and the scalar
// code in place of one, reads and writes. A batch's matrices follow each other without gaps.
import { type DType, dtypes } from "../base/dtype.js";
import type { MatrixForm, MatrixRoutine } from "./matrix-library.js";

/** One operand of a routine. */
export interface MatrixOperand {
  readonly dtype: DType;
  /** True for a vector, such as the pivots; false for a matrix, also of one column. */
  readonly isVector: boolean;
  readonly rows: number;
  readonly columns: number;
  /** What happens to its elements; those that are lost mean nothing afterwards. */
  readonly use: "read" | "written" | "overwritten" | "lost";
}

type Row = readonly [
  kind: "own" | "real" | "integer",
  rows: number,
  columns: number,
  use: MatrixOperand["use"],
];

const table: Readonly<Record<MatrixRoutine, (form: MatrixForm) => readonly Row[]>> = {
  // The factors over the matrix, and the row that each one was exchanged with, counted from 1.
  lu: ({ rows, columns }) => [
    ["own", rows, columns, "overwritten"],
    ["integer", Math.min(rows, columns), 1, "written"],
  ],
  // Right sides, over which the solutions are written.
  luSolve: ({ rows, right }) => [
    ["own", rows, right, "overwritten"],
    ["own", rows, rows, "read"],
    ["integer", rows, 1, "read"],
  ],
  // The same without factors to begin with: they are lost over the matrix.
  solve: ({ rows, right }) => [
    ["own", rows, right, "overwritten"],
    ["own", rows, rows, "lost"],
  ],
  // The factor over one triangle.
  cholesky: ({ rows }) => [["own", rows, rows, "overwritten"]],
  // Right sides, over which the solutions are written.
  triangular: ({ rows, right }) => [
    ["own", rows, right, "overwritten"],
    ["own", rows, rows, "read"],
  ],
  // R on and above the diagonal, and the first columns of Q.
  qr: ({ rows, columns, right }) => [
    ["own", rows, columns, "overwritten"],
    ["own", rows, right, "written"],
  ],
  // The eigenvectors over the matrix, if they are asked for, and the ascending eigenvalues.
  eigh: ({ rows, vectors }) => [
    ["own", rows, rows, vectors === "none" ? "lost" : "overwritten"],
    ["real", rows, 1, "written"],
  ],
  // U, the descending singular values, V's adjoint, and the matrix.
  svd: (form) => {
    const { rows, columns } = form;
    const [left, right] = vectorCounts(form);
    return [
      ["own", rows, left, "written"],
      ["real", Math.min(rows, columns), 1, "written"],
      ["own", right, columns, "written"],
      ["own", rows, columns, "lost"],
    ];
  },
};

/** How many left and right singular vectors are written. */
export function vectorCounts({ rows, columns, vectors }: MatrixForm): readonly [number, number] {
  if (vectors === "none") return [0, 0];
  const thin = Math.min(rows, columns);
  return vectors === "thin" ? [thin, thin] : [rows, columns];
}

/** The operands of a routine, for one matrix of the batch. */
export function operandsOf(form: MatrixForm): readonly MatrixOperand[] {
  const own = dtypes[form.dtype];
  const kinds = { own, real: realOf(own), integer: dtypes.int32 };
  return table[form.routine](form).map(([kind, rows, columns, use]) => ({
    dtype: kinds[kind],
    isVector: kind !== "own",
    rows,
    columns,
    use,
  }));
}

/** The dtype of a dtype's absolute values. */
export function realOf(dtype: DType): DType {
  if (dtype.kind !== "complex") return dtype;
  return dtype.name === "complex64" ? dtypes.float32 : dtypes.float64;
}

/** The number, from 1 on, of the first pivot that is no row; 0 if all are. */
export function wrongPivot(pivots: Int32Array): number {
  return pivots.findIndex((pivot) => pivot < 1 || pivot > pivots.length) + 1;
}
