// jl.scan and jl.whileLoop: the plain loop in bits, compiled and not, with derivatives, and what they refuse.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, useAnyDevice } from "../support/device.js";
import { bitsOf } from "../support/lanes.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

const random = (...shape: number[]) => jl.randn(shape, { device });
const text = (run: () => unknown) => refusal(run).split("\n")[0];
type Step = (h: jl.Tensor, x: jl.Tensor) => [jl.Tensor, jl.Tensor];
const step: Step = (h, x) => {
  const next = h.mul(0.9).add(x).tanh();
  return [next, next.sum()];
};

/** The loop that scan stands for. */
function plain(f: Step, h: jl.Tensor, xs: jl.Tensor, isReversed = false) {
  const all = [...xs];
  const ys: jl.Tensor[] = [];
  for (const x of isReversed ? all.reverse() : all) {
    const [next, y] = f(h, x);
    h = next;
    ys.push(y);
  }
  return { carry: h, ys: jl.stack(isReversed ? ys.reverse() : ys) };
}

describe("scan", () => {
  test("is the plain loop, in either direction, compiled and not", () => {
    const [h, xs] = [random(3), random(6, 3)];
    for (const reverse of [false, true]) {
      const want = plain(step, h, xs, reverse);
      for (const way of [
        (f: () => ReturnType<typeof plain>) => f(),
        (f: () => ReturnType<typeof plain>) => jl.compile(f)(),
      ]) {
        const found = way(() => jl.scan(step, h, xs, { reverse }));
        expect(bitsOf(found.carry)).toEqual(bitsOf(want.carry));
        expect(bitsOf(found.ys)).toEqual(bitsOf(want.ys));
      }
    }
  });

  test("has the derivatives of the plain loop, also compiled and for all lanes", () => {
    const [h, xs] = [random(3), random(6, 3)];
    const lossOf = (loop: typeof plain) => (one: jl.Tensor, all: jl.Tensor) => {
      const { carry, ys } = loop(step, one, all);
      return carry.sum().add(ys.square().sum());
    };
    const scanned = lossOf((f, one, all) => jl.scan(f, one, all));
    const want = jl
      .grad(lossOf(plain), { argnums: [0, 1] })(h, xs)
      .map(bitsOf);
    expect(
      jl
        .grad(scanned, { argnums: [0, 1] })(h, xs)
        .map(bitsOf),
    ).toEqual(want);
    expect(
      jl
        .compile(jl.grad(scanned, { argnums: [0, 1] }))(h, xs)
        .map(bitsOf),
    ).toEqual(want);
    const lanes = random(4, 3);
    const found = jl.vmap(jl.grad(scanned), { inDims: [0, null] })(lanes, xs);
    expect(bitsOf(found)).toEqual(bitsOf(jl.stack([...lanes].map((one) => jl.grad(scanned)(one, xs)))));
  });

  test("with trees, without xs, and with draws", () => {
    const found = jl.scan(
      ({ a, b }: { a: jl.Tensor; b: jl.Tensor[] }) => [
        { a: b[0] as jl.Tensor, b: [a.add(b[0] as jl.Tensor)] },
        { a },
      ],
      { a: jl.tensor(0), b: [jl.tensor(1)] },
      undefined,
      { length: 8 },
    );
    expect((found.ys as { a: jl.Tensor }).a.toArray()).toEqual([0, 1, 1, 2, 3, 5, 8, 13]);
    const walk = () =>
      jl.scan((x: jl.Tensor) => [x.add(jl.randn([2]))], jl.zeros([2]), undefined, { length: 3 });
    jl.manualSeed(5);
    const want = jl
      .zeros([2])
      .add(jl.randn([2]))
      .add(jl.randn([2]))
      .add(jl.randn([2]));
    jl.manualSeed(5);
    const { carry, ys } = walk();
    expect(bitsOf(carry)).toEqual(bitsOf(want));
    expect(ys).toBe(undefined);
  });

  test("of no steps gives the carry, and results without elements", () => {
    const h = random(3);
    const { carry, ys } = jl.scan(step, h, jl.zeros([0, 3]));
    expect(carry).toBe(h);
    expect(ys.shape).toEqual([0]);
  });

  test("refuses what is no loop", () => {
    const [h, xs] = [jl.zeros([3]), jl.zeros([4, 3])];
    const bad = (f: unknown, ...rest: unknown[]) => text(() => jl.scan(f as never, ...(rest as [never])));
    expect(bad((x: jl.Tensor) => [x.to("float64")], h, xs)).toMatchInlineSnapshot(
      `"dtype-refused: scan: tensor 0 of the carry is float64 after step 1, and was float32."`,
    );
    expect(bad((x: jl.Tensor) => [x.sum()], h, xs)).toMatchInlineSnapshot(
      `"shape-mismatch: scan: tensor 0 of the carry has the shape [] after step 1, and had [3]."`,
    );
    expect(bad((x: jl.Tensor) => [[x, x]], h, xs)).toMatchInlineSnapshot(
      `"shape-mismatch: scan: the carry has 2 tensors after step 1, and had 1."`,
    );
    expect(bad((x: jl.Tensor) => x, h, xs)).toMatchInlineSnapshot(
      `"bad-argument: scan: a step returned an object of Tensor."`,
    );
    expect(bad((x: jl.Tensor) => [x, 3], h, xs)).toMatchInlineSnapshot(
      `"bad-argument: scan: the result of a step has 3, which is not a tensor."`,
    );
    expect(bad((x: jl.Tensor) => [x], 3, xs)).toMatchInlineSnapshot(
      `"bad-argument: scan: the initial carry has 3, which is not a tensor."`,
    );
    expect(() => jl.scan((map) => [map], new Map([["a", h]]) as never, xs)).toThrow(
      "plain objects of tensors",
    );
    expect(bad((x: jl.Tensor) => [x], [], xs)).toMatchInlineSnapshot(
      `"bad-argument: scan: the initial carry has no tensor."`,
    );
    expect(bad((x: jl.Tensor) => [x], h)).toMatchInlineSnapshot(
      `"bad-argument: scan: the number of steps is unknown."`,
    );
    expect(bad((x: jl.Tensor) => [x], h, xs, { length: 5 })).toMatchInlineSnapshot(
      `"shape-mismatch: scan: a tensor of xs has the shape [4, 3] for 5 steps."`,
    );
    expect(bad((x: jl.Tensor) => [x], h, [xs, h])).toMatchInlineSnapshot(
      `"shape-mismatch: scan: a tensor of xs has the shape [3] for 4 steps, as many as the first one has."`,
    );
    expect(bad((x: jl.Tensor) => [x], h, jl.tensor(1))).toMatchInlineSnapshot(
      `"bad-dimension: scan: a tensor of xs has no dimensions, so it has no elements to go along."`,
    );
    expect(bad(async (x: jl.Tensor) => [x], h, xs)).toMatchInlineSnapshot(
      `"bad-argument: scan: the function is async."`,
    );
    expect(bad(3, h, xs)).toMatchInlineSnapshot(`"bad-argument: scan: the step is 3, not a function."`);
  });
});

