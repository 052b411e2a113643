// Products of matrices and vectors, with PyTorch's shape rules: batches broadcast, and both factors have the same dtype.
import { integersOf, optionsOf, pairOf } from "../../base/arguments.js";
import { inNameOf, JitlabError, show } from "../../base/errors.js";
import { broadcastShapes, formatShape, sizeOf } from "../../geometry/layout.js";
import { dimensionsOf } from "../../geometry/views.js";
import { openCasts } from "../../launch/sink.js";
import { checkDevices } from "../same-device.js";
import { type Tensor, tensorOf, windowOf } from "../tensor.js";
import { batchProduct } from "./product-kernel.js";

/** Options of addmm. */
export interface AddmmOptions {
  /** The factor of the product; default 1. */
  readonly alpha?: number;
  /** The factor of the added tensor; default 1. */
  readonly beta?: number;
}

/** Throws unless two factors have the same supported dtype, the same device, and equal inner extents. */
function checkFactors(
  what: string,
  x: Tensor,
  other: Tensor,
  inner: readonly [number | undefined, number | undefined],
): void {
  tensorOf(what, x);
  tensorOf(what, other);
  checkDevices(what, x, other);
  if (x.dtype !== other.dtype || x.dtype.kind === "bool") {
    throw new JitlabError(
      "dtype-refused",
      `${what} does not take ${x.dtype.name} and ${other.dtype.name}: both factors must have the same dtype, not bool; convert with .to("float32").`,
    );
  }
  if (inner[0] !== inner[1]) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: the shapes ${formatShape(x.shape)} and ${formatShape(other.shape)} do not fit, their inner sizes differ: ${inner[0]} and ${inner[1]}.`,
      other.ndim === 1
        ? "The last extent of the first is that of the second."
        : "The last extent of the first is the second-last of the second; transpose one of them.",
    );
  }
}

function checkDims(what: string, x: Tensor, dims: number, name: string): void {
  if (tensorOf(what, x).ndim === dims) return;
  throw new JitlabError(
    "bad-dimension",
    `${what}: the shape ${formatShape(x.shape)} has ${x.ndim} dimensions.`,
    `It takes a ${name}; matmul takes more.`,
  );
}

/**
 * The product of matrices, batches of matrices, or vectors: dimensions before the last two broadcast.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).matmul(jl.tensor([1, 10])).toArray() // [21, 43]
 */
export function matmul(x: Tensor, other: Tensor): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("matmul", matmul, [x, other]);
  for (const each of [tensorOf("matmul", x), tensorOf("matmul", other)]) {
    if (each.ndim > 0) continue;
    throw new JitlabError(
      "bad-dimension",
      "matmul: a 0-d tensor is not a matrix.",
      "Multiply with mul(...).",
    );
  }
  const left = x.ndim === 1 ? x.unsqueeze(0) : x;
  const right = other.ndim === 1 ? other.unsqueeze(1) : other;
  checkFactors("matmul", x, other, [left.shape.at(-1), right.shape.at(-2)]);
  const batch = broadcastShapes("matmul", [left.shape.slice(0, -2), right.shape.slice(0, -2)]);
  const three = (matrix: Tensor) => {
    const [down, across] = matrix.shape.slice(-2) as [number, number];
    // The fast path of single matrices: a window costs the host little.
    if (matrix.ndim === 2 && batch.length === 0) {
      return windowOf(matrix, { shape: [1, down, across], strides: [0, ...matrix.strides], offset: 0 });
    }
    return matrix.expand([...batch, down, across]).reshape([sizeOf(batch), down, across]);
  };
  const rows = x.ndim === 1 ? [] : [left.shape.at(-2) as number];
  const columns = other.ndim === 1 ? [] : [right.shape.at(-1) as number];
  return batchProduct(three(left), three(right)).view([...batch, ...rows, ...columns]);
}

/**
 * The product of two matrices.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).mm(jl.tensor([[1], [10]])).toArray() // [[21], [43]]
 */
export function mm(x: Tensor, other: Tensor): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("mm", mm, [x, other]);
  checkDims("mm", x, 2, "matrix");
  checkDims("mm", other, 2, "matrix");
  checkFactors("mm", x, other, [x.shape[1], other.shape[0]]);
  return matmul(x, other);
}

/**
 * The products of two equally large batches of matrices.
 *
 * @example jl.ones([2, 1, 3]).bmm(jl.ones([2, 3, 1])).toArray() // [[[3]], [[3]]]
 */
export function bmm(x: Tensor, other: Tensor): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("bmm", bmm, [x, other]);
  checkDims("bmm", x, 3, "batch of matrices");
  checkDims("bmm", other, 3, "batch of matrices");
  checkFactors("bmm", x, other, [x.shape[2], other.shape[1]]);
  if (x.shape[0] !== other.shape[0]) {
    throw new JitlabError(
      "shape-mismatch",
      `bmm: batches of ${x.shape[0]} and ${other.shape[0]} matrices.`,
      "They must be equal; matmul broadcasts.",
    );
  }
  return matmul(x, other);
}

/**
 * The product of a matrix and a vector.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).mv(jl.tensor([1, 10])).toArray() // [21, 43]
 */
export function mv(x: Tensor, vector: Tensor): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("mv", mv, [x, vector]);
  checkDims("mv", x, 2, "matrix");
  checkDims("mv", vector, 1, "vector");
  checkFactors("mv", x, vector, [x.shape[1], vector.shape[0]]);
  return matmul(x, vector);
}

/**
 * The sum of the products of two vectors' elements.
 *
 * @example jl.tensor([1, 2]).dot(jl.tensor([3, 4])).item() // 11
 */
export function dot(x: Tensor, other: Tensor): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("dot", dot, [x, other]);
  checkDims("dot", x, 1, "vector");
  checkDims("dot", other, 1, "vector");
  checkFactors("dot", x, other, [x.shape[0], other.shape[0]]);
  return matmul(x, other);
}

/**
 * beta times the tensor, broadcast, plus alpha times the product of two matrices.
 *
 * @example jl.ones([2, 2]).addmm(jl.eye(2), jl.eye(2), { alpha: 2 }).toArray() // [[3, 1], [1, 3]]
 */
export function addmm(x: Tensor, left: Tensor, right: Tensor, options?: AddmmOptions): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("addmm", addmm, [x, left, right, options]);
  const { alpha = 1, beta = 1 } = optionsOf("addmm", options, ["alpha", "beta"]);
  const product = inNameOf("addmm", "mm", () => mm(left, right));
  const scaled = alpha === 1 ? product : product.mul(alpha);
  // Skipped if beta is zero, so that NaN in the added tensor is ignored.
  if (beta === 0) return scaled;
  const added = beta === 1 ? tensorOf("addmm", x) : tensorOf("addmm", x).mul(beta);
  const wide = inNameOf("addmm", "expand", () => added.expand(product.shape));
  return inNameOf("addmm", "add", () => wide.add(scaled));
}

/**
 * The product summed over dimensions: the last `dims` of the first and the first of the second, or those in two lists.
 *
 * @example jl.ones([2, 3]).tensordot(jl.ones([3, 4]), 1).shape // [2, 4]
 */
export function tensordot(
  x: Tensor,
  other: Tensor,
  dims: number | readonly [readonly number[], readonly number[]] = 2,
): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("tensordot", tensordot, [x, other, dims]);
  tensorOf("tensordot", x);
  tensorOf("tensordot", other);
  const [from, to] =
    typeof dims === "number" ? innerDims(x.ndim, other.ndim, dims) : pairOf("tensordot", "dims", dims);
  const left = dimensionsOf("tensordot", integersOf("tensordot", "dims", from), x.ndim);
  const right = dimensionsOf("tensordot", integersOf("tensordot", "dims", to), other.ndim);
  if (left.length !== right.length || left.some((d, i) => x.shape[d] !== other.shape[right[i] as number])) {
    throw new JitlabError(
      "shape-mismatch",
      `tensordot: the dimensions ${show(left)} of ${formatShape(x.shape)} and ${show(right)} of ${formatShape(other.shape)} do not fit.`,
      "They must be equally many, with equal extents.",
    );
  }
  const restOf = (tensor: Tensor, gone: readonly number[]) =>
    tensor.shape.map((_, d) => d).filter((d) => !gone.includes(d));
  const [keptLeft, keptRight] = [restOf(x, left), restOf(other, right)];
  const extents = (tensor: Tensor, list: readonly number[]) => list.map((d) => tensor.shape[d] as number);
  const inner = sizeOf(extents(x, left));
  const [rows, columns] = [extents(x, keptLeft), extents(other, keptRight)];
  const a = x.permute([...keptLeft, ...left]).reshape([sizeOf(rows), inner]);
  const b = other.permute([...right, ...keptRight]).reshape([inner, sizeOf(columns)]);
  checkFactors("tensordot", a, b, [inner, inner]);
  return matmul(a, b).view([...rows, ...columns]);
}

/** The last `count` dimensions of the first tensor and the first ones of the second. */
function innerDims(left: number, right: number, count: number): [number[], number[]] {
  if (!(Number.isInteger(count) && count >= 0 && count <= Math.min(left, right))) {
    throw new JitlabError(
      "bad-argument",
      `tensordot: dims is ${count}, for tensors of ${left} and ${right} dimensions.`,
      "Pass the number of dimensions to sum over, or two lists of them.",
    );
  }
  const counted = Array.from({ length: count }, (_, i) => i);
  return [counted.map((i) => left - count + i), counted];
}
