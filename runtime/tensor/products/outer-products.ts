// Products that combine the elements of two tensors by their places: of all pairs, and of vectors in space.
import { inNameOf, JitlabError } from "../../base/errors.js";
import { broadcastShapes, formatShape } from "../../geometry/layout.js";
import { dimension } from "../../geometry/views.js";
import { checkDevices } from "../same-device.js";
import { type Tensor, tensorOf } from "../tensor.js";

/**
 * The Kronecker product: a copy of the second tensor for each element of the first, times that element.
 *
 * @example jl.tensor([1, 10]).kron(jl.tensor([1, 2])).toArray() // [1, 2, 10, 20]
 */
export function kron(x: Tensor, other: Tensor): Tensor {
  const rank = Math.max(tensorOf("kron", x).ndim, tensorOf("kron", other).ndim);
  const full = ({ shape, ndim }: Tensor) => [...new Array<number>(rank - ndim).fill(1), ...shape];
  const [a, b] = [full(x), full(other)];
  // Each extent of the result is one of the first tensor, then one of the second.
  const left = x.reshape(a.flatMap((extent) => [extent, 1]));
  const right = other.reshape(b.flatMap((extent) => [1, extent]));
  const product = inNameOf("kron", "mul", () => left.mul(right as never));
  return product.reshape(a.map((extent, d) => extent * (b[d] as number)));
}

/**
 * The cross product of vectors of three elements along a dimension, by default the last; the others broadcast.
 *
 * @example jl.tensor([1, 0, 0]).cross(jl.tensor([0, 1, 0])).toArray() // [0, 0, 1]
 */
export function cross(x: Tensor, other: Tensor, dim = -1): Tensor {
  const what = "cross";
  checkDevices(what, tensorOf(what, x), tensorOf(what, other));
  const shape = broadcastShapes(what, [x.shape, other.shape]);
  const d = dimension(what, dim, shape.length);
  const at = (one: Tensor) => one.shape[one.ndim - shape.length + d];
  if (at(x) !== 3 || at(other) !== 3) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: the shapes ${formatShape(x.shape)} and ${formatShape(other.shape)} along dimension ${d}.`,
      "Vectors have three elements there; name another dimension with dim.",
    );
  }
  const [a, b] = [x.expand(shape), other.expand(shape)];
  const one = (of: Tensor) => of.roll(-1, d);
  const two = (of: Tensor) => of.roll(-2, d);
  return inNameOf(what, "mul", () =>
    one(a)
      .mul(two(b) as never)
      .sub(two(a).mul(one(b) as never)),
  );
}
