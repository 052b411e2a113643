// Computations of rows with reductions of the user's, each of one kernel.
import type * as jl from "../../dist/runtime/index.js";
import { digammas, lastArgmax, least, logSumExp, meanSquare, most, variance } from "./custom-reductions.js";

type T = jl.Tensor;

const last = { dim: -1, keepdim: true } as const;

/** The programs, over a matrix. */
export const ownRowPrograms: Readonly<Record<string, (x: T) => T | readonly T[]>> = {
  "softmax by one pass": (x) => x.sub(logSumExp(x, last)).exp(),
  "rows scaled to one range": (x) => x.sub(least(x, last)).div(most(x, last).sub(least(x, last))),
  "a variance beside the library's": (x) => [variance(x, -1), x.var(-1), x.mean(-1)],
  "the last greatest, and a sum": (x) => [lastArgmax(x.mul(2), -1), x.mul(2).sum(-1)],
  "an operation of the library in it": (x) =>
    x
      .abs()
      .add(1)
      .mul(digammas(x.abs().add(1), last)),
  "a mean of squares of what was computed": (x) => {
    const y = x.sub(x.mean(last));
    return y.div(meanSquare(y, last).add(1e-5).sqrt());
  },
};
