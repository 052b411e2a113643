// Computations of rows that tests run in every way.
import type * as jl from "../../dist/runtime/index.js";

type T = jl.Tensor;

const last = { dim: -1, keepdim: true } as const;

function centered(x: T): T {
  return x.sub(x.mean(last));
}

/** Programs that are one row kernel, over a matrix and two rows of its width. */
export const rowPrograms: Readonly<Record<string, (x: T, gain: T, bias: T) => T | readonly T[]>> = {
  softmax(x) {
    const e = x.sub(x.max(last)).exp();
    return e.div(e.sum(last));
  },
  layernorm(x, gain, bias) {
    const d = centered(x);
    return d.mul(d.mul(d).mean(last).add(1e-5).rsqrt()).mul(gain).add(bias);
  },
  rmsnorm: (x, gain) => x.mul(x.mul(x).mean(last).add(1e-6).rsqrt()).mul(gain),
  variance(x) {
    const d = centered(x);
    return d.mul(d).mean(-1);
  },
  logsumexp(x) {
    const most = x.max(last);
    return x.sub(most).exp().sum(last).log().add(most);
  },
  // Reductions of one input, some of them twice.
  moments: (x) => [x.mean(-1), x.mean(last), x.var(-1), x.max(-1), x.argmin(-1)],
  // Results of both domains, of a wider accumulator and of another dtype.
  statistics(x, gain) {
    const y = x.mul(gain);
    const most = y.max(last);
    return [y, most.mul(2), y.argmax(-1), y.sub(most).lt(-1).sum(last)];
  },
};
