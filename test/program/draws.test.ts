// Random numbers that functors draw in compiled functions, scans, vmap and gradients: those of separate calls, on every device.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { isCompiled, useAnyDevice } from "../support/device.js";
import { helpers } from "../support/reference/helpers.js";

beforeAll(useAnyDevice);

const noisy = jl.jit((x, scale = 1) => x + scale * jl.math.normal());
const uniform = jl.jit((x) => {
  let sum = 0;
  for (let i = 0; i < 3; i++) sum += Math.random();
  return x * sum;
});
const seeded = <R>(run: () => R): R => {
  jl.manualSeed(21);
  return run();
};
const bits = (x: jl.Tensor) => x.toArray();

test("have the bits of their definition", () => {
  const found = seeded(() => uniform(jl.ones([5], { dtype: "float64" }))).toArray();
  const expected = [0, 1, 2, 3, 4].map((element) => {
    const key = helpers.randomBits(element, 0, 21);
    const draw = (k: number) => Number(helpers.randomBits(2 * k, key, 5368393942626419) >> 11n) * 2 ** -53;
    return draw(0) + draw(1) + draw(2);
  });
  expect(found).toEqual(expected);
});

const body = (x: jl.Tensor) =>
  uniform(noisy(x).sin())
    .add(noisy(x, { scale: 2 }))
    .mul(2);

test.each([false, true])("compiled, with replay %s, they are those of separate calls", (replay) => {
  const x = jl.linspace(0, 1, 6).reshape(2, 3);
  const separate = seeded(() => [1, 2, 3, 4].map(() => bits(body(x))));
  const compiled = jl.compile(body, { replay });
  expect(seeded(() => [1, 2, 3, 4].map(() => bits(compiled(x))))).toEqual(separate);
  expect(compiled.report().programs[0]?.kernels).toBe(1);
});

test("two calls in a compiled function are not one", () => {
  const twice = jl.compile((x: jl.Tensor) => uniform(x).sub(uniform(x)));
  expect(
    twice(jl.ones([8]))
      .eq(0)
      .any()
      .item(),
  ).toBe(false);
});

test("a scan's steps draw from streams of their own, in loops of every kind", () => {
  const w = jl.randn([3, 3]);
  const steps: readonly ((c: jl.Tensor, x: jl.Tensor) => [jl.Tensor, jl.Tensor])[] = [
    (c, x) => [noisy(c).add(x), uniform(c)],
    (c, x) => [noisy(c.matmul(w)).add(x), uniform(x).sum()],
  ];
  const xs = jl.randn([6, 2, 3]);
  for (const step of steps) {
    const run = () => jl.scan(step, jl.zeros([2, 3]), xs);
    const plain = seeded(run);
    const found = seeded(jl.compile(run));
    expect([bits(found.carry), bits(found.ys)]).toEqual([bits(plain.carry), bits(plain.ys)]);
    // The reference device has no dual numbers.
    if (!isCompiled) continue;
    const gradient = jl.grad((c: jl.Tensor) => jl.scan(step, c, xs).carry.square().sum());
    const [a, b] = [
      seeded(() => gradient(jl.ones([2, 3]))),
      seeded(() => jl.compile(gradient)(jl.ones([2, 3]))),
    ];
    expect(b.sub(a).abs().max().item()).toBeLessThan(1e-3);
  }
});

test("vmap draws for each lane, or the same, inside and outside of compiled functions", () => {
  const x = jl.linspace(0, 1, 6).reshape(3, 2);
  for (const wrap of [(f: () => jl.Tensor) => f, (f: () => jl.Tensor) => jl.compile(f)]) {
    const lanes = seeded(wrap(() => jl.vmap((row: jl.Tensor) => noisy(row))(x)));
    expect(bits(lanes)).toEqual(seeded(() => bits(noisy(x))));
    const same = seeded(
      wrap(() => jl.vmap((row: jl.Tensor) => uniform(row.mul(0).add(1)), { randomness: "same" })(x)),
    );
    expect(new Set(same.toArray().map(String)).size).toBe(1);
  }
});

test.skipIf(!isCompiled)("a gradient draws the numbers of its value again", () => {
  const x = () => jl.linspace(0.5, 1, 4, { dtype: "float64" });
  const sum = (y: jl.Tensor) => uniform(y).sum();
  const { value, grad } = seeded(() => jl.valueAndGrad(sum)(x()));
  expect(value.item()).toBeCloseTo(grad.mul(x()).sum().item() as number, 12);
  const checkpointed = jl.grad((y: jl.Tensor) =>
    jl
      .checkpoint((z: jl.Tensor) => uniform(z))(y)
      .sum(),
  );
  expect(seeded(() => bits(checkpointed(x())))).toEqual(bits(grad));
});
