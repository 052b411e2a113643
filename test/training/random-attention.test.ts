// Attention with random options beside its definition in float64: the result and the gradients of queries, keys and values, as separate
// calls and compiled. FUZZ_ATTENTION says how many, FUZZ_SEED sets the first one.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { isCompiled, useAnyDevice } from "../support/device.js";
import { randomSource } from "../support/random.js";

beforeAll(useAnyDevice);

// A compiler takes seconds for the kernels of one.
const count = Number(process.env.FUZZ_ATTENTION ?? (isCompiled ? 4 : 40));
const first = Number(process.env.FUZZ_SEED ?? 1);
const errors = { float64: 1e-12, float32: 2e-5, float16: 4e-3, bfloat16: 3e-2 } as const;
type Dtype = keyof typeof errors;

type Matrix = number[][];
const times = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) =>
    (b[0] as number[]).map((_, j) => row.reduce((sum, one, k) => sum + one * (b[k] as number[])[j]!, 0)),
  );
const turned = (a: Matrix, columns: number): Matrix =>
  Array.from({ length: columns }, (_, j) => a.map((row) => row[j] as number));

/** The result and the gradients for one batch. `bias` is added to the scores, `kept` multiplies the weights. */
function defined(
  q: Matrix,
  k: Matrix,
  v: Matrix,
  g: Matrix,
  scale: number,
  bias: Matrix,
  kept: Matrix,
): Matrix[] {
  const [features, keys] = [(q[0] as number[]).length, k.length];
  const scores = times(q, turned(k, features)).map((row, i) =>
    row.map((one, j) => one * scale + (bias[i] as number[])[j]!),
  );
  const weights = scores.map((row) => {
    const top = Math.max(...row);
    if (top === Number.NEGATIVE_INFINITY) return row.map(() => 0);
    const powers = row.map((one) => Math.exp(one - top));
    const sum = powers.reduce((a, b) => a + b);
    return powers.map((one) => one / sum);
  });
  const by = (a: Matrix, b: Matrix): Matrix =>
    a.map((row, i) => row.map((one, j) => one * (b[i] as number[])[j]!));
  const used = by(weights, kept);
  const toWeights = by(times(g, turned(v, (v[0] as number[]).length)), kept);
  const toScores = weights.map((row, i) => {
    const own = toWeights[i] as number[];
    const mean = row.reduce((sum, one, j) => sum + one * own[j]!, 0);
    return row.map((one, j) => one * (own[j]! - mean) * scale);
  });
  return [times(used, v), times(toScores, k), times(turned(toScores, keys), q), times(turned(used, keys), g)];
}

test.each(Array.from({ length: count }, (_, i) => first + i))("attention of seed %i", (seed) => {
  const { below, pick } = randomSource(seed);
  const dtype = pick(Object.keys(errors) as Dtype[]);
  const lead = pick([[], [1], [2], [2, 3]]);
  const [rows, columns, features, outer] = [1 + below(9), 1 + below(9), 1 + below(7), 1 + below(7)] as const;
  const masked = pick(["none", "causal", "bool", "added", "bool of rows"] as const);
  const scale = pick([undefined, 0.3, 1]);
  const dropoutP = pick([0, 0, 0.4]);
  const text = `${dtype} ${lead}: ${rows} x ${columns}, ${features} and ${outer} features, mask ${masked}, scale ${scale}, dropout ${dropoutP}`;
  const normal = (shape: number[]) => jl.randn(shape, { dtype: "float64" }).to(dtype);
  jl.manualSeed(seed);
  const [q, k, v, g] = [
    normal([...lead, rows, features]),
    normal([...lead, columns, features]),
    normal([...lead, columns, outer]),
    normal([...lead, rows, outer]),
  ] as const;
  const sees = jl.rand([masked === "bool of rows" ? 1 : rows, columns]).lt(0.6);
  const added = jl.randn([rows, columns], { dtype: "float64" }).to(dtype);
  const attnMask = masked === "added" ? added : masked.startsWith("bool") ? sees : undefined;
  const options = () => ({
    attnMask,
    isCausal: masked === "causal",
    ...(scale === undefined ? {} : { scale }),
    dropoutP,
    generator: jl.generator(seed),
  });
  const call = (a: jl.Tensor, b: jl.Tensor, c: jl.Tensor) => jl.scaledDotProductAttention(a, b, c, options());
  const both = (a: jl.Tensor, b: jl.Tensor, c: jl.Tensor) => {
    const { value, pull } = jl.vjp(call, a, b, c);
    return [value, ...(pull(g) as unknown as jl.Tensor[])];
  };
  // Weights of equal scores are 1 / columns, or 0 where one is dropped.
  const even = jl.eye(columns, { dtype: "float64" }).expand(...lead, columns, columns);
  const zeros = (length: number) => jl.zeros([...lead, length, features], { dtype: "float64" });
  const dropped = jl
    .scaledDotProductAttention(zeros(rows), zeros(columns), even, { dropoutP, generator: jl.generator(seed) })
    .mul(columns);
  const batches = (x: jl.Tensor) =>
    x
      .to("float64")
      .reshape(-1, ...x.shape.slice(-2))
      .toArray() as unknown as Matrix[];
  const numbers = (x: jl.Tensor) => x.to("float64").toArray() as unknown as Matrix;
  const [adds, seen] = [numbers(added), numbers(sees)];
  const bias = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => {
      if (masked === "causal") return j <= i ? 0 : Number.NEGATIVE_INFINITY;
      if (masked === "added") return adds[i]![j];
      if (masked === "none") return 0;
      return seen[masked === "bool of rows" ? 0 : i]![j] ? 0 : Number.NEGATIVE_INFINITY;
    }),
  ) as Matrix;
  const [qs, ks, vs, gs, kept] = [q, k, v, g, dropped].map(batches) as [
    Matrix[],
    Matrix[],
    Matrix[],
    Matrix[],
    Matrix[],
  ];
  const wanted = qs.map((one, i) =>
    defined(one, ks[i]!, vs[i]!, gs[i]!, scale ?? 1 / Math.sqrt(features), bias, kept[i]!),
  );
  for (const [way, run] of Object.entries({ separate: both, compiled: jl.compile(both) })) {
    const found = run(q, k, v);
    for (const [part, name] of ["result", "queries", "keys", "values"].entries()) {
      const got = found[part] as jl.Tensor;
      expect(got.dtype.name, text).toBe(dtype);
      const [values, want] = [
        [...got.flatten().data()].map(Number),
        wanted.flatMap((one) => one[part]!.flat()),
      ];
      expect(values.length, text).toBe(want.length);
      const error = errors[dtype] * Math.max(1, ...want.map(Math.abs));
      for (const [i, value] of values.entries()) {
        if (!(Math.abs(value - want[i]!) <= error))
          expect.fail(`${way}, ${name} of ${text}: element ${i} is ${value}, not ${want[i]}`);
      }
    }
  }
});
