// Norms of matrices and vectors, with PyTorch's names and options.
import { integersOf, optionsOf, orOptions } from "../base/arguments.js";
import { JitlabError, show } from "../base/errors.js";
import { formatShape } from "../geometry/layout.js";
import { dimensionsOf } from "../geometry/views.js";
import { floating } from "../tensor/statistic-options.js";
import { type Tensor, tensorOf } from "../tensor/tensor.js";
import { decomposed } from "./decompositions.js";
import { matricesOf } from "./operands.js";

/** The order of a matrix norm: `nuc` is the sum of the singular values, 2 and -2 the largest and the smallest one. */
export type MatrixOrder = "fro" | "nuc" | 1 | -1 | 2 | -2 | typeof Number.POSITIVE_INFINITY;

/** Options of norms. */
export interface NormOptions {
  /** The dimension of vectors, or both of matrices; default: all for `norm`, the last two for `matrixNorm`. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keeps these dimensions with extent 1. */
  readonly keepdim?: boolean | undefined;
}

const names = ["dim", "keepdim"] as const;

/**
 * The norm of vectors or matrices: without an order, the root of the sum of all squares; with one, a matrix norm of two
 * dimensions and a vector norm of one.
 *
 * @example jl.linalg.norm(jl.tensor([[3, 0], [0, 4]]), "nuc").item() // 7
 */
export function norm(x: Tensor, order?: number | MatrixOrder | NormOptions, options?: NormOptions): Tensor {
  const [ord, given] = orOptions(order, options);
  const what = "linalg.norm";
  const value = tensorOf(what, x);
  const { dim, keepdim } = optionsOf(what, given, names);
  if (ord === undefined) return value.vectorNorm(2, { dim, keepdim });
  const dims = dim === undefined ? value.shape.map((_, d) => d) : integersOf(what, "dim", dim);
  if (dims.length === 1 && typeof ord === "number") return value.vectorNorm(ord, { dim: dims, keepdim });
  if (dims.length === 2) return matrixNormOf(what, value, ord as MatrixOrder, { dim: dims, keepdim });
  throw new JitlabError(
    "bad-argument",
    `${what}: the order ${show(ord)} over ${dims.length} dimensions of ${formatShape(value.shape)}.`,
    "Name one dimension for a vector norm by a number, two for a matrix norm: { dim: [0, 1] }.",
  );
}

/**
 * The norm of matrices: `fro` (the default), `nuc`, 2, -2, 1, -1, Infinity or -Infinity.
 *
 * @example jl.linalg.matrixNorm(jl.tensor([[1, -2], [3, 4]]), 1).item() // 6
 */
export function matrixNorm(x: Tensor, ord?: MatrixOrder | NormOptions, options?: NormOptions): Tensor {
  const [order = "fro", given] = orOptions(ord, options);
  return matrixNormOf("linalg.matrixNorm", x, order, optionsOf("linalg.matrixNorm", given, names));
}

/**
 * The norm of vectors of an order, by default 2; the same as `x.vectorNorm(ord, options)`.
 *
 * @example jl.linalg.vectorNorm(jl.tensor([3, 4])).item() // 5
 */
export function vectorNorm(x: Tensor, ord?: number | NormOptions, options?: NormOptions): Tensor {
  const [order = 2, given] = orOptions(ord, options);
  const what = "linalg.vectorNorm";
  return tensorOf(what, x).vectorNorm(order, optionsOf(what, given, names));
}

/** The norm, in the name of a function. */
export function matrixNormOf(
  what: string,
  x: Tensor,
  ord: MatrixOrder,
  { dim = [-2, -1], keepdim = false }: NormOptions = {},
): Tensor {
  const value = floating(what, x);
  const dims = dimensionsOf(what, integersOf(what, "dim", dim), value.ndim);
  if (dims.length !== 2 || dims[0] === dims[1]) {
    throw new JitlabError("bad-argument", `${what}: dim is ${show(dim)}.`, "A matrix has two dimensions.");
  }
  const [rows, columns] = dims as [number, number];
  const sums = (over: number) => value.abs().sum(over, { keepdim: true });
  const kept = keepdim ? (found: Tensor) => found : (found: Tensor) => found.squeeze(dims);
  const values = () => {
    const found = decomposed(what, matricesOf(what, value.movedim([rows, columns], [-2, -1])), "none").S;
    return found.unsqueeze(-1).movedim([-2, -1], [rows, columns]);
  };
  switch (ord) {
    case "fro":
      return value.vectorNorm(2, { dim: dims, keepdim });
    case "nuc":
      return kept(values().sum(rows, { keepdim: true }));
    case 2:
      return kept(values().amax(rows, { keepdim: true }));
    case -2:
      return kept(values().amin(rows, { keepdim: true }));
    case 1:
      return kept(sums(rows).amax(columns, { keepdim: true }));
    case -1:
      return kept(sums(rows).amin(columns, { keepdim: true }));
    case Number.POSITIVE_INFINITY:
      return kept(sums(columns).amax(rows, { keepdim: true }));
    case Number.NEGATIVE_INFINITY:
      return kept(sums(columns).amin(rows, { keepdim: true }));
    default:
      throw new JitlabError(
        "bad-argument",
        `${what}: the order is ${show(ord)}.`,
        'Orders of matrices are "fro", "nuc", 1, -1, 2, -2, Infinity and -Infinity.',
      );
  }
}
