// CUDA's libraries of one GPU, each searched and opened once, at the first call that needs it.

import type { ConvolutionLibrary } from "../convolution-library.js";
import type { ProductLibrary, TransformLibrary } from "../device.js";
import type { MatrixLibrary } from "../matrix-library.js";
import type { LibraryHost } from "./checked-library.js";
import { openCublas } from "./cublas.js";
import { type CublasHost, openCublasLt } from "./cublas-lt.js";
import { openCudnn } from "./cudnn.js";
import { openCufft } from "./cufft.js";
import { openCusolver } from "./cusolver.js";
import { findCublas, findCublasLt, findCudnn, findCufft, findCusolver } from "./library-search.js";
import { enginesOf, matrixCode, takesForm } from "./matrix-routines.js";

/** The libraries for a GPU whose driver supports CUDA up to a major version; each throws if it is damaged, at every call. */
export class CudaLibraries {
  readonly products: () => ProductLibrary | undefined;
  readonly matrices: () => MatrixLibrary | undefined;
  readonly transforms: () => TransformLibrary | undefined;
  readonly convolutions: () => ConvolutionLibrary | undefined;

  constructor(host: LibraryHost & CublasHost, major: number) {
    this.products = once(() => {
      const found = findCublasLt(major);
      return found && openCublasLt(found.path, host);
    });
    this.matrices = once(() => {
      const [solver, blas] = [findCusolver(major), findCublas(major)];
      return solver && blas && openMatrices(solver.path, blas.path, host);
    });
    this.transforms = once(() => {
      const found = findCufft(major);
      return found && openCufft(found.path, host);
    });
    this.convolutions = once(() => {
      const found = findCudnn();
      const needed = [findCublasLt(major), findCublas(major)].flatMap((one) => one?.path ?? []);
      return found && openCudnn(found.path, needed, host);
    });
  }
}

function openMatrices(solverPath: string, blasPath: string, host: LibraryHost): MatrixLibrary {
  host.stream();
  const blas = openCublas(blasPath);
  const engines = enginesOf(openCusolver(solverPath), blas, host);
  return {
    name: engines.solver.name,
    path: solverPath,
    takes: (form) => takesForm(engines, form),
    load: (form) => matrixCode(engines, form),
  };
}

/** A function that opens at its first call, and gives the same result, or error, at later ones. */
function once<T>(open: () => T): () => T {
  let outcome: { readonly value?: T; readonly error?: unknown } | undefined;
  return () => {
    if (!outcome) {
      try {
        outcome = { value: open() };
      } catch (error) {
        outcome = { error };
      }
    }
    if (outcome.error !== undefined) throw outcome.error;
    return outcome.value as T;
  };
}
