// jl.generator: random numbers apart from those that all calls share.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

type Options = { readonly generator?: jl.Generator };
const half = () => jl.full([40], 0.5);

const draws: readonly [string, (options: Options) => jl.Tensor][] = [
  ["rand", (options) => jl.rand([5], { dtype: "float64", ...options })],
  ["randn", (options) => jl.randn([5], options)],
  ["randint", (options) => jl.randint(0, 1000, [5], options)],
  ["randLike", (options) => jl.randLike(half(), options)],
  ["randnLike", (options) => jl.randnLike(half(), options)],
  ["randintLike", (options) => jl.randintLike(half(), 0, 1000, options)],
  ["randperm", (options) => jl.randperm(40, options)],
  ["normal", (options) => jl.normal(1, 2, [5], options)],
  ["exponential", (options) => jl.exponential([5], 2, options)],
  ["exponential_", (options) => half().exponential_(1, options)],
  ["normal_", (options) => half().normal_(0, 1, options)],
  ["uniform_", (options) => half().uniform_(0, 1, options)],
  ["random_", (options) => half().random_(0, 1000, options)],
  ["bernoulli", (options) => half().bernoulli(options)],
  ["bernoulli_", (options) => half().bernoulli_(0.5, options)],
  ["poisson", (options) => half().mul(20).poisson(options)],
  ["multinomial", (options) => half().multinomial(9, options)],
  ["multinomial with replacement", (options) => half().multinomial(9, { replacement: true, ...options })],
];

test.each(draws)("%s draws what manualSeed gives, and changes no other generator", (_, draw) => {
  jl.manualSeed(7);
  const shared = [draw({}), draw({})].map((x) => x.toArray());
  jl.manualSeed(1);
  const [first] = [jl.rand([3]).toArray()];
  jl.manualSeed(1);
  const own = jl.generator(7);
  const found = [draw({ generator: own }), draw({ generator: own })].map((x) => x.toArray());
  expect(found).toEqual(shared);
  expect(found[0]).not.toEqual(found[1]);
  expect(jl.rand([3]).toArray()).toEqual(first);
});

test("a compiled function draws new numbers at each call, replayed or not", () => {
  for (const replay of [false, true]) {
    const own = jl.generator(3);
    const step = jl.compile((x: jl.Tensor) => x.add(jl.rand([4], { generator: own })), { replay });
    const found = Array.from({ length: 5 }, () => step(jl.zeros([4])).toArray());
    const again = jl.generator(3);
    expect(found).toEqual(Array.from({ length: 5 }, () => jl.rand([4], { generator: again }).toArray()));
  }
});

test("randint without a lower end begins at 0", () => {
  const drawn = jl.randint(3, [200]).toArray() as number[];
  expect(new Set(drawn)).toEqual(new Set([0, 1, 2]));
  expect(jl.randint(1, [2], { dtype: "int64" }).toArray()).toEqual([0n, 0n]);
});

test("what is refused", () => {
  expect(refusal(() => jl.generator(0.5))).toMatch(/^bad-seed: generator: 0\.5 is not an integer/);
  expect(refusal(() => jl.rand([2], { generator: 7 as never }))).toMatch(
    /^bad-argument: rand: generator is 7/,
  );
  expect(refusal(() => jl.zeros([2], { generator: jl.generator(7) } as never))).toMatch(
    /^unknown-option: zeros/,
  );
  expect(refusal(() => half().poisson({ seed: 1 } as never))).toMatch(/^unknown-option: poisson/);
});
