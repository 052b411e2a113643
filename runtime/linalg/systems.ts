// Systems of linear equations: LU and Cholesky factorizations, solutions by them, inverses and determinants, with PyTorch's
// names and options.
import { optionsOf } from "../base/arguments.js";
import { type DTypeName, dtypes } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import { formatShape } from "../geometry/layout.js";
import { arange, eye } from "../tensor/create.js";
import { cat } from "../tensor/join.js";
import { releasing } from "../tensor/statistic-options.js";
import { type Tensor, tensorOf } from "../tensor/tensor.js";
import { type MatrixSettings, matrixResults } from "./matrix-step.js";
import { adjointOf, checkAlike, matricesOf, squareOf, systemOf } from "./operands.js";
import { triangleOf } from "./triangles.js";

/** Options of solutions. */
export interface SolveOptions {
  /** False to solve `x a = b` instead of `a x = b`. */
  readonly left?: boolean;
}

/** An LU factorization as `luSolve` takes it. */
export interface LuFactors<D extends DTypeName> {
  /** L below the diagonal, where its ones are left out, and U above it. */
  readonly LU: Tensor<D>;
  /** The row that each row was exchanged with, counted from 1, one after the other. */
  readonly pivots: Tensor<"int32">;
}

function factored(what: string, a: Tensor, allowsSingular: boolean): readonly [lu: Tensor, pivots: Tensor] {
  return matrixResults(what, "lu", [a.mT], { allowsSingular }) as [Tensor, Tensor];
}

function solved(
  what: string,
  [lu, pivots]: readonly [Tensor, Tensor],
  b: Tensor,
  settings: MatrixSettings = { knowsPivots: true },
): Tensor {
  return (matrixResults(what, "luSolve", [b.mT, lu, pivots], settings)[0] as Tensor).mT;
}

/** The solution by a factorization that is not kept. */
function solvedBy(what: string, a: Tensor, b: Tensor, allowsSingular: boolean): Tensor {
  return (matrixResults(what, "solve", [b.mT, a.mT], { allowsSingular })[0] as Tensor).mT;
}

/**
 * The solution `x` of `a x = b` for a square matrix, by LU factorization. `b` is a vector or a matrix of several right sides;
 * batches broadcast. Throws `singular-matrix`.
 *
 * @example jl.linalg.solve(jl.tensor([[2, 0], [0, 4]]), jl.tensor([2, 8])).toArray() // [1, 2]
 */
export function solve<D extends DTypeName>(a: Tensor<D>, b: Tensor<D>, options?: SolveOptions): Tensor<D> {
  const what = "linalg.solve";
  const { left = true } = optionsOf(what, options, ["left"]);
  const matrix = squareOf(what, a);
  if (!left) return turnedSolution(what, matrix, b, (x, y) => solve(x, y)) as Tensor<D>;
  const system = systemOf(what, matrix, b);
  return system.back(solvedBy(what, system.a, system.b, false)) as Tensor<D>;
}

/** The solution of `x a = b` from one of `a^T x^T = b^T`. */
function turnedSolution(what: string, a: Tensor, b: Tensor, run: (a: Tensor, b: Tensor) => Tensor): Tensor {
  if (tensorOf(what, b).ndim < 2) {
    throw new JitlabError(
      "bad-dimension",
      `${what}: with left: false the right side is a matrix, but its shape is ${formatShape(b.shape)}.`,
      "Use b.unsqueeze(0) for one row.",
    );
  }
  return run(a.mT, b.mT).mT;
}

/**
 * The inverse of a square matrix. Throws `singular-matrix`. To solve equations, `solve` is faster and more accurate.
 *
 * @example jl.linalg.inv(jl.tensor([[2, 0], [0, 4]])).toArray() // [[0.5, 0], [0, 0.25]]
 */
export function inv<D extends DTypeName>(a: Tensor<D>): Tensor<D> {
  const what = "linalg.inv";
  return inverse(what, squareOf(what, a), false) as Tensor<D>;
}

/** The inverse; of a singular matrix, if that is allowed, elements that are not finite. */
export function inverse(what: string, a: Tensor, allowsSingular: boolean): Tensor {
  return releasing(identityLike(a), (one) => solvedBy(what, a, one, allowsSingular));
}

/** An identity matrix for each matrix. */
export function identityLike(a: Tensor): Tensor {
  const rows = a.shape.at(-1) as number;
  return eye(rows, rows, { dtype: a.dtype.name, device: a.device.name }).expand(a.shape);
}

/**
 * The determinant of a square matrix, 0 of a singular one.
 *
 * @example jl.linalg.det(jl.tensor([[2, 1], [0, 4]])).item() // 8
 */
export function det<D extends DTypeName>(a: Tensor<D>): Tensor<D> {
  const { diagonal, sign } = diagonalOf("linalg.det", a);
  return diagonal.prod(-1).mul(sign) as Tensor<D>;
}

