// Reductions that compute their elements from operands, which tests run in every way, with how many kernels each is.
import type * as jl from "../../dist/runtime/index.js";

type T = jl.Tensor;

interface LossProgram {
  readonly body: (x: T, y: T, row: T) => T | readonly T[];
  /** How many kernels, where a row does not fit into one. */
  readonly kernels: number;
  /** True if it is one kernel where several blocks of a GPU share a row. */
  readonly isSharable?: true;
}

const last = { dim: -1, keepdim: true } as const;

/** Programs over two matrices and a row of their width. */
export const lossPrograms: Readonly<Record<string, LossProgram>> = {
  squaredError: {
    kernels: 1,
    body(x, y) {
      const d = x.sub(y);
      return d.mul(d).mean();
    },
  },
  variance: {
    kernels: 2,
    isSharable: true,
    body(x) {
      const d = x.sub(x.mean());
      return d.mul(d).mean();
    },
  },
  // The exponentials are computed again.
  softmax: {
    kernels: 3,
    isSharable: true,
    body(x) {
      const e = x.sub(x.max(last)).exp();
      return e.div(e.sum(last));
    },
  },
  layernorm: {
    kernels: 3,
    isSharable: true,
    body(x, y) {
      const d = x.sub(x.mean(last));
      return d.mul(d.mul(d).mean(last).add(1e-5).rsqrt()).mul(y);
    },
  },
  // Columns; one operand is the same for all rows, one for all columns.
  columns: { kernels: 1, body: (x, y, row) => x.mul(row).add(y.select(1, 0).unsqueeze(1)).sum(0) },
  // Results of another dtype, places, and a prologue with a scalar of each call.
  places: { kernels: 2, body: (x, y) => [x.sub(y).mul(0.5).argmax(0), x.lt(y).sum(-1)] },
  // What is returned goes to memory once.
  kept: {
    kernels: 2,
    body(x, y) {
      const d = x.sub(y);
      return [d, d.abs().sum()];
    },
  },
};
