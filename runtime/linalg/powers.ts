// Powers and the exponential of matrices, as products and solutions of systems.
import { integerOf } from "../base/arguments.js";
import type { DTypeName } from "../base/dtype.js";
import type { Tensor } from "../tensor/tensor.js";
import { hostReads } from "../tensor/transfer.js";
import { squareOf } from "./operands.js";
import { identityLike, inverse, solve } from "./systems.js";

/**
 * The `n`-th power of a square matrix: the identity for 0, powers of the inverse for negative ones.
 *
 * @example jl.linalg.matrixPower(jl.tensor([[1, 1], [0, 1]]), 10).toArray() // [[1, 10], [0, 1]]
 */
export function matrixPower<D extends DTypeName>(a: Tensor<D>, n: number): Tensor<D> {
  const what = "linalg.matrixPower";
  const matrix = squareOf(what, a);
  const power = integerOf(what, "n", n);
  let square = power < 0 ? inverse(what, matrix, false) : matrix;
  let result: Tensor | undefined;
  for (let rest = Math.abs(power); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = result ? result.matmul(square) : square;
    if (rest > 1) square = square.matmul(square);
  }
  return (power === 0 ? identityLike(matrix).contiguous() : (result as Tensor).clone()) as Tensor<D>;
}

// The coefficients of the numerator of degree 13, and the norm up to which it is exact to double precision:
// Higham, The scaling and squaring method for the matrix exponential revisited, 2005.
const coefficients = [
  64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
  670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1,
] as const;
const largestNorm = 5.371920351148152;
const mostSquarings = 1100;

/**
 * The exponential of a square matrix, by scaling and squaring with a rational approximation.
 *
 * @example jl.linalg.matrixExp(jl.zeros([2, 2])).toArray() // [[1, 0], [0, 1]]
 */
export function matrixExp<D extends DTypeName>(a: Tensor<D>): Tensor<D> {
  const matrix = squareOf("linalg.matrixExp", a);
  if (matrix.size === 0) return matrix.clone() as Tensor<D>;
  const norms = matrix.abs().sum(-2, { keepdim: true }).amax(-1, { keepdim: true });
  // How often each matrix is halved; NaN and infinite ones never.
  const halvings = norms.div(largestNorm).log2().ceil().clampMin(0);
  const squarings = halvings.le(mostSquarings).where(halvings, 0);
  let result = approximation(matrix.mul(squarings.neg().exp2().to(matrix.dtype.name)));
  hostReads("linalg.matrixExp", squarings);
  const most = Number(squarings.amax().item());
  for (let i = 0; i < most; i++) result = squarings.gt(i).where(result.matmul(result), result);
  return result as Tensor<D>;
}

/** The rational approximation of degree 13 of the exponential of a matrix of small norm. */
function approximation(a: Tensor): Tensor {
  const one = identityLike(a);
  const a2 = a.matmul(a);
  const a4 = a2.matmul(a2);
  const a6 = a4.matmul(a2);
  // The even powers from A^0 on, with the coefficients of every second power from `first` on.
  const half = (first: 0 | 1) => {
    const c = (power: number) => coefficients[power + first] as number;
    const high = a6
      .mul(c(12))
      .add(a4.mul(c(10)))
      .add(a2.mul(c(8)));
    return a6
      .matmul(high)
      .add(a6.mul(c(6)))
      .add(a4.mul(c(4)))
      .add(a2.mul(c(2)))
      .add(one.mul(c(0)));
  };
  const [odd, even] = [a.matmul(half(1)), half(0)];
  return solve(even.sub(odd), even.add(odd));
}
