// jl.jvp, jl.jacobian, jl.hessian, jl.customVjp and jl.checkpoint: over trees, nested, compiled, and what they refuse.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

const double = { dtype: "float64" } as const;
const vector = (...values: number[]) => jl.tensor(values, double);
const close = (values: readonly number[]) => values.map((one) => expect.closeTo(one, 10));

describe("jvp", () => {
  test("of a tree of results, along tangents of a tree", () => {
    const f = ({ a, b }: { a: jl.Tensor; b: jl.Tensor }, n: jl.Tensor) => ({
      sum: a.mul(b).sum(),
      sorted: a.sort(0).values,
      n,
    });
    const n = jl.tensor([1n]);
    const { value, tangent } = jl.jvp(f, [{ a: vector(3, 1), b: vector(2, 5) }, n], [
      { a: vector(1, 10), b: vector(0, 1) },
      undefined,
    ] as never);
    expect(value.sum.item()).toBe(11);
    expect(tangent.sum.item()).toBe(53);
    expect(tangent.sorted.toArray()).toEqual([10, 1]);
    expect(tangent.n).toBe(undefined);
  });

  test("agrees with vjp, and nests", () => {
    const f = (x: jl.Tensor) => x.softmax(0).mul(x.cumsum(0)).matmul(x.reshape(3, 1).mul(x).tanh());
    const [x, t, u] = [vector(0.3, -1, 0.7), vector(1, 2, -1), vector(0.5, 1, 3)];
    const along = jl.jvp(f, [x], [t]).tangent.mul(u).sum().item();
    const [back] = jl.vjp(f, x).pull(u);
    expect(back?.mul(t).sum().item()).toBeCloseTo(along as number, 12);
    const second = jl.jvp(
      (y: jl.Tensor) => jl.jvp((z: jl.Tensor) => z.pow(3), [y], [vector(1)]).tangent,
      [vector(2)],
      [vector(1)],
    );
    expect(second.tangent.toArray()).toEqual(close([12]));
    const mixed = jl.grad((y: jl.Tensor) =>
      jl.jvp((z: jl.Tensor) => z.sin(), [y], [vector(1)]).tangent.sum(),
    );
    expect(mixed(vector(0.4)).toArray()).toEqual(close([-Math.sin(0.4)]));
  });

  test("of other shapes is refused", () => {
    expect(refusal(() => jl.jvp((x: jl.Tensor) => x, [vector(1, 2)], [vector(1)]))).toMatch(
      /^shape-mismatch: jvp: the tangents/,
    );
  });
});

describe("jacobian and hessian", () => {
  test("by one argument, and by several of a tree of results", () => {
    const f = (x: jl.Tensor, y: jl.Tensor) => x.reshape(2, 1).mul(y.sin());
    const [x, y] = [vector(2, 3), vector(0.5, 1, 2)];
    const byX = jl.jacobian(f)(x, y);
    expect(byX.shape).toEqual([2, 3, 2]);
    expect(byX.select(0, 1).select(1, 1).toArray()).toEqual(close([0.5, 1, 2].map(Math.sin)));
    const both = jl.jacobian((a: jl.Tensor, b: jl.Tensor) => ({ product: a.mul(b), n: 3 }), {
      argnums: [0, 1],
    })(x, x);
    expect(both.product[1].toArray()).toEqual([
      [2, 0],
      [0, 3],
    ]);
    expect(both.n).toBe(undefined);
  });

  test("the second derivatives are symmetric, also compiled", () => {
    const f = (x: jl.Tensor) =>
      x
        .prod()
        .add(x.softmax(0).square().sum())
        .add(x.mul(x.flip(0)).sin().sum());
    const x = vector(0.5, 0, -1.5);
    const found = jl.hessian(f)(x);
    expect(found.sub(found.T).abs().amax().item()).toBeLessThan(1e-12);
    expect(jl.gradcheck(jl.grad(f), [x])).toBe(true);
    expect(jl.jacobian(jl.grad(f))(x).equal(found)).toBe(true);
    expect(jl.compile(jl.hessian(f))(x).equal(found)).toBe(true);
  });

  test("of a tree", () => {
    const f = ({ w, b }: { w: jl.Tensor; b: jl.Tensor }) => w.square().mul(b).sum();
    const { w, b } = jl.hessian(f)({ w: vector(1, 2), b: vector(3, 4) });
    expect(w.w.toArray()).toEqual([
      [6, 0],
      [0, 8],
    ]);
    expect(b.w.toArray()).toEqual([
      [2, 0],
      [0, 4],
    ]);
    expect(b.b.toArray()).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });
});

