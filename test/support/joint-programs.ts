// Several reductions of everything in one or two tensors, which tests run in every way, with how many kernels they are.
import type * as jl from "../../dist/runtime/index.js";

type T = jl.Tensor;

interface JointProgram {
  readonly kernels: number;
  /** True if it is one kernel where several blocks of a GPU share the tensor. */
  readonly isSharable?: true;
  readonly body: (x: T, y: T) => readonly T[];
}

/** Programs over two tensors of one shape. */
export const jointPrograms: Readonly<Record<string, JointProgram>> = {
  "a sum and a maximum": { kernels: 1, body: (x) => [x.sum(), x.max()] },
  "a difference of two reductions": { kernels: 1, body: (x) => [x.max().sub(x.min()).mul(2)] },
  "a mean and a variance": { kernels: 2, isSharable: true, body: (x) => [x.mean(), x.var()] },
  "reductions of two tensors": { kernels: 2, body: (x, y) => [x.sum(), y.max()] },
  "more reductions than a kernel holds": {
    kernels: 2,
    body: (x) => [x.sum(), x.max(), x.min(), x.mean(), x.exp().sum()],
  },
  "accumulators of two sizes": { kernels: 2, body: (x) => [x.max(), x.argmax(), x.min()] },
  "a reduction of what another one gave": {
    kernels: 2,
    isSharable: true,
    body: (x) => [x.sub(x.max()).exp().sum(), x.min()],
  },
  "a reduction, and a map over it and another one": {
    kernels: 1,
    body: (x) => {
      const most = x.max();
      return [most, x.min().add(most), x.mean({ keepdim: true }).sqrt()];
    },
  },
  "norms of what is computed, and a sum of what is read": {
    kernels: 1,
    body: (x, y) => [x.mul(y).sum(), x.abs().max(), y.sum(), x.sub(y).to("bool").to(x.dtype.name).sum()],
  },
};