/** The logarithm of a determinant's absolute value, and its sign: 0 of a singular matrix, complex of a complex one. */
export interface SignedLogarithm<D extends DTypeName> {
  readonly sign: Tensor<D>;
  readonly logabsdet: Tensor;
}

/**
 * The sign of the determinant and the logarithm of its absolute value, which do not overflow.
 *
 * @example jl.linalg.slogdet(jl.tensor([[0, 1], [1, 0]])).sign.item() // -1
 */
export function slogdet<D extends DTypeName>(a: Tensor<D>): SignedLogarithm<D> {
  const { diagonal, sign } = diagonalOf("linalg.slogdet", a);
  return {
    sign: diagonal.sgn().prod(-1).mul(sign) as Tensor<D>,
    logabsdet: diagonal.abs().log().sum(-1),
  };
}

/** The diagonal of U, and -1 for an odd number of exchanged rows. */
function diagonalOf(what: string, a: Tensor): { diagonal: Tensor; sign: Tensor } {
  const matrix = squareOf(what, a);
  const [lu, pivots] = factored(what, matrix, true);
  const rows = matrix.shape.at(-1) as number;
  const unmoved = arange(1, rows + 1, 1, { dtype: "int32", device: a.device.name });
  const exchanges = pivots.ne(unmoved).sum(-1);
  return {
    diagonal: lu.diagonal(0, -2, -1),
    sign: exchanges.remainder(2).mul(-2).add(1).to(matrix.dtype.name),
  };
}

/**
 * The LU factorization with partial pivoting in the compact form that `luSolve` takes. A singular matrix is no error.
 *
 * @example jl.linalg.luFactor(jl.tensor([[1, 2], [3, 4]])).pivots.toArray() // [2, 2]
 */
export function luFactor<D extends DTypeName>(a: Tensor<D>): LuFactors<D> {
  const [lu, pivots] = factored("linalg.luFactor", matricesOf("linalg.luFactor", a), true);
  return { LU: lu.mT as Tensor<D>, pivots: pivots as Tensor<"int32"> };
}

/** An LU factorization: the matrix is `P L U`. */
export interface Lu<D extends DTypeName> {
  /** A permutation of rows. */
  readonly P: Tensor<D>;
  readonly L: Tensor<D>;
  readonly U: Tensor<D>;
}

/**
 * The LU factorization with partial pivoting: a permutation P, L with ones on its diagonal, and U; their product is the matrix.
 *
 * @example jl.linalg.lu(jl.tensor([[0, 1], [2, 0]])).U.toArray() // [[2, 0], [0, 1]]
 */
export function lu<D extends DTypeName>(a: Tensor<D>): Lu<D> {
  const what = "linalg.lu";
  const matrix = matricesOf(what, a);
  const [rows, columns] = matrix.shape.slice(-2) as [number, number];
  const steps = Math.min(rows, columns);
  const batch = matrix.shape.slice(0, -2);
  const [turned, pivots] = factored(what, matrix, true);
  const place = { dtype: matrix.dtype.name, device: matrix.device.name };
  const ones = eye(rows, rows, place).expand([...batch, rows, rows]);
  const unmoved = arange(steps + 1, rows + 1, 1, { dtype: "int32", device: place.device });
  const all = cat([pivots, unmoved.expand([...batch, rows - steps])], -1);
  // Without factors, the solution of P x = 1 is the transposed permutation.
  const P = solved(what, [ones, all], ones).mT;
  const factors = turned.mT;
  const L = factors
    .narrow(-1, 0, steps)
    .tril(-1)
    .add(eye(rows, steps, place));
  return { P, L, U: factors.narrow(-2, 0, steps).triu() } as Lu<D>;
}

/** Options of luSolve. */
export interface LuSolveOptions extends SolveOptions {
  /** True to solve with the adjoint of the matrix. */
  readonly adjoint?: boolean;
}

/**
 * The solution of `a x = b` from `luFactor(a)`: cheap for further right sides. `b` is a matrix.
 *
 * @example ((f) => jl.linalg.luSolve(f.LU, f.pivots, jl.ones([2, 1])).toArray())(jl.linalg.luFactor(jl.eye(2))) // [[1], [1]]
 */
export function luSolve<D extends DTypeName>(
  LU: Tensor<D>,
  pivots: Tensor<"int32">,
  b: Tensor<D>,
  options?: LuSolveOptions,
): Tensor<D> {
  const what = "linalg.luSolve";
  const { left = true, adjoint = false } = optionsOf(what, options, ["left", "adjoint"]);
  const factors = squareOf(what, LU);
  checkPivots(what, factors, pivots);
  if (!left) {
    // x a = b is a^H x^H = b^H.
    const turned = luSolve(LU, pivots, adjointOf(matricesOf(what, b)) as Tensor<D>, { adjoint: !adjoint });
    return adjointOf(turned);
  }
  const system = systemOf(what, factors, b, false);
  const batch = system.a.shape.slice(0, -1);
  const settings = { turned: adjoint ? "adjoint" : "none" } as const;
  return solved(what, [system.a.mT, pivots.expand(batch)], system.b, settings) as Tensor<D>;
}