describe("customVjp", () => {
  const doubled = jl.customVjp(
    (x: jl.Tensor, scale: number) => x.round().mul(scale),
    (g, _, x, scale) => [g.mul(x).mul(2 * scale)],
  );
  const loss = (x: jl.Tensor) => doubled(x.mul(2), 3).add(x).sum();

  test("has the given derivatives, of any order, compiled too", () => {
    const x = vector(1.2, -0.4);
    expect(doubled(x, 3).toArray()).toEqual(close([3, 0]));
    expect(jl.grad(loss)(x).toArray()).toEqual(close([1.2, -0.4].map((v) => 2 * v * 2 * 3 * 2 + 1)));
    expect(jl.compile(jl.grad(loss))(x).equal(jl.grad(loss)(x))).toBe(true);
    expect(
      jl
        .grad((y: jl.Tensor) => jl.grad(loss)(y).sum())(x)
        .toArray(),
    ).toEqual(close([24, 24]));
  });

  test("a result that is the argument itself", () => {
    const reversed = jl.customVjp(
      (x: jl.Tensor) => x,
      (g) => [g.neg()],
    );
    expect(
      jl
        .grad((x: jl.Tensor) => reversed(x).add(x.mul(3)).sum())(vector(1))
        .toArray(),
    ).toEqual([2]);
  });

  test.each([
    [
      "cotangents of another shape",
      () =>
        jl.customVjp(
          (x: jl.Tensor) => x.mul(2),
          (g) => [g.sum()],
        ),
      /shape-mismatch: customVjp/,
    ],
    [
      "no list",
      () =>
        jl.customVjp(
          (x: jl.Tensor) => x.mul(2),
          (g) => g as never,
        ),
      /bad-argument: customVjp/,
    ],
    [
      "an async function",
      () =>
        jl.customVjp(
          async (x: jl.Tensor) => x,
          (g) => [g as never],
        ),
      /no-derivative: customVjp: the function is async/,
    ],
  ])("%s is refused", (_, make, message) => {
    const f = make() as (x: jl.Tensor) => jl.Tensor;
    expect(refusal(() => jl.grad((x: jl.Tensor) => f(x).sum())(vector(1, 2)))).toMatch(message);
    expect(
      jl
        .grad((x: jl.Tensor) => x.sum())(vector(1))
        .toArray(),
    ).toEqual([1]);
  });

  test("what the function reads or writes besides its arguments", () => {
    const reads = (x: jl.Tensor) =>
      jl
        .customVjp(
          (y: jl.Tensor) => y.mul(x),
          (g) => [g],
        )(jl.ones([2], double))
        .sum();
    expect(jl.gradients(() => reads(vector(1, 2)), vector(3)).value.item()).toBe(3);
    expect(
      refusal(() =>
        jl.grad((x: jl.Tensor) =>
          jl
            .customVjp(
              (y: jl.Tensor) => y.mul(x),
              (g) => [g],
            )(x.exp())
            .sum(),
        )(vector(1)),
      ),
    ).toMatch(/no-derivative: customVjp: the function reads a tensor .* at transforms\.test\.ts:\d+/);
    const total = vector(0);
    const adds = jl.checkpoint((x: jl.Tensor) => total.add_(x.sum()).mul(x));
    expect(refusal(() => jl.grad((x: jl.Tensor) => adds(x).sum())(vector(1)))).toMatch(
      /checkpoint: the function writes into/,
    );
  });
});

