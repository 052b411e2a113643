// Computations with the results of reductions that no row kernel runs, which tests run in every way.
import * as jl from "../../dist/runtime/index.js";

type T = jl.Tensor;

interface EpilogueProgram {
  readonly body: (x: T, y: T, row: T) => T | readonly T[];
  /** How many kernels plan it, without the passes of a reduction. */
  readonly kernels: number;
  /** True if it is one kernel where several blocks of a GPU share a row. */
  readonly isSharable?: true;
}

const last = { dim: -1, keepdim: true } as const;
const root = jl.jit(
  "template <typename T> T root(T x, T y) { return y < x ? sqrt(x * x + y) : T(0); }",
) as unknown as (x: T, y: T) => T;

/** Programs over two matrices and a row of their width. */
export const epiloguePrograms: Readonly<Record<string, EpilogueProgram>> = {
  "a scaled sum": { kernels: 1, body: (x) => x.sum().mul(2).add(1) },
  "the root of a mean": { kernels: 1, body: (x, y) => x.sub(y).square().mean().sqrt() },
  "a deviation": {
    kernels: 2,
    isSharable: true,
    body(x) {
      const d = x.sub(x.mean());
      return d.mul(d).mean().add(1e-5).rsqrt();
    },
  },
  "a quotient of two sums": { kernels: 1, body: (x, y) => x.mul(y).sum().div(y.abs().sum()) },
  "columns with operands": { kernels: 1, body: (x, _, row) => x.sum(0).mul(row).add(row.select(0, 1)) },
  "rows with their dimension kept": { kernels: 2, body: (x, y) => x.max(last).sub(y.mean(last)).abs() },
  // Results of several dtypes, and the reduction's own.
  "several results": {
    kernels: 1,
    body(x) {
      const most = x.max(-1);
      return [most, most.gt(0), most.mul(0.5).add(most), most.to("float16")];
    },
  },
  "places of another dtype": { kernels: 1, body: (x) => x.argmax(0).add(1).to("float32").mul(0.5) },
  "a functor of a user": { kernels: 2, body: (x, y) => root(x.sum(), y.sum()) },
  "logsumexp of rows": {
    kernels: 2,
    isSharable: true,
    body(x) {
      const most = x.max(last);
      return x.sub(most).exp().sum(last).log().add(most);
    },
  },
  // What follows is over another shape.
  "the results repeated": { kernels: 2, body: (x) => x.sum(0).mul(2).unsqueeze(0).mul(x) },
};
