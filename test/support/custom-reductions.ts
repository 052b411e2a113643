// Reductions of a user's, as the tests of several devices have them, and what each is in plain JavaScript.
import * as jl from "../../dist/runtime/index.js";

/** The place of the last of the greatest elements. */
export const lastArgmax = jl.reduction(
  (a, b) => (b.value > a.value || (b.value === a.value && b.place > a.place) ? b : a),
  {
    name: "lastArgmax",
    identity: { value: Number.NEGATIVE_INFINITY, place: -1n },
    map: (x) => ({ value: x, place: jl.math.index(0) }),
    finish: (a) => a.place,
    returns: "int64",
  },
);

/** The logarithm of the sum of exponentials, without overflow. */
export const logSumExp = jl.reduction(
  (a, b) => {
    const top = Math.max(a.top, b.top);
    if (top === Number.NEGATIVE_INFINITY) return a;
    return { sum: a.sum * Math.exp(a.top - top) + b.sum * Math.exp(b.top - top), top };
  },
  {
    name: "logSumExp",
    identity: { top: Number.NEGATIVE_INFINITY, sum: 0 },
    map: (x) => ({ top: x, sum: 1 }),
    finish: ({ top, sum }) => top + Math.log(sum),
  },
);

/** The variance by Welford's and Chan's way, from C++. */
export const variance = jl.reduction(
  `template <typename T> void variance(int64 n, T mean, T m2, int64 n2, T mean2, T m22, int64& n_out, T& mean_out, T& m2_out) {
  n_out = n + n2;
  const T share = n_out == 0 ? T(0) : T(n2) / T(n_out);
  const T apart = mean2 - mean;
  mean_out = mean + apart * share;
  m2_out = m2 + m22 + apart * apart * T(n) * share;
}`,
  {
    identity: { n: 0n, mean: 0, m2: 0 },
    map: "template <typename T> void one(T x, int64& n, T& mean, T& m2) { n = 1; mean = x; m2 = 0; }",
    finish: "template <typename T> T over(int64 n, T mean, T m2) { return m2 / T(n); }",
  },
);

/** Every bit that some element has. */
export const bitOr = jl.reduction((a: number, b: number) => a | b, { identity: 0, name: "bitor" });

/** Whether all elements lie inside of the unit interval. */
export const inside = jl.reduction((a: boolean, b: boolean) => a && b, {
  name: "inside",
  identity: true,
  map: (x) => x >= 0 && x <= 1,
  finish: (a) => a,
});

/** The mean of squares. */
export const meanSquare = jl.reduction((a: number, b: number) => a + b, {
  name: "meanSquare",
  identity: 0,
  map: (x) => x * x,
  finish: (a) => a / jl.math.extent(0),
});

/** The greatest and the least element, with one name. */
export const most = jl.reduction((a: number, b: number) => Math.max(a, b), {
  name: "own",
  identity: Number.NEGATIVE_INFINITY,
});
export const least = jl.reduction((a: number, b: number) => Math.min(a, b), {
  name: "own",
  identity: Number.POSITIVE_INFINITY,
});

/** A sum that calls an operation of the library. */
export const digammas = jl.reduction("template <typename T> T added(T a, T b) { return a + b; }", {
  identity: 0,
  map: "template <typename T> T digammas(T x) { return jl::digamma(x) * 2; }",
});