describe("checkpoint", () => {
  test("has the same derivatives, with the same random numbers", () => {
    const block = (x: jl.Tensor, w: jl.Tensor) => {
      const y = x.mul(w).sin();
      y.mul_(jl.rand([3], double).gt(0.5).to("float64"));
      return { y, z: y.exp().matmul(w) };
    };
    const f = (run: typeof block) => (x: jl.Tensor, w: jl.Tensor) => {
      jl.manualSeed(3);
      const { y, z } = run(x, w);
      return y
        .sum()
        .add(z)
        .add(jl.rand([1], double).sum());
    };
    const [x, w] = [vector(0.2, 1, -3), vector(2, 0.5, 1)];
    const wanted = jl.valueAndGrad(f(block), { argnums: [0, 1] })(x, w);
    const found = jl.valueAndGrad(f(jl.checkpoint(block)), { argnums: [0, 1] })(x, w);
    expect(found.value.equal(wanted.value)).toBe(true);
    for (const k of [0, 1] as const) expect(found.grad[k].equal(wanted.grad[k])).toBe(true);
    const smooth = (run: (x: jl.Tensor) => jl.Tensor) => jl.hessian((y: jl.Tensor) => run(y).sum())(w);
    const cube = (y: jl.Tensor) => y.pow(3).mul(y.sum());
    expect(smooth(jl.checkpoint(cube)).sub(smooth(cube)).abs().amax().item()).toBeLessThan(1e-12);
    expect(
      jl
        .compile(jl.grad((y: jl.Tensor) => jl.checkpoint(cube)(y).sum()))(w)
        .equal(jl.grad((y: jl.Tensor) => cube(y).sum())(w)),
    ).toBe(true);
  });

  type Block = (x: jl.Tensor, w: jl.Tensor) => jl.Tensor;
  const times = (count: number, step: Block): Block => {
    return (x, w) => Array.from({ length: count }).reduce<jl.Tensor>((y) => step(y, w), x);
  };
  test.each<[string, Block]>([
    ["maps", times(6, (y, w) => y.mul(w).add(0.4).square().sqrt())],
    ["normalizations", times(3, (y, w) => jl.layerNorm(y.mul(w), 32).sin())],
    ["running sums", times(3, (y, w) => y.cumsum(0).mul(w).sin())],
  ])("saves memory in a compiled function as in separate calls: %s", (_, block) => {
    const chain = (run: Block) =>
      jl.valueAndGrad(
        (x: jl.Tensor, ws: jl.Tensor[]) =>
          ws
            .reduce((y, w) => run(y, w), x)
            .square()
            .mean(),
        { argnums: [0, 1] },
      );
    const [x, ws] = [jl.rand([64, 32]), [1, 2, 3, 4, 5, 6, 7, 8].map(() => jl.rand([32]))];
    const [plain, lean] = [jl.compile(chain(block)), jl.compile(chain(jl.checkpoint(block)))];
    const [wanted, found] = [plain(x, ws), lean(x, ws)];
    expect(found.value.equal(wanted.value)).toBe(true);
    expect(found.grad[0].equal(wanted.grad[0])).toBe(true);
    const peaks = [plain, lean].map((one) => one.program()?.peak) as jl.Program["peak"][];
    const [most, least] = peaks as [jl.Program["peak"], jl.Program["peak"]];
    expect(least.program).toBeLessThan(most.program / 2);
    expect(least.program).toBeLessThan(least.separate * 1.1);
  });

  test("a generator of its own is refused", () => {
    const generator = jl.generator(1);
    const f = jl.checkpoint((x: jl.Tensor) => x.mul(jl.rand([1], { ...double, generator })));
    expect(refusal(() => jl.grad((x: jl.Tensor) => f(x).sum())(vector(1)))).toContain(
      "draws from a generator of its own",
    );
  });
});

test("a tree that contains itself is refused", () => {
  const tree: Record<string, unknown> = { x: vector(1) };
  tree.self = tree;
  expect(refusal(() => jl.grad((one: typeof tree) => (one.x as jl.Tensor).sum())(tree))).toMatch(
    /^bad-argument: .*contains itself/,
  );
});

test("a tree of too many levels is refused", () => {
  const nested = (levels: number) =>
    Array.from({ length: levels }).reduce<unknown>((inner) => [inner], vector(1));
  const first = (tree: unknown): jl.Tensor => (Array.isArray(tree) ? first(tree[0]) : (tree as jl.Tensor));
  expect(first(jl.grad((tree: unknown) => first(tree).square().sum())(nested(900))).toArray()).toEqual([2]);
  expect(refusal(() => jl.grad((tree: unknown) => first(tree).sum())(nested(30000)))).toMatch(
    /^bad-argument: .*more than 1000 levels/,
  );
});

test("an argument that is named twice is refused", () => {
  const product = (x: jl.Tensor, y: jl.Tensor) => x.mul(y).sum();
  expect(refusal(() => jl.grad(product, { argnums: [1, 1] })(vector(1), vector(2)))).toMatch(
    /^bad-argument: grad: argnums cannot be \[1, 1\]/,
  );
});
