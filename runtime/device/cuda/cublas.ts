// libcublas: factorizations of batches of small matrices, triangular systems, and adjoints of matrices. Prototypes:
// cublas_api.h; "?" stands for the letter of the dtype. Matrices are column-major, arrays of matrices on the device.
import type { DTypeName } from "../../base/dtype.js";
import { type Call, CheckedLibrary, type Parameter } from "./checked-library.js";

const at = "uintptr_t";
const int = "int";
const out = "_Out_ int *";

const prototypes = {
  // handle, n, matrices, leading, pivots, info, batch
  "cublas?getrfBatched": [at, int, at, int, at, at, int],
  // handle, operation, n, right sides, matrices, leading, pivots, solutions, leading, host's info, batch
  "cublas?getrsBatched": [at, int, int, int, at, int, at, at, int, out, int],
  // handle, side, triangle, operation, diagonal, rows, columns, alpha, matrix, leading, solution, leading
  "cublas?trsm_v2": [at, int, int, int, int, int, int, at, at, int, at, int],
  "cublas?trsmBatched": [at, int, int, int, int, int, int, at, at, int, at, int, int],
  // handle, operation, operation, rows, columns, alpha, matrix, leading, beta, other, leading, result, leading
  "cublas?geam": [at, int, int, int, int, at, at, int, at, at, int, at, int],
} as const satisfies Readonly<Record<string, readonly Parameter[]>>;

/** The letters of dtypes in the names of functions. */
export const letters: Readonly<Partial<Record<DTypeName, string>>> = {
  float32: "S",
  float64: "D",
  complex64: "C",
  complex128: "Z",
};

/** An opened cuBLAS. */
export interface Cublas {
  readonly handle: number;
  /** A function for a dtype. */
  call(name: keyof typeof prototypes, dtype: DTypeName): Call;
}

/** Opens the library; throws DeviceError `library-damaged` on failure. */
export function openCublas(path: string): Cublas {
  const library = new CheckedLibrary(path, {
    title: "cuBLAS",
    wheel: "nvidia-cublas",
    noMemory: 3,
    otherwise: "jl.linalg then computes on the host",
  });
  const handle: [number] = [0];
  library.call("cublasCreate_v2", ["_Out_ uintptr_t *"])(handle);
  return {
    handle: handle[0],
    call: (name, dtype) => library.call(name.replace("?", letters[dtype] as string), prototypes[name]),
  };
}
