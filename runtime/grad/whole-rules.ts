// How cotangents go back through products of matrices, sorts and the like.
import type { View } from "../geometry/view.js";
import type { OpaqueOperation } from "../launch/operation.js";
import { zeros } from "../tensor/create.js";
import { batchProduct } from "../tensor/products/product-kernel.js";
import type { Tensor } from "../tensor/tensor.js";
import type { BilinearRule, CollectiveRule, LinearRule } from "../tensor/whole.js";
import type { Kept } from "./kept.js";
import { type Active, type Pull, type Rule, refusal } from "./rule.js";
import { send } from "./send.js";

/** Of a linear operation of its first input. */
export const linearRule: Rule<OpaqueOperation> = (_, { definition, inputs }, [to]) => {
  const { adjoint } = definition.rule as LinearRule;
  const { dtype } = inputs[0] as View;
  return () =>
    ([g]) => {
      if (g && to) send(to, adjoint(g, { ...to.window, dtype } as never));
    };
};

/** Of operations that are linear in each of their two inputs. */
export const bilinearRule: Rule<OpaqueOperation> = (recorder, { definition, inputs }, active) => {
  const { adjoints } = definition.rule as BilinearRule;
  const kept = inputs.map((_, i) => active[1 - i] && recorder.keep(inputs[i] as View));
  return () =>
    ([g]) => {
      if (g === undefined) return;
      for (const [i, to] of active.entries())
        if (to) send(to, adjoints[i as 0 | 1](g, (kept[1 - i] as Kept).tensor()));
    };
};

/** Of collectives, in whose derivative each member takes part. */
export const collectiveRule: Rule<OpaqueOperation> = (_, { name, definition }, active) => {
  const { adjoint } = definition.rule as CollectiveRule;
  if (adjoint === undefined) return () => refusal(name, "only sums and means have one");
  return (outputs) => {
    const kinds = outputs.map(({ shape, dtype, device }) => ({
      shape,
      dtype: dtype.name,
      device: device.name,
    }));
    return (cotangents) => {
      const given = kinds.map(({ shape, ...where }, i) => cotangents[i] ?? zeros([...shape], where));
      for (const [i, g] of adjoint(given).entries()) {
        const to = active[i];
        if (g && to) send(to, g);
      }
    };
  };
};

/** Of batches of matrices. */
export const productRule: Rule<OpaqueOperation> = (recorder, { inputs }, [toLeft, toRight]) => {
  const [left, right] = inputs as readonly [Tensor, Tensor];
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
};

/** Values that were taken from places along a dimension. */
export function placedPull(to: Active, dim: number, indices: Kept): Pull {
  return ([g]) => {
    if (g === undefined) return;
    const none = zeros([...to.window.shape], { dtype: g.dtype.name, device: g.device.name });
    send(to, none.scatterAdd(dim, indices.tensor(), g));
  };
}

/** Of sorted rows. */
export const sortRule: Rule<OpaqueOperation> = (recorder, { inputs: [x] }, [to]) => {
  const last = (x as View).shape.length - 1;
  return ([, indices]) => placedPull(to as Active, last, recorder.keep(indices as View));
};

/** Of the most frequent element of sorted rows, whose places in the unsorted ones are the second input. */
export const modeRule: Rule<OpaqueOperation> = (recorder, { inputs: [, order] }, [to]) => {
  const places = recorder.keep(order as View);
  return ([, index]) => {
    const chosen = recorder.keep(index as View);
    return ([g]) => {
      if (g) send(to as Active, places.tensor().eq(chosen.tensor()).where(g, 0));
    };
  };
};

/** Of an element of a rank: elements that are equal to it get equal shares, as in PyTorch. */
export const rankRule: Rule<OpaqueOperation> = (recorder, { inputs: [vector] }, [to]) => {
  const x = recorder.keep(vector as View);
  return ([element]) => {
    const y = recorder.keep(element as View);
    return ([g]) => {
      if (g === undefined) return;
      const own = y.tensor();
      const is = x.tensor().eq(own).logicalOr(x.tensor().isnan().logicalAnd(own.isnan()));
      send(to as Active, is.where(g.div(is.to(g.dtype.name).sum()), 0));
    };
  };
};

/** Of sums of weights by number; -1 is in none. */
export const tallyRule: Rule<OpaqueOperation> = (recorder, { inputs: [index] }, [, to]) => {
  const kept = recorder.keep(index as View);
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
};
