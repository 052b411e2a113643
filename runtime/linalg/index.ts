// jl.linalg: torch.linalg's functions of matrices. They check their arguments, run routines as steps (matrix-step.ts), and
// compose the results from the library's operations.
export {
  type Eigen,
  type EighOptions,
  eigh,
  eigvalsh,
  type Qr,
  type QrOptions,
  qr,
  type Svd,
  type SvdOptions,
  svd,
  svdvals,
} from "./decompositions.js";
export { type MatrixOrder, matrixNorm, type NormOptions, norm, vectorNorm } from "./norms.js";
export { matrixExp, matrixPower } from "./powers.js";
export {
  cond,
  type Lstsq,
  type LstsqOptions,
  lstsq,
  matrixRank,
  pinv,
  type ToleranceOptions,
} from "./singular-values.js";
export {
  cholesky,
  choleskySolve,
  det,
  inv,
  type Lu,
  type LuFactors,
  type LuSolveOptions,
  lu,
  luFactor,
  luSolve,
  type SignedLogarithm,
  type SolveOptions,
  slogdet,
  solve,
  solveTriangular,
  type TriangleOptions,
  type TriangularOptions,
} from "./systems.js";
