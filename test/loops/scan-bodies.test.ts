// Random steps of scans: views, writes in place, draws, products, rows and maps over a carry of two tensors. Compiled or not, the loop has
// the bits of a plain one, its draws, and its gradients. FUZZ_SCANS says how many, FUZZ_SEED sets the first one.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { isCompiled, useAnyDevice } from "../support/device.js";
import { bitsOf } from "../support/lanes.js";
import { type RandomSource, randomSource } from "../support/random.js";

beforeAll(useAnyDevice);

// A compiler takes seconds for the kernels of one.
const count = Number(process.env.FUZZ_SCANS ?? (isCompiled ? 4 : 150));
const first = Number(process.env.FUZZ_SEED ?? Math.floor(Date.now() / 86_400_000) * 1000);
const [rows, columns] = [3, 4];

type Pick = () => jl.Tensor;
const operations: readonly ((pick: Pick) => jl.Tensor)[] = [
  (pick) => pick().mul(pick()).tanh(),
  (pick) => pick().add(pick().mul(0.5)),
  (pick) => pick().mul(0.9),
  (pick) => pick().sub(pick()).sin(),
  (pick) => pick().div(pick().square().add(1)),
  (pick) => pick().sigmoid().mul(pick()),
  (pick) => pick().square().add(0.5).sqrt(),
  (pick) => pick().softmax(1),
  (pick) => pick().sub(pick().mean({ dim: 1, keepdim: true })),
  (pick) => pick().matmul(pick().T).matmul(pick()).mul(0.1).tanh(),
  (pick) => pick().flip(0).add(pick()).mul(0.5),
  (pick) => jl.cat([pick().narrow(0, 0, 1), pick().narrow(0, 1, 2)]),
  (pick) => pick().gt(0.1).where(pick(), pick().mul(0.2)),
  (pick) => pick().cumsum(1).tanh(),
  (pick) => pick().add(pick().sum().mul(0.01)).cos(),
  (pick) => pick().T.contiguous().T.mul(0.5),
  (pick) => {
    const z = pick().mul(0.5);
    z.narrow(1, 1, 2).add_(pick().narrow(1, 0, 2));
    return z;
  },
  (pick) => {
    const z = jl.zeros([rows, columns]);
    z.narrow(0, 0, 2).copy_(pick().narrow(0, 1, 2));
    return z.add(pick());
  },
];
/** Read or write parts of a tensor. */
const partial = new Set([11, 16, 17].map((i) => operations[i]));
const draws: readonly ((pick: Pick) => jl.Tensor)[] = [
  (pick) => pick().add(jl.randn([rows, columns]).mul(0.1)),
  (pick) => pick().mul(jl.rand([rows, 1])),
];

type Bits = ReturnType<typeof bitsOf>;
type Carry = readonly jl.Tensor[];
/** A step; `isJoint` if it reads parts, hands on one tensor twice, or one that it got: cotangents of these have sums in another order. */
type Body = ((carry: Carry, x: jl.Tensor) => [Carry, jl.Tensor[]]) & { isJoint?: boolean };

/** A random step over what is outside. */
function bodyOf(source: RandomSource, outside: jl.Tensor): Body {
  const all = source.below(3) === 0 ? [...operations, ...draws] : operations;
  const steps = Array.from({ length: 1 + source.below(6) }, () => ({
    operation: source.pick(all),
    picks: Array.from({ length: 4 }, () => source.below(1000)),
  }));
  const [next, results] = [
    [source.below(1000), source.below(1000)],
    [source.below(1000), source.below(1000)],
  ];
  const mends = source.below(4) !== 0;
  const body: Body = (carry, x) => {
    const pool = [...carry, x, outside];
    const given = pool.length;
    for (const { operation, picks } of steps) {
      let k = 0;
      // The latest are the most likely.
      const pick = () => {
        const at = picks[k++ % picks.length] as number;
        return pool[at % 2 === 0 ? pool.length - 1 : at % pool.length] as jl.Tensor;
      };
      pool.push(operation(pick));
    }
    const at = (i: number) => pool[i % pool.length] as jl.Tensor;
    const mended = (one: jl.Tensor) => (mends ? one : one.contiguous());
    const other = (next[1] as number) % pool.length;
    const isPartial = steps.some(({ operation }) => partial.has(operation));
    body.isJoint = isPartial || other < given || other === pool.length - 1;
    const carried = [pool.at(-1) as jl.Tensor, at(other)].map(mended);
    return [carried, [at(results[0] as number), at(results[1] as number).sum(1)]];
  };
  return body;
}

