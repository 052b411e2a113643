// Random programs with gradients: views, partial writes in place, lookups, products, joins and statistics in four dtypes. Compiled and
// step by step they have the bits of the call that is not compiled; each eighth is replayed too, and in float64 its derivatives are those
// of differences.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { isCompiled, useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);

// A compiler takes seconds for the kernels of one.
const count = Number(process.env.FUZZ_GRADIENTS ?? (isCompiled ? 6 : 100));
const first = Number(process.env.FUZZ_SEED ?? 1);
const dtypes = ["float64", "float32", "float16", "bfloat16"] as const;
const [rows, columns] = [3, 4];

/** Numbers from 0 to 1 that a seed determines. */
function drawer(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

type Step = (pool: jl.Tensor[], pick: () => jl.Tensor, below: (n: number) => number) => jl.Tensor;
const steps: readonly Step[] = [
  (_, pick) => pick().mul(pick()),
  (_, pick) => pick().add(pick().mul(0.5)),
  (_, pick) => pick().sub(pick()).sin(),
  (_, pick) => pick().div(pick().square().add(1)),
  (_, pick) => pick().tanh(),
  (_, pick) => pick().mul(0.3).exp(),
  (_, pick) => pick().sigmoid().mul(pick()),
  (_, pick) => pick().square().add(0.5).sqrt(),
  (_, pick) => pick().gelu(),
  (_, pick) => pick().softmax(1),
  (_, pick) => pick().logSoftmax(0).mul(0.1),
  (_, pick) => pick().sub(pick().mean({ dim: 1, keepdim: true })),
  (_, pick) =>
    pick()
      .mul(pick().sum({ dim: 0, keepdim: true }))
      .tanh(),
  (_, pick) => pick().matmul(pick().T).matmul(pick()).mul(0.2),
  (_, pick) => pick().T.flip(0).T.add(pick()),
  (_, pick) => jl.cat([pick().narrow(0, 0, 1), pick().narrow(0, 1, 2)]),
  (_, pick) => pick().gt(0.1).where(pick(), pick().mul(2)),
  (_, pick) => pick().indexSelect(0, jl.tensor([2n, 0n, 2n])),
  (_, pick) =>
    pick()
      .at(jl.tensor([[0n], [2n], [0n]]), jl.tensor([[3n, 1n, 1n, 0n]]))
      .mul(pick()),
  (_, pick) => pick().cumsum(1).mul(0.3),
  (_, pick) => pick().sort(1).values.mul(0.9),
  (_, pick) => pick().tanh().cumprod(1),
  (_, pick) => pick().logcumsumexp(0).mul(0.3),
  (_, pick) =>
    pick()
      .max(1, { indices: true })
      .values.unsqueeze(1)
      .mul(pick().tanh().prod(0, { keepdim: true }))
      .tanh(),
  (_, pick) =>
    pick().scatterReduce(
      1,
      jl.tensor([
        [0n, 2n],
        [3n, 3n],
      ]),
      pick().narrow(0, 1, 2),
      "mean",
    ),
  (_, pick) => pick().select(0, 1).expand(rows, columns).mul(pick()),
  (_, pick) =>
    pick()
      .mul(pick().amax(1, { keepdim: true }))
      .tanh(),
  (pool, pick) => {
    const written = pick().clone();
    written.narrow(1, 1, 2).mul_(pick().narrow(1, 0, 2));
    pool.push(written);
    return written.exp().mul(0.2);
  },
  (_, pick, below) => {
    const written = pick().mul(1.5);
    const before = written.sin();
    written.select(0, below(rows)).copy_(pick().select(1, 0).sum().expand(columns));
    return written.tanh().add(before);
  },
  (_, pick) => {
    const out = pick().neg();
    jl.cos(pick(), { out });
    return out.mul(pick());
  },
];

/** The loss of a seed: the same operations at each call. */
function lossOf(seed: number): (x: jl.Tensor, y: jl.Tensor) => jl.Tensor {
  return (x, y) => {
    const draw = drawer(seed);
    const below = (n: number) => Math.floor(draw() * n);
    const pool = [x, y];
    const pick = () => pool[below(pool.length)] as jl.Tensor;
    const length = 3 + below(10);
    for (let i = 0; i < length; i++) pool.push((steps[below(steps.length)] as Step)(pool, pick, below));
    return pool.reduce((sum, one) => sum.add(one.mul(0.3).sum()), pool.at(-1)?.sum() as jl.Tensor);
  };
}

function argumentsOf(seed: number, dtype: jl.DTypeName): [jl.Tensor, jl.Tensor] {
  const draw = drawer(seed + 7);
  const one = () =>
    jl.tensor(
      Array.from({ length: rows * columns }, () => 2 * draw() - 1),
      { dtype },
    );
  return [one().reshape(rows, columns), one().reshape(columns, rows).T];
}

function bitsOf({ value, grad }: { value: jl.Tensor; grad: readonly jl.Tensor[] }): string[] {
  return [value, ...grad].map(
    (one) => `${one.dtype.name} ${one.shape}: ${[...one.data()].map((v) => (Object.is(v, -0) ? "-0" : v))}`,
  );
}

test.each(Array.from({ length: count }, (_, i) => first + i))("program %i", (seed) => {
  const loss = lossOf(seed);
  const dtype = dtypes[seed % dtypes.length] as jl.DTypeName;
  const args = argumentsOf(seed, dtype);
  const both = jl.valueAndGrad(loss, { argnums: [0, 1] });
  const wanted = bitsOf(both(...args));
  const isReplayed = seed % 8 === 0;
  for (const backend of ["fused", "steps"] as const) {
    const compiled = jl.compile(both, { backend, replay: isReplayed });
    if (!isReplayed) {
      expect(bitsOf(compiled(...args)), backend).toEqual(wanted);
      continue;
    }
    for (let call = 0; call < 3; call++) expect(bitsOf(compiled(...args)), backend).toEqual(wanted);
    const others = argumentsOf(seed + 1000, dtype);
    expect(bitsOf(compiled(...others)), `${backend}, replayed`).toEqual(bitsOf(both(...others)));
  }
  if (isReplayed) expect(jl.gradcheck(loss, argumentsOf(seed, "float64"), { atol: 1e-5 })).toBe(true);
});
