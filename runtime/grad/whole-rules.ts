// How cotangents go back through operations of whole tensors: products of matrices, scans and sorts.
import type { View } from "../geometry/view.js";
import type { WholeOperation } from "../launch/sink.js";
import { zeros } from "../tensor/create.js";
import { batchProduct } from "../tensor/products/product-kernel.js";
import type { Tensor } from "../tensor/tensor.js";
import type { Kept } from "./kept.js";
import { type Active, type Pull, type Recording, refusal } from "./rule.js";
import { send } from "./send.js";

/** What it keeps of the inputs of an operation; then, with its outputs, its pull. */
export function wholePull(
  recorder: Recording,
  operation: WholeOperation,
  inputs: readonly Tensor[],
  active: readonly (Active | undefined)[],
): (outputs: readonly View[]) => Pull {
  const { name } = operation;
  if (inputs.some(({ dtype }) => dtype.kind === "complex"))
    return () => refusal(name, "derivatives of complex numbers are not known yet");
  if (name === "matmul") return productPull(recorder, inputs as readonly [Tensor, Tensor], active);
  const to = active[0] as Active;
  if (operation.kind === "scan" && name === "cumsum") {
    const { dim } = operation;
    return () =>
      ([g]) => {
        if (g !== undefined) send(to, g.flip(dim).cumsum(dim).flip(dim));
      };
  }
  const isPlaced = name === "sort" || name === "cummax" || name === "cummin";
  if (isPlaced) {
    const dim = operation.kind === "scan" ? operation.dim : (inputs[0] as Tensor).ndim - 1;
    return ([, indices]) => placedPull(to, dim, recorder.keep(indices as View));
  }
  return () => refusal(name);
}

function productPull(
  recorder: Recording,
  [left, right]: readonly [Tensor, Tensor],
  [toLeft, toRight]: readonly (Active | undefined)[],
): (outputs: readonly View[]) => Pull {
  const a = toRight && recorder.keep(left);
  const b = toLeft && recorder.keep(right);
  // The result lies as its factor does, so that adding it to others needs no transposed copy.
  const product = (p: Tensor, q: Tensor, [, row, column]: readonly number[]) =>
    (row as number) < (column as number) ? batchProduct(q.mT, p.mT).mT : batchProduct(p, q);
  return () =>
    ([g]) => {
      if (g === undefined) return;
      if (toLeft && b) send(toLeft, product(g, b.tensor().mT, left.strides));
      if (toRight && a) send(toRight, product(a.tensor().mT, g, right.strides));
    };
}

/** Values that were taken from places along a dimension. */
function placedPull(to: Active, dim: number, indices: Kept): Pull {
  return ([g]) => {
    if (g === undefined) return;
    const none = zeros([...to.window.shape], { dtype: g.dtype.name, device: g.device.name });
    send(to, none.scatterAdd(dim, indices.tensor(), g));
  };
}
