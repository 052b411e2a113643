// Random programs with gradients: views, writes in place into parts and into parts without elements, lookups, products, joins and
// statistics in four dtypes. Compiled and step by step they have the bits of the call that is not compiled; each eighth is replayed too,
// and in float64 its derivatives are those of differences. Others keep a pull, gradients across an await, or hold an argument.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { isCompiled, useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);

// A compiler takes seconds for the kernels of one.
const count = Number(process.env.FUZZ_GRADIENTS ?? (isCompiled ? 6 : 40));
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

const places = (...indexes: bigint[]) => jl.tensor(BigInt64Array.from(indexes));
/** Writes into a part of a matrix that has no elements. */
const writes: readonly ((x: jl.Tensor, y: jl.Tensor) => unknown)[] = [
  (x, y) => x.narrow(1, 2, 0).mul_(y.narrow(1, 0, 0)),
  (x, y) => x.narrow(0, 3, 0).copy_(y.narrow(0, 1, 0)),
  (x) => x.narrow(0, 0, 0).fill_(7),
  (x) => x.set("2:2", 7),
  (x, y) => x.indexAdd_(1, places(), y.narrow(1, 0, 0)),
  (x, y) => x.scatter_(0, places().reshape(0, columns), y),
  (x, y) => x.scatterReduce_(1, places().reshape(rows, 0), y, "amax"),
  (x, y) => jl.cos(y.narrow(0, 0, 0), { out: x.narrow(0, 1, 0) }),
];

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
  (_, pick, below) => {
    const written = pick().mul(1.5);
    (writes[below(writes.length)] as (typeof writes)[number])(written, pick());
    return written.tanh();
  },
  (_, pick) =>
    jl
      .cat([pick().narrow(1, 4, 0), pick(), pick().narrow(1, 0, 0)], 1)
      .roll(1, 0)
      .mul(0.5),
  (_, pick) =>
    pick()
      .scatterReduce(1, places(0n, 2n, 0n).expand(rows, 3), pick(), "amin", { includeSelf: false })
      .mul(pick()),
  (_, pick) =>
    pick()
      .logaddexp(pick())
      .sub(pick().logsumexp(1, { keepdim: true })),
  (_, pick) => {
    const out = pick().neg();
    jl.cos(pick(), { out });
    return out.mul(pick());
  },
];

type Pair = [jl.Tensor, jl.Tensor];
type Loss = (x: jl.Tensor, y: jl.Tensor) => jl.Tensor;
/** Calls a function compiled, or as it is. */
type Way = (f: (x: jl.Tensor, y: jl.Tensor) => unknown) => (x: jl.Tensor, y: jl.Tensor) => unknown;

/** The loss of a seed: the same operations at each call. */
function lossOf(seed: number): Loss {
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

function argumentsOf(seed: number, dtype: jl.DTypeName): Pair {
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

/** What is kept of a call and read behind it, by a way to call functions: it has the bits of calls that are not compiled. */
const later: Readonly<Record<number, (loss: Loss, args: Pair, others: Pair, way: Way) => Promise<unknown>>> =
  {
    // The pull of a derivative.
    1: async (loss, args, _, way) => {
      let pull: (g: jl.Tensor) => readonly jl.Tensor[] = () => [];
      const f = way((x, y) => {
        const made = jl.vjp(loss, x, y);
        pull = made.pull;
        return made.value;
      });
      const value = f(...args) as jl.Tensor;
      const grad = pull(jl.full([], 0.5, { dtype: value.dtype.name as "float64" }));
      return bitsOf({ value, grad });
    },
    // Gradients across an await, of which others are taken.
    2: async (loss, args, _, way) => {
      const both = jl.valueAndGrad(loss, { argnums: [0, 1] });
      const f = way(async (x, y) => {
        const first = both(x, y);
        await undefined;
        return [first, both(...(first.grad as Pair))];
      });
      return ((await f(...args)) as ReturnType<typeof both>[]).map(bitsOf);
    },
    // A tensor that the function holds, as an argument.
    4: async (loss, [x, y], [other], way) => {
      const held = y.contiguous();
      const f = way((a) => jl.valueAndGrad((b: jl.Tensor) => loss(b, held.mul(1.5)))(a));
      const bits: string[][] = [];
      for (const a of [x, held, held, held, x, other, held, x, other]) {
        const { value, grad } = f(a, a) as { value: jl.Tensor; grad: jl.Tensor };
        bits.push(bitsOf({ value, grad: [grad] }));
      }
      return bits;
    },
  };

test.each(Array.from({ length: count }, (_, i) => first + i).filter((seed) => seed % 8 in later))(
  "program %i, read later",
  async (seed) => {
    const loss = lossOf(seed);
    const dtype = dtypes[(seed >> 3) % dtypes.length] as jl.DTypeName;
    const run = later[seed % 8] as (typeof later)[number];
    const [args, others] = [() => argumentsOf(seed, dtype), () => argumentsOf(seed + 1000, dtype)];
    const wanted = await run(loss, args(), others(), (f) => f);
    for (const backend of ["fused", "steps"] as const) {
      const way: Way = (f) => jl.compile(f, { backend, replay: seed % 8 === 4 });
      expect(await run(loss, args(), others(), way), backend).toEqual(wanted);
    }
  },
);
