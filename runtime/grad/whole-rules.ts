// How cotangents go back through operations of whole tensors: products of matrices, scans, sorts, and others by their facts.
import type { View } from "../geometry/view.js";
import type { ScanDefinition, WholeDefinition } from "../launch/operation.js";
import type { MatrixRule } from "../linalg/matrix-step.js";
import { zeros } from "../tensor/create.js";
import type { DistanceRule } from "../tensor/products/cdist.js";
import { batchProduct } from "../tensor/products/product-kernel.js";
import { cumsum, reverseCumsum } from "../tensor/statistics/scan.js";
import type { Tensor } from "../tensor/tensor.js";
import type { LinearRule } from "../tensor/whole.js";
import { distancePull } from "./distance-rule.js";
import type { Kept } from "./kept.js";
import { matrixPull } from "./linalg-rules.js";
import { type Active, type Pull, type Recording, refusal } from "./rule.js";
import { cumprodCotangent, logcumsumexpCotangent } from "./scan-rules.js";
import { send } from "./send.js";

/** What it keeps of the inputs of an operation; then, with its outputs, its pull. */
export function wholePull(
  recorder: Recording,
  operation: WholeDefinition,
  inputs: readonly Tensor[],
  active: readonly (Active | undefined)[],
): (outputs: readonly View[]) => Pull {
  const { name } = operation;
  if (name === "matmul") return productPull(recorder, inputs as readonly [Tensor, Tensor], active);
  const { rule } = operation;
  const [x] = inputs as readonly [Tensor];
  if (rule?.by === "distance")
    return distancePull(recorder, (rule as DistanceRule).power, inputs as [Tensor, Tensor], active);
  if (rule && rule.by !== "linear") return matrixPull(recorder, name, rule as MatrixRule, inputs, active);
  if (rule) {
    const { adjoint } = rule as LinearRule;
    const place = x.dtype;
    const to = active[0];
    return () =>
      ([g]) => {
        if (g && to) send(to, adjoint(g, { ...to.window, dtype: place } as never));
      };
  }
  if (operation.kind === "scan") return scanPull(recorder, operation, x, active[0] as Active);
  const to = active[0] as Active;
  switch (name) {
    case "sort":
      return ([, indices]) => placedPull(to, x.ndim - 1, recorder.keep(indices as View));
    case "mode":
      return modePull(recorder, inputs as [Tensor, Tensor], to);
    case "rank":
      return sharedPull(recorder, x, to);
    case "tally":
      return tallyPull(recorder, x, active[1]);
    default:
      return () => refusal(name);
  }
}

function scanPull(
  recorder: Recording,
  { name, dim, isReversed }: ScanDefinition,
  x: Tensor,
  to: Active,
): (outputs: readonly View[]) => Pull {
  const { isNested } = recorder;
  if (name === "cumsum")
    return () =>
      ([g]) => {
        if (g) send(to, isReversed ? cumsum(g, dim) : reverseCumsum(g, dim));
      };
  if (name === "cummax" || name === "cummin")
    return ([, indices]) => placedPull(to, dim, recorder.keep(indices as View));
  const kept = recorder.keep(x);
  if (name === "cumprod")
    return () =>
      ([g]) => {
        if (g) send(to, cumprodCotangent(kept.tensor(), dim, g, isNested));
      };
  return ([output]) => {
    const y = recorder.keep(output as View);
    return ([g]) => {
      if (g) send(to, logcumsumexpCotangent(kept.tensor(), y.tensor(), dim, g, isNested));
    };
  };
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
  const turned = ({ mT, dtype }: Tensor) => (dtype.kind === "complex" ? mT.conj() : mT);
  return () =>
    ([g]) => {
      if (g === undefined) return;
      if (toLeft && b) send(toLeft, product(g, turned(b.tensor()), left.strides));
      if (toRight && a) send(toRight, product(turned(a.tensor()), g, right.strides));
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

/** The most frequent element of sorted rows, whose places in the unsorted ones are the second input. */
function modePull(
  recorder: Recording,
  [, order]: readonly [Tensor, Tensor],
  to: Active,
): (outputs: readonly View[]) => Pull {
  const places = recorder.keep(order);
  return ([, index]) => {
    const chosen = recorder.keep(index as View);
    return ([g]) => {
      if (g) send(to, places.tensor().eq(chosen.tensor()).where(g, 0));
    };
  };
}

/** An element of a rank: elements that are equal to it get equal shares, as in PyTorch. */
function sharedPull(recorder: Recording, vector: Tensor, to: Active): (outputs: readonly View[]) => Pull {
  const x = recorder.keep(vector);
  return ([element]) => {
    const y = recorder.keep(element as View);
    return ([g]) => {
      if (g === undefined) return;
      const own = y.tensor();
      const is = x.tensor().eq(own).logicalOr(x.tensor().isnan().logicalAnd(own.isnan()));
      send(to, is.where(g.div(is.to(g.dtype.name).sum()), 0));
    };
  };
}

/** Sums of weights by number; -1 is in none. */
function tallyPull(
  recorder: Recording,
  index: Tensor,
  to: Active | undefined,
): (outputs: readonly View[]) => Pull {
  const kept = recorder.keep(index);
  return () =>
    ([g]) => {
      if (g === undefined || to === undefined) return;
      const places = kept.tensor().to("int64");
      const taken = g.take(places.clampMin(0));
      send(
        to,
        places
          .ge(0)
          .where(taken, 0)
          .reshape([...to.window.shape]),
      );
    };
}