function checkPivots(what: string, LU: Tensor, pivots: Tensor): void {
  const { dtype, shape } = tensorOf(what, pivots);
  if (dtype === dtypes.int32 && shape.at(-1) === LU.shape.at(-1)) return;
  throw new JitlabError(
    "bad-argument",
    `${what}: the pivots are ${dtype.name} of shape ${formatShape(shape)}, for LU of shape ${formatShape(LU.shape)}.`,
    "Pass LU and pivots of one call of jl.linalg.luFactor.",
  );
}

/** Options of a triangular factor. */
export interface TriangleOptions {
  /** True for an upper triangle; default false. */
  readonly upper?: boolean;
}

/**
 * The Cholesky factor L of a symmetric or Hermitian positive definite matrix `L L^H`, of which it reads one triangle. Throws
 * `not-positive-definite`.
 *
 * @example jl.linalg.cholesky(jl.tensor([[4, 0], [0, 9]])).toArray() // [[2, 0], [0, 3]]
 */
export function cholesky<D extends DTypeName>(a: Tensor<D>, options?: TriangleOptions): Tensor<D> {
  const what = "linalg.cholesky";
  const { upper = false } = optionsOf(what, options, ["upper"]);
  const [factor] = matrixResults(what, "cholesky", [squareOf(what, a).mT], { isUpper: upper });
  return releasing(factor as Tensor, ({ mT }) => triangleOf(mT, upper)) as Tensor<D>;
}

/**
 * The solution of `a x = b` from the Cholesky factor of `a`. `b` is a matrix.
 *
 * @example jl.linalg.choleskySolve(jl.tensor([[4], [9]]), jl.tensor([[2, 0], [0, 3]])).toArray() // [[1], [1]]
 */
export function choleskySolve<D extends DTypeName>(
  b: Tensor<D>,
  factor: Tensor<D>,
  options?: TriangleOptions,
): Tensor<D> {
  const what = "linalg.choleskySolve";
  const { upper = false } = optionsOf(what, options, ["upper"]);
  const matrix = squareOf(what, factor);
  const system = systemOf(what, matrix, b, false);
  const columns = system.a.mT.contiguous();
  const step = (right: Tensor, turned: "none" | "adjoint") =>
    matrixResults(what, "triangular", [right, columns], { isUpper: upper, turned })[0] as Tensor;
  const first = step(system.b.mT, upper ? "adjoint" : "none");
  return step(first, upper ? "none" : "adjoint").mT as Tensor<D>;
}

/** Options of solveTriangular. */
export interface TriangularOptions extends SolveOptions {
  /** Which triangle of the matrix is read. */
  readonly upper: boolean;
  /** True if its diagonal counts as 1. */
  readonly unitriangular?: boolean;
}

/**
 * The solution of `a x = b` for a triangular matrix; elements outside of the triangle are not read. A zero on the diagonal
 * gives infinite elements or NaN, as in PyTorch.
 *
 * @example jl.linalg.solveTriangular(jl.tensor([[2, 0], [1, 1]]), jl.tensor([[2], [3]]), { upper: false }).toArray() // [[1], [2]]
 */
export function solveTriangular<D extends DTypeName>(
  a: Tensor<D>,
  b: Tensor<D>,
  options: TriangularOptions,
): Tensor<D> {
  const what = "linalg.solveTriangular";
  const {
    upper,
    left = true,
    unitriangular = false,
  } = optionsOf(what, options, ["upper", "left", "unitriangular"]);
  if (typeof upper !== "boolean") {
    throw new JitlabError(
      "bad-argument",
      `${what}: upper is ${show(upper)}.`,
      "Name the triangle: { upper: true } or { upper: false }.",
    );
  }
  const matrix = squareOf(what, a);
  checkAlike(what, matrix, tensorOf(what, b));
  if (!left) {
    const turned = { upper: !upper, unitriangular };
    return turnedSolution(what, matrix, b, (x, y) => solveTriangular(x, y, turned)) as Tensor<D>;
  }
  const system = systemOf(what, matrix, b, false);
  // The matrix as it is has its rows as columns: it is read transposed, and its triangle is the other one.
  const settings = { isUpper: !upper, isUnit: unitriangular, turned: "transposed" } as const;
  const [x] = matrixResults(what, "triangular", [system.b.mT, system.a], settings);
  return (x as Tensor).mT as Tensor<D>;
}
