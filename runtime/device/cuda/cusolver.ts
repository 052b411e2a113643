// libcusolver: factorizations of matrices, one by one. Prototypes: cusolverDn.h; "?" stands for the letter of the dtype.
// Matrices are column-major; workspaces, pivots and statuses are on the device.
import type { DTypeName } from "../../base/dtype.js";
import { type Call, CheckedLibrary, type Parameter } from "./checked-library.js";
import { letters } from "./cublas.js";

const at = "uintptr_t";
const int = "int";
const out = "_Out_ int *";

const prototypes = {
  // handle, rows, columns, matrix, leading; then the size, or workspace, pivots, info
  "?getrf_bufferSize": [at, int, int, at, int, out],
  "?getrf": [at, int, int, at, int, at, at, at],
  // handle, operation, n, right sides, matrix, leading, pivots, solutions, leading, info
  "?getrs": [at, int, int, int, at, int, at, at, int, at],
  // handle, columns, matrix, leading, first and last exchanged row, pivots, their distance
  "?laswp": [at, int, at, int, int, int, at, int],
  // handle, triangle, n, matrix, leading; then the size, or workspace, size, info
  "?potrf_bufferSize": [at, int, int, at, int, out],
  "?potrf": [at, int, int, at, int, at, int, at],
  // handle, triangle, n, matrices, leading, info, batch
  "?potrfBatched": [at, int, int, at, int, at, int],
  // handle, rows, columns, matrix, leading; then the size, or factors, workspace, size, info
  "?geqrf_bufferSize": [at, int, int, at, int, out],
  "?geqrf": [at, int, int, at, int, at, at, int, at],
  // handle, rows, columns, reflections, matrix, leading, factors; then the size, or workspace, size, info
  "?orgqr_bufferSize": [at, int, int, int, at, int, at, out],
  "?orgqr": [at, int, int, int, at, int, at, at, int, at],
  // handle, vectors, triangle, n, matrix, leading, values; then the size, or workspace, size, info
  "?syevd_bufferSize": [at, int, int, int, at, int, at, out],
  "?syevd": [at, int, int, int, at, int, at, at, int, at],
  // handle, vectors, economy, rows, columns, matrix, leading, values, U, leading, V, leading; then the size and parameters, or
  // workspace, size, info, parameters
  "?gesvdj_bufferSize": [at, int, int, int, int, at, int, at, at, int, at, int, out, at],
  "?gesvdj": [at, int, int, int, int, at, int, at, at, int, at, int, at, int, at, at],
  "?gesvdjBatched_bufferSize": [at, int, int, int, at, int, at, at, int, at, int, out, at, int],
  "?gesvdjBatched": [at, int, int, int, at, int, at, at, int, at, int, at, int, at, at, int],
  // handle, parameters, vectors, triangle, n, type, matrices, leading, type, values, type; then two sizes and the batch, or
  // workspace, size, host's workspace, size, info, batch
  XsyevBatched_bufferSize: [
    ...[at, at, int, int, "int64_t", int, at, "int64_t", int, at, int],
    ...["_Out_ uintptr_t *", "_Out_ uintptr_t *", "int64_t"],
  ] as Parameter[],
  XsyevBatched: [
    ...[at, at, int, int, "int64_t", int, at, "int64_t", int, at, int],
    ...[at, "size_t", at, "size_t", at, "int64_t"],
  ] as Parameter[],
} satisfies Readonly<Record<string, readonly Parameter[]>>;

// LAPACK's names of these depend on whether numbers are complex.
const complexNames: Readonly<Record<string, string>> = { orgqr: "ungqr", syevd: "heevd" };

type Name = keyof typeof prototypes;

/** The functions that need a workspace, whose size another one gives. */
export type SizedName = Name extends infer N
  ? N extends `${infer F}_bufferSize`
    ? F & `?${string}`
    : never
  : never;

/** An opened cuSOLVER. */
export interface Cusolver {
  readonly name: string;
  readonly handle: number;
  /** Parameters of Jacobi's method, and of the functions for any dtype: the defaults. */
  readonly jacobi: number;
  readonly parameters: number;
  readonly hasBatchedEigen: boolean;
  /** A function for a dtype. */
  call(name: Name, dtype: DTypeName): Call;
}

/** Opens the library; throws DeviceError `library-damaged` on failure. */
export function openCusolver(path: string): Cusolver {
  const library = new CheckedLibrary(path, {
    title: "cuSOLVER",
    wheel: "nvidia-cusolver",
    noMemory: 2,
    otherwise: "jl.linalg then computes on the host",
  });
  const made = (symbol: string): number => {
    const result: [number] = [0];
    library.call(symbol, ["_Out_ uintptr_t *"])(result);
    return result[0];
  };
  const version: [number] = [0];
  library.call("cusolverGetVersion", [out])(version);
  return {
    name: `cuSOLVER ${Math.floor(version[0] / 1000)}.${Math.floor(version[0] / 100) % 10}`,
    handle: made("cusolverDnCreate"),
    jacobi: made("cusolverDnCreateGesvdjInfo"),
    parameters: made("cusolverDnCreateParams"),
    hasBatchedEigen: library.has("cusolverDnXsyevBatched"),
    call: (name, dtype) => {
      const isComplex = dtype.startsWith("complex");
      const own = isComplex ? name.replace(/orgqr|syevd/, (real) => complexNames[real] as string) : name;
      return library.call(`cusolverDn${own.replace("?", letters[dtype] as string)}`, prototypes[name]);
    },
  };
}