function plain(body: Body, init: Carry, xs: jl.Tensor, isReversed: boolean) {
  let carry = init;
  const all: jl.Tensor[][] = [];
  const elements = [...xs];
  for (const x of isReversed ? elements.reverse() : elements) {
    const [next, results] = body(carry, x);
    carry = next;
    all.push(results);
  }
  if (isReversed) all.reverse();
  return [...carry, ...[0, 1].map((k) => jl.stack(all.map((results) => results[k] as jl.Tensor)))];
}

function scanned(body: Body, init: Carry, xs: jl.Tensor, reverse: boolean) {
  const { carry, ys } = jl.scan(body, init, xs, { reverse });
  return [...carry, ...ys];
}

/** Expects float32 elements within the rounding of sums in another order. */
function expectClose(found: readonly Bits[], expected: readonly Bits[], what: string): void {
  const elements = ({ bytes }: Bits) => new Float32Array(Uint8Array.from(Buffer.from(bytes, "hex")).buffer);
  for (const [i, one] of found.entries()) {
    const wanted = elements(expected[i] as Bits);
    const most = wanted.reduce((max, value) => Math.max(max, Math.abs(value)), 1);
    for (const [k, value] of elements(one).entries())
      expect(Math.abs(value - (wanted[k] as number)), what).toBeLessThan(1e-4 * most);
  }
}

test(`${count} random steps from ${first} on`, () => {
  let turned = 0;
  for (let seed = first; seed < first + count; seed++) {
    const source = randomSource(seed);
    jl.manualSeed(seed);
    const matrix = () => jl.randn([rows, columns]);
    const [a, b, outside] = [
      matrix(),
      source.below(3) === 0 ? jl.randn([columns, rows]).T : matrix(),
      matrix(),
    ];
    const xs = jl.randn([2 + source.below(5), rows, columns]);
    const reverse = source.below(2) === 0;
    const body = bodyOf(source, outside);
    // The loss is of some of the results, and the elements may have no gradient.
    const drawn = Array.from({ length: 4 }, () => source.below(3) > 0);
    const used = drawn.includes(true) ? drawn : drawn.map(() => true);
    const argnums = source.below(2) === 0 ? [0, 1, 2] : [0, 1];
    type Loop = typeof plain;
    const values = (loop: Loop) => (one: jl.Tensor, other: jl.Tensor, all: jl.Tensor) =>
      loop(body, [one, other], all, reverse);
    const loss = (loop: Loop) => (one: jl.Tensor, other: jl.Tensor, all: jl.Tensor) =>
      values(loop)(one, other, all)
        .flatMap((x, i) => (used[i] ? [x.mul(i + 1).sum()] : []))
        .reduce((sum, x) => sum.add(x));
    const gradients = (loop: Loop) => jl.grad(loss(loop), { argnums });
    const of = (run: (...args: [jl.Tensor, jl.Tensor, jl.Tensor]) => readonly jl.Tensor[]) => {
      jl.manualSeed(seed);
      return [...run(a, b, xs), jl.rand([2])].map(bitsOf);
    };
    const want = of(values(plain));
    expect(of(values(scanned)), `seed ${seed}`).toEqual(want);
    const compiled = jl.compile(values(scanned));
    try {
      for (let call = 0; call < 2; call++) expect(of(compiled), `seed ${seed}, compiled`).toEqual(want);
    } catch (error) {
      if (!(error instanceof jl.JitlabError) || error.code !== "bad-layout") throw error;
      turned++;
      continue;
    }
    if (seed % 4 !== 0) continue;
    const wanted = of(gradients(plain));
    expect(of(gradients(scanned)), `seed ${seed}, gradients`).toEqual(wanted);
    // A carry that a step does not read has no cotangent there, or a negative zero.
    const sums =
      (run: typeof gradients) => (loop: Loop) => (one: jl.Tensor, other: jl.Tensor, all: jl.Tensor) =>
        run(loop)(one, other, all).map((g) => g.add(0));
    const reversed = of(jl.compile(sums(gradients)(scanned)));
    const expected = of(sums(gradients)(plain));
    if (body.isJoint) expectClose(reversed, expected, `seed ${seed}, compiled gradients`);
    else expect(reversed, `seed ${seed}, compiled gradients`).toEqual(expected);
  }
  // Few carries change their layout in every step.
  expect(turned).toBeLessThan(1 + count / 8);
}, 600_000);