describe("whileLoop", () => {
  const triple = (x: jl.Tensor) => x.mul(3);

  test("goes on while its condition is true, in compiled functions too", () => {
    const run = (x: jl.Tensor) => jl.whileLoop((one) => one.lt(100), triple, x, { most: 50 });
    expect(run(jl.tensor(1)).carry.item()).toBe(243);
    expect(run(jl.tensor(1)).steps).toBe(5);
    expect(run(jl.tensor(200)).steps).toBe(0);
    expect(
      jl
        .compile((x: jl.Tensor) => run(x).carry)(jl.tensor(1))
        .item(),
    ).toBe(243);
    expect(
      jl
        .grad((x: jl.Tensor) => run(x).carry)(jl.tensor(1.5))
        .item(),
    ).toBe(81);
  });

  test("ends after the most steps", () => {
    const { carry, steps } = jl.whileLoop(() => jl.tensor(true), triple, jl.tensor(1), { most: 4 });
    expect([carry.item(), steps]).toEqual([81, 4]);
  });

  test("refuses what is no loop", () => {
    const bad = (condition: unknown, body: unknown, options: unknown) =>
      text(() => jl.whileLoop(condition as never, body as never, jl.tensor(1), options as never));
    const is = () => jl.tensor(true);
    expect(bad(is, triple, undefined)).toMatchInlineSnapshot(
      `"bad-argument: whileLoop: the option most is missing."`,
    );
    expect(bad(is, triple, { most: -1 })).toMatchInlineSnapshot(`"bad-argument: whileLoop: most is -1."`);
    expect(bad((x: jl.Tensor) => x, triple, { most: 4 })).toMatchInlineSnapshot(
      `"bad-argument: whileLoop: the condition returned a float32 tensor of shape []."`,
    );
    expect(bad(() => true, triple, { most: 4 })).toMatchInlineSnapshot(
      `"bad-argument: whileLoop: the condition returned true."`,
    );
    expect(bad(() => jl.tensor([true, false]), triple, { most: 4 })).toMatchInlineSnapshot(
      `"bad-argument: whileLoop: the condition returned a bool tensor of shape [2]."`,
    );
    expect(bad(is, (x: jl.Tensor) => x.to("float64"), { most: 4 })).toMatchInlineSnapshot(
      `"dtype-refused: whileLoop: tensor 0 of the carry is float64 after step 1, and was float32."`,
    );
    expect(bad(is, () => 3, { most: 4 })).toMatchInlineSnapshot(
      `"bad-argument: whileLoop: the carry after step 1 has 3, which is not a tensor."`,
    );
  });
});
