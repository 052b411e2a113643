// The errors of matrices that a routine could not compute, from the statuses that it gives.
import { DeviceError, JitlabError } from "../base/errors.js";
import { type MatrixForm, type MatrixRoutine, notFinite } from "../device/matrix-library.js";

const help = {
  lu: "jl.linalg.lstsq and jl.linalg.pinv take singular matrices.",
  cholesky: "jl.linalg.solve takes any invertible matrix, jl.linalg.eigh any symmetric one.",
} as const;

/** What a positive status of a routine says: LAPACK's `info`, or the number of a wrong pivot. */
function failureOf(
  routine: MatrixRoutine,
  status: number,
): readonly [code: string, what: string, help: string] {
  switch (routine) {
    case "lu":
    case "solve":
      return [
        "singular-matrix",
        `is singular: element ${status} of the diagonal of its factor U is 0`,
        help.lu,
      ];
    case "cholesky":
      return [
        "not-positive-definite",
        `is not positive definite: its leading minor of order ${status} is not positive`,
        help.cholesky,
      ];
    case "luSolve":
      return [
        "bad-argument",
        `has a pivot, number ${status}, that is not one of its rows`,
        "Pass LU and pivots of one call of jl.linalg.luFactor.",
      ];
    default:
      return ["no-convergence", `did not converge (status ${status})`, "Scale it, or compute in float64."];
  }
}

let zeros = Buffer.alloc(0);

/** True if all matrices were computed, as they mostly are: of thousands faster than by a loop. */
function areZero({ buffer, byteOffset, byteLength }: Int32Array): boolean {
  if (zeros.length < byteLength) zeros = Buffer.alloc(byteLength);
  return Buffer.from(buffer, byteOffset, byteLength).equals(zeros.subarray(0, byteLength));
}

/** Throws the error of the first matrix that a routine did not compute. */
export function checkStatuses(
  what: string,
  form: MatrixForm,
  statuses: Int32Array,
  allowsSingular: boolean,
): void {
  if (areZero(statuses)) return;
  const at = statuses.findIndex((status) => status !== 0);
  if (allowsSingular && (form.routine === "lu" || form.routine === "solve")) return;
  const status = statuses[at] as number;
  const matrix = form.batch === 1 ? "the matrix" : `matrix ${at} of ${form.batch}`;
  const shown = `${what}: ${matrix} (${form.rows} x ${form.columns})`;
  if (status === notFinite) {
    throw new JitlabError(
      "not-finite",
      `${shown} has NaN or an infinite element.`,
      "Replace such elements first, for example with a.nanToNum().",
    );
  }
  if (status < 0) {
    throw new DeviceError(
      "library-damaged",
      `${shown}: the library refused argument ${-status}.`,
      "Install it again.",
    );
  }
  const [code, problem, remedy] = failureOf(form.routine, status);
  throw new JitlabError(code, `${shown} ${problem}.`, remedy);
}
