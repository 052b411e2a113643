// What a library of matrix factorizations offers to the devices that have one.
import type { DTypeName } from "../base/dtype.js";

/** What is computed of matrices, named as in LAPACK without the letter of the dtype where its names are words. */
export type MatrixRoutine = "lu" | "luSolve" | "solve" | "cholesky" | "triangular" | "qr" | "eigh" | "svd";

/** One routine over a batch of column-major matrices; device/matrix-operands.ts lists its operands. */
export interface MatrixForm {
  readonly routine: MatrixRoutine;
  readonly dtype: DTypeName;
  readonly batch: number;
  /** The extents of the first operand's matrices. */
  readonly rows: number;
  readonly columns: number;
  /** The columns of right sides, or of Q. */
  readonly right: number;
  /** The triangle of the first operand that is read. */
  readonly isUpper: boolean;
  /** True if the diagonal of a triangular matrix counts as 1. */
  readonly isUnit: boolean;
  /** How the first operand of a solution is read. */
  readonly turned: "none" | "transposed" | "adjoint";
  /** Which eigenvectors or singular vectors are written; `thin` leaves out those that no singular value belongs to. */
  readonly vectors: "none" | "thin" | "full";
  /** True if the pivots come from `lu` and need no check. */
  readonly knowsPivots: boolean;
}

/** A routine that is ready to run. */
export interface MatrixCode {
  /**
   * Computes from and into the operands at these addresses; done on return. The status of each matrix is 0, or LAPACK's `info`,
   * or {@link notFinite}, or the number of a pivot that is no row; undefined where nothing can fail.
   */
  run(addresses: readonly number[]): Int32Array | undefined;
}

/** The status of a matrix with an infinite element or NaN, which routines that iterate do not take. */
export const notFinite = -1;

/** A library of matrix factorizations. */
export interface MatrixLibrary {
  /** Its name and version. */
  readonly name: string;
  readonly path: string;
  /** False for forms that it does not compute, or more slowly than the host. */
  takes?(form: MatrixForm): boolean;
  load(form: MatrixForm): MatrixCode;
  /** The address of JavaScript memory that does not move, for libraries that compute in the host's address space. */
  addressOf?(memory: ArrayBufferView): number;
}
