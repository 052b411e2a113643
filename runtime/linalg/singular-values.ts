// Functions of matrices by their singular values, which also take singular matrices and such that are not square: least
// squares, pseudoinverses, ranks and condition numbers, with PyTorch's names and options.
import { optionsOf } from "../base/arguments.js";
import type { DTypeName } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { Tensor } from "../tensor/tensor.js";
import { decomposed, eigh } from "./decompositions.js";
import { type MatrixOrder, matrixNormOf } from "./norms.js";
import { adjointOf, matricesOf, squareOf, systemOf } from "./operands.js";
import { inverse } from "./systems.js";

const epsilons: Readonly<Partial<Record<DTypeName, number>>> = { float32: 2 ** -23, complex64: 2 ** -23 };

/** The relative tolerance below which a singular value counts as zero: the larger extent, in units of the last place. */
function relativeOf({ dtype, shape }: Tensor): number {
  return Math.max(...shape.slice(-2)) * (epsilons[dtype.name] ?? 2 ** -52);
}

/** Options of lstsq. */
export interface LstsqOptions {
  /** Singular values of at most this part of the largest count as zero; default: the larger extent times the dtype's epsilon. */
  readonly rcond?: number;
}

/** A least-squares solution. */
export interface Lstsq<D extends DTypeName> {
  readonly solution: Tensor<D>;
  /** The squared errors of each right side; empty where there are not more rows than columns. */
  readonly residuals: Tensor;
  readonly rank: Tensor<"int64">;
  readonly singularValues: Tensor;
}

/**
 * The `x` of least length that makes `|a x - b|` least, for a matrix of any shape and rank, by singular values. `b` is a vector
 * or a matrix of several right sides.
 *
 * @example jl.linalg.lstsq(jl.tensor([[1], [1]]), jl.tensor([[1], [3]])).residuals.toArray() // [2]
 */
export function lstsq<D extends DTypeName>(a: Tensor<D>, b: Tensor<D>, options?: LstsqOptions): Lstsq<D> {
  const what = "linalg.lstsq";
  const matrix = matricesOf(what, a);
  const { rcond = relativeOf(matrix) } = optionsOf(what, options, ["rcond"]);
  const system = systemOf(what, matrix, b);
  const { U, S, Vh } = decomposed(what, system.a, "thin");
  const isKept = S.gt(largest(S).mul(rcond));
  const inverses = isKept.where(S.reciprocal(), 0).to(matrix.dtype.name);
  const x = adjointOf(Vh).matmul(inverses.unsqueeze(-1).mul(adjointOf(U).matmul(system.b)));
  const [rows, columns] = matrix.shape.slice(-2) as [number, number];
  const errors = system.a.matmul(x).sub(system.b).abs();
  const residuals = rows > columns ? errors.mul(errors).sum(-2) : S.narrow(-1, 0, 0);
  return {
    solution: system.back(x) as Tensor<D>,
    residuals: rows > columns && system.back(x) !== x ? residuals.squeeze(-1) : residuals,
    rank: isKept.sum(-1) as Tensor<"int64">,
    singularValues: S,
  };
}

/** The largest singular value of each matrix, with its dimension; 0 where there are none. */
function largest(values: Tensor): Tensor {
  return values.size === 0 ? values.sum(-1, { keepdim: true }) : values.amax(-1, { keepdim: true });
}

/** Which singular values count as zero: those of at most `atol`, and of at most `rtol` times the largest. */
export interface ToleranceOptions {
  /** Default 0. */
  readonly atol?: number | Tensor;
  /** Default: the larger extent times the dtype's epsilon, or 0 if `atol` is given. */
  readonly rtol?: number | Tensor;
  /** True for symmetric and Hermitian matrices, which `eigh` decomposes. */
  readonly hermitian?: boolean;
}

const toleranceNames = ["atol", "rtol", "hermitian"] as const;

/** The tolerance for each matrix, with the dimension of the values. */
function toleranceOf(x: Tensor, values: Tensor, { atol = 0, rtol }: ToleranceOptions): Tensor {
  const relative = rtol ?? (atol === 0 ? relativeOf(x) : 0);
  const wide = (one: number | Tensor) => (one instanceof Tensor ? one.unsqueeze(-1) : one);
  return largest(values)
    .mul(wide(relative))
    .maximum(wide(atol) as never);
}

/**
 * The number of singular values above a tolerance.
 *
 * @example jl.linalg.matrixRank(jl.ones([3, 3])).item() // 1n
 */
export function matrixRank(a: Tensor, options?: ToleranceOptions): Tensor<"int64"> {
  const what = "linalg.matrixRank";
  const given = optionsOf(what, options, toleranceNames);
  const x = matricesOf(what, a);
  const values = given.hermitian ? eigh(squareOf(what, x)).eigenvalues.abs() : decomposed(what, x, "none").S;
  return values.gt(toleranceOf(x, values, given)).sum(-1) as Tensor<"int64">;
}

/**
 * The pseudoinverse (Moore-Penrose) of a matrix.
 *
 * @example jl.linalg.pinv(jl.tensor([[2], [0]])).toArray() // [[0.5, 0]]
 */
export function pinv<D extends DTypeName>(a: Tensor<D>, options?: ToleranceOptions): Tensor<D> {
  const what = "linalg.pinv";
  const given = optionsOf(what, options, toleranceNames);
  const x = matricesOf(what, a);
  if (given.hermitian) {
    const { eigenvalues, eigenvectors } = eigh(squareOf(what, x));
    const isKept = eigenvalues.abs().gt(toleranceOf(x, eigenvalues.abs(), given));
    const inverses = isKept.where(eigenvalues.reciprocal(), 0).to(x.dtype.name);
    return eigenvectors.mul(inverses.unsqueeze(-2)).matmul(adjointOf(eigenvectors)) as Tensor<D>;
  }
  const { U, S, Vh } = decomposed(what, x, "thin");
  const inverses = S.gt(toleranceOf(x, S, given))
    .where(S.reciprocal(), 0)
    .to(x.dtype.name);
  return adjointOf(Vh).mul(inverses.unsqueeze(-2)).matmul(adjointOf(U)) as Tensor<D>;
}

/**
 * The condition number of a matrix in a norm: by default the largest singular value divided by the smallest; infinite for a
 * singular matrix. Other norms than 2 and -2 need a square matrix.
 *
 * @example jl.linalg.cond(jl.tensor([[1, 0], [0, 4]])).item() // 4
 */
export function cond(a: Tensor, p: MatrixOrder = 2): Tensor {
  const what = "linalg.cond";
  const x = matricesOf(what, a);
  if (p === 2 || p === -2) {
    const values = decomposed(what, x, "none").S;
    if (values.shape.at(-1) === 0) throw emptyMatrix(what);
    const [most, least] = [values.select(-1, 0), values.select(-1, -1)];
    return p === 2 ? most.div(least) : least.div(most);
  }
  const square = squareOf(what, x);
  if (square.shape.at(-1) === 0) throw emptyMatrix(what);
  const own = matrixNormOf(what, square, p);
  const found = own.mul(matrixNormOf(what, inverse(what, square, true), p));
  // The inverse of a singular matrix has NaN.
  const isSingular = found.isnan().logicalAnd(own.isnan().logicalNot());
  return isSingular.where(Number.POSITIVE_INFINITY, found);
}

function emptyMatrix(what: string): JitlabError {
  return new JitlabError(
    "empty-reduction",
    `${what}: the matrix has no elements.`,
    "Pass matrices with elements.",
  );
}
