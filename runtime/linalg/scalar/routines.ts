// The routines over batches of matrices in scalar code: the factorizations of this folder, which compute in float64.
import type { TypedArray } from "../../base/dtype.js";
import { type MatrixForm, type MatrixRoutine, notFinite } from "../../device/matrix-library.js";
import { operandsOf, vectorCounts, wrongPivot } from "../../device/matrix-operands.js";
import { factorCholesky } from "./cholesky.js";
import { type Columns, zeroColumns } from "./columns.js";
import { solveEigen } from "./eigen.js";
import { factorLu, solveLu } from "./lu.js";
import { factorQr, writeQ } from "./reflections.js";
import { adjoint, solveSvd } from "./svd.js";
import { solveColumns } from "./triangular.js";

/** One matrix of each operand; integers in an array, everything else in float64. */
interface Operands {
  readonly matrices: readonly Columns[];
  readonly integers: Int32Array;
}

type Routine = (operands: Operands, form: MatrixForm) => number;

const routines: Readonly<Record<MatrixRoutine, Routine>> = {
  lu: ({ matrices: [a], integers }) => factorLu(a as Columns, integers),
  luSolve: ({ matrices: [b, a], integers }, { turned }) => {
    const wrong = wrongPivot(integers);
    if (wrong === 0) solveLu(a as Columns, integers, b as Columns, turned);
    return wrong;
  },
  solve: ({ matrices: [b, a] }, { rows }) => {
    const pivots = new Int32Array(rows);
    const status = factorLu(a as Columns, pivots);
    solveLu(a as Columns, pivots, b as Columns, "none");
    return status;
  },
  cholesky: ({ matrices: [a] }, { isUpper }) => factorCholesky(a as Columns, isUpper),
  triangular: ({ matrices: [b, a] }, { isUpper, isUnit, turned }) => {
    solveColumns(a as Columns, { isUpper, isUnit, turned }, b as Columns);
    return 0;
  },
  qr: ({ matrices: [a, q] }) => {
    writeQ(q as Columns, a as Columns, factorQr(a as Columns));
    return 0;
  },
  eigh: ({ matrices: [a, values] }, { isUpper, vectors }) => {
    if (!isAllFinite(a as Columns)) return notFinite;
    return solveEigen(a as Columns, isUpper, (values as Columns).data, vectors !== "none");
  },
  svd: ({ matrices: [u, values, vh, a] }, form) => {
    if (!isAllFinite(a as Columns)) return notFinite;
    const found = solveSvd(a as Columns, ...vectorCounts(form));
    (values as Columns).data.set(found.values);
    if (form.vectors !== "none") {
      (u as Columns).data.set(found.u.data);
      (vh as Columns).data.set(adjoint(found.v).data);
    }
    return found.isDone ? 0 : 1;
  },
};

function isAllFinite({ data }: Columns): boolean {
  return data.every(Number.isFinite);
}

/** Computes every matrix of the batch in the host's arrays. */
export function computeScalars(form: MatrixForm, arrays: readonly TypedArray[]): Int32Array {
  const operands = operandsOf(form);
  const statuses = new Int32Array(form.batch);
  // One matrix of each operand in float64, for all matrices of the batch.
  const matrices = operands.map(({ dtype, rows, columns }) =>
    zeroColumns(rows, columns, dtype.kind === "complex"),
  );
  for (let i = 0; i < form.batch; i++) {
    let integers = new Int32Array(0);
    const parts = matrices.map(({ data }, k) => {
      const part = (arrays[k] as Float64Array).subarray(i * data.length, (i + 1) * data.length);
      if (operands[k]?.dtype.kind === "signed") integers = part as unknown as Int32Array<ArrayBuffer>;
      else data.set(part);
      return part;
    });
    statuses[i] = routines[form.routine]({ matrices, integers }, form);
    for (const [k, { use, dtype }] of operands.entries()) {
      const isResult = use !== "read" && use !== "lost" && dtype.kind !== "signed";
      if (isResult) (parts[k] as Float64Array).set((matrices[k] as Columns).data);
    }
  }
  return statuses;
}
