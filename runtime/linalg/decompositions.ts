// Orthogonal decompositions: QR, eigenvalues and eigenvectors of symmetric and Hermitian matrices, and singular values, with
// PyTorch's names and options.
import { optionsOf } from "../base/arguments.js";
import type { DTypeName } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import { releasing } from "../tensor/statistic-options.js";
import type { Tensor } from "../tensor/tensor.js";
import { matrixResults } from "./matrix-step.js";
import { matricesOf, squareOf } from "./operands.js";
import { triangleOf } from "./triangles.js";

/** Options of qr. */
export interface QrOptions {
  /** `reduced` (the default) for as many columns of Q as the smaller extent, `complete` for all, `r` for an empty Q. */
  readonly mode?: "reduced" | "complete" | "r";
}

/** A QR factorization: the matrix is `Q R`. */
export interface Qr<D extends DTypeName> {
  /** Orthonormal columns. */
  readonly Q: Tensor<D>;
  /** An upper triangle. */
  readonly R: Tensor<D>;
}

const modes = { reduced: "thin", complete: "full", r: "none" } as const;

/**
 * The QR factorization of a matrix by Householder's reflections. The diagonal of R may be negative, as in PyTorch.
 *
 * @example jl.linalg.qr(jl.tensor([[0, 1], [2, 0]])).R.abs().toArray() // [[2, 0], [0, 1]]
 */
export function qr<D extends DTypeName>(a: Tensor<D>, options?: QrOptions): Qr<D> {
  const what = "linalg.qr";
  const { mode = "reduced" } = optionsOf(what, options, ["mode"]);
  const matrix = matricesOf(what, a);
  if (!Object.hasOwn(modes, mode)) {
    throw new JitlabError("bad-argument", `${what}: mode is ${show(mode)}.`, "It is reduced, complete or r.");
  }
  const [r, q] = matrixResults(what, "qr", [matrix.mT], { vectors: modes[mode] }) as [Tensor, Tensor];
  const [rows, columns] = matrix.shape.slice(-2) as [number, number];
  const kept = mode === "complete" ? rows : Math.min(rows, columns);
  const R = releasing(r, ({ mT }) => triangleOf(mT.narrow(-2, 0, kept), true));
  return { Q: mode === "r" ? q.view([0]) : q.mT, R } as Qr<D>;
}

/** Options of eigh. */
export interface EighOptions {
  /** The triangle that is read: `L` (the default) or `U`. */
  readonly UPLO?: "L" | "U";
}

/** Eigenvalues and eigenvectors. */
export interface Eigen<D extends DTypeName> {
  /** Real, in ascending order. */
  readonly eigenvalues: Tensor;
  /** Orthonormal columns, in the order of the eigenvalues; their signs are arbitrary. */
  readonly eigenvectors: Tensor<D>;
}

/**
 * The eigenvalues and eigenvectors of a symmetric or Hermitian matrix, of which it reads one triangle.
 *
 * @example jl.linalg.eigh(jl.tensor([[2, 0], [0, 1]])).eigenvalues.toArray() // [1, 2]
 */
export function eigh<D extends DTypeName>(a: Tensor<D>, options?: EighOptions): Eigen<D> {
  const [vectors, values] = eigenOf("linalg.eigh", a, options, true);
  return { eigenvalues: values as Tensor, eigenvectors: (vectors as Tensor).mT as Tensor<D> };
}

/**
 * The eigenvalues of a symmetric or Hermitian matrix in ascending order.
 *
 * @example jl.linalg.eigvalsh(jl.tensor([[0, 2], [2, 0]])).toArray() // [-2, 2]
 */
export function eigvalsh(a: Tensor, options?: EighOptions): Tensor {
  return eigenOf("linalg.eigvalsh", a, options, false)[0] as Tensor;
}

function eigenOf(
  what: string,
  a: Tensor,
  options: EighOptions | undefined,
  withVectors: boolean,
): readonly Tensor[] {
  const { UPLO = "L" } = optionsOf(what, options, ["UPLO"]);
  if (UPLO !== "L" && UPLO !== "U") {
    throw new JitlabError("bad-argument", `${what}: UPLO is ${show(UPLO)}.`, 'It is "L" or "U".');
  }
  const settings = { isUpper: UPLO === "U", vectors: withVectors ? "full" : "none" } as const;
  return matrixResults(what, "eigh", [squareOf(what, a).mT], settings);
}

/** Options of svd. */
export interface SvdOptions {
  /** True (the default) for square U and Vh, false for those columns and rows that belong to singular values. */
  readonly fullMatrices?: boolean;
}

/** A singular value decomposition: the matrix is `U diag(S) Vh`. */
export interface Svd<D extends DTypeName> {
  /** Orthonormal columns. */
  readonly U: Tensor<D>;
  /** Real, in descending order. */
  readonly S: Tensor;
  /** Orthonormal rows. */
  readonly Vh: Tensor<D>;
}

/**
 * The singular value decomposition of a matrix. The signs of corresponding columns of U and rows of Vh are arbitrary.
 *
 * @example jl.linalg.svd(jl.tensor([[0, 3], [4, 0]])).S.toArray() // [4, 3]
 */
export function svd<D extends DTypeName>(a: Tensor<D>, options?: SvdOptions): Svd<D> {
  const { fullMatrices = true } = optionsOf("linalg.svd", options, ["fullMatrices"]);
  return decomposed("linalg.svd", a, fullMatrices ? "full" : "thin") as Svd<D>;
}

/**
 * The singular values of a matrix in descending order.
 *
 * @example jl.linalg.svdvals(jl.tensor([[0, 3], [4, 0]])).toArray() // [4, 3]
 */
export function svdvals(a: Tensor): Tensor {
  return decomposed("linalg.svdvals", a, "none").S;
}

/** The decomposition, in the name of a function. */
export function decomposed(what: string, a: Tensor, vectors: "none" | "thin" | "full"): Svd<DTypeName> {
  const [u, values, vh] = matrixResults(what, "svd", [matricesOf(what, a).mT], { vectors });
  return { U: (u as Tensor).mT, S: values as Tensor, Vh: (vh as Tensor).mT };
}
