// jl.vmap: the loop over lanes in bits, for each kind of operation, with derivatives in both orders, nested and compiled.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, isCompiled, useAnyDevice } from "../support/device.js";
import { bitsOf, expectLoop, expectNear } from "../support/lanes.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

const random = (...shape: number[]) => jl.randn(shape, { device, generator });
const generator = jl.generator(3);
const whole = (...values: number[]) => jl.tensor(values, { dtype: "int64" });
const rows = () => random(5, 4);
const matrices = () => random(5, 3, 4);

type Case = readonly [name: string, f: (...args: jl.Tensor[]) => jl.Tensor, ...args: jl.Tensor[]];
const bits = (cases: () => readonly Case[]) =>
  test.each(cases().map(([name], i) => [name, i] as const))("%s", (_, i) => {
    const [, f, ...args] = cases()[i] as Case;
    expectLoop(f, args);
  });

describe("has the bits of the loop over lanes", () => {
  bits(
    () =>
      [
        ["a chain", (x) => x.mul(2).add(1).exp(), rows()],
        ["lanes of other ranks", (x, y) => x.mul(y), rows(), matrices()],
        ["lanes without dimensions", (x, y) => x.mul(y).sin(), random(5).to("float64"), rows()],
        ["a condition by elements", (x) => x.gt(0).where(x, x.neg()), rows()],
        ["what is made inside", (x) => x.mul(jl.arange(4)).add(jl.linspace(0, 1, 4)), rows()],
        ["casts", (x) => x.to("float64").mul(2).to("int32"), rows()],
        ["sums", (x) => x.sum().add(x.sum(0).amax()), matrices()],
        ["statistics", (x) => x.var(1).add(x.mean(1)).add(x.softmax(-1).logsumexp(1)), matrices()],
        ["extremes", (x) => x.argmax().add(x.argmin()), matrices()],
        ["scans", (x) => x.cumsum(0).add(x.cummax(-1).values), matrices()],
        ["sorts", (x) => x.sort(0).values.add(x.argsort(1)), matrices()],
        ["ranks", (x) => x.topk(2).values.add(x.median()).add(x.quantile(0.3)), matrices()],
        ["views", (x) => x.T.flatten().view(3, 4).narrow(1, 1, 2).flip(0).slice("::-1, 1:2"), matrices()],
        ["joins", (x) => jl.cat([x, x.mul(2)]).add(jl.stack([x, x]).reshape(8)), rows()],
        [
          "moves",
          (x) =>
            x
              .roll(1, 0)
              .tril()
              .add(x.repeatInterleave(2, 0).narrow(0, 1, 3)),
          matrices(),
        ],
        [
          "gathers",
          (x, i) =>
            x.gather(1, i).add(
              x
                .indexSelect(0, i.flatten().narrow(0, 0, 3))
                .select(1, 0)
                .unsqueeze(1),
            ),
          matrices(),
          jl.randint(0, 3, [5, 3, 2], { generator }).to("int64"),
        ],
        [
          "lookups in one table",
          (i) => jl.arange(10).to("float32").take(i),
          jl.randint(0, 9, [5, 3], { generator }),
        ],
        [
          "scatters",
          (x, i) => jl.zeros([4]).scatterAdd(0, i, x),
          rows(),
          jl.randint(0, 3, [5, 4], { generator }).to("int64"),
        ],
        ["scatters by one index", (x) => jl.zeros([3, 4]).indexAdd(0, whole(0, 0, 1), x), matrices()],
        [
          "rows by an index of each lane",
          (x, i) =>
            jl
              .zeros([3, 4])
              .indexAdd(0, i, x)
              .indexCopy(1, i.narrow(0, 0, 1), x.narrow(1, 3, 1)),
          matrices(),
          jl.randint(0, 2, [5, 3], { generator }).to("int64"),
        ],
        [
          "writes along two dimensions",
          (x) => jl.zeros([3, 4]).indexPut_([whole(1, 2), whole(0, 3)], x.select(0, 0).narrow(0, 0, 2)),
          matrices(),
        ],
        [
          "writes in place",
          (x) => {
            const z = jl.zeros([4]);
            const part = z.narrow(0, 1, 2);
            z.add_(x);
            part.mul_(3);
            z.select(0, 3).fill_(7);
            return z.add(part.sum());
          },
          rows(),
        ],
        ["a write of positions", (x) => x.clone().copy_(jl.arange(4)), rows()],
        ["out", (x) => jl.add(x, 1, { out: jl.empty([4]) }), rows()],
        [
          "transforms",
          (x) =>
            jl.fft
              .fft(x)
              .abs()
              .add(jl.fft.irfft(jl.fft.rfft(x), { n: 4 })),
          rows(),
        ],
        ["distances", (x) => jl.cdist(x, x), matrices()],
        [
          "complex parts",
          (x) => {
            const z = jl.complex(x, x.mul(2));
            z.real().mul_(3);
            return z.abs().add(z.imag());
          },
          rows(),
        ],
        [
          "searches",
          (x) => jl.searchsorted(x.sort().values, x).add(jl.searchsorted(jl.tensor([-1, 0, 1]), x)),
          rows(),
        ],
        ["members", (x) => x.round().isin(jl.tensor([0, 1])), rows()],
        ["counts, which know no batches", (x) => x.abs().histc(4, 0, 3), rows()],
        ["convolutions", (x) => jl.conv1d(x.unsqueeze(0), jl.ones([2, 3, 2])), matrices()],
        ["normalization", (x) => jl.layerNorm(x, [4]), matrices()],
      ] as const,
  );

  test.skipIf(!isCompiled)("functors in C++, reductions of users, and derivatives of functors", () => {
    const f = jl.jit((x, y) => x * y + Math.sin(x));
    expectLoop(
      jl.grad((x: jl.Tensor) => f(x, x.mul(2)).sum()),
      [rows()],
    );
    const swish = jl.jit("template <typename T> T swish(T a, T b) { return a / (T(1) + b * b); }");
    expectLoop((x) => swish(x, x.mul(2)), [rows()]);
    const product = jl.reduction((a, b) => a * b, { identity: 1 }) as (
      x: jl.Tensor,
      dim: number,
    ) => jl.Tensor;
    expectLoop((x) => product(x, 0), [matrices()]);
  });

  // A GPU's libraries add up the products of a batch in an order of their own.
  const expectProducts = device.startsWith("cuda") ? expectNear : expectLoop;
  test("products", () => expectProducts((x, y) => x.matmul((y as jl.Tensor).T), [matrices(), matrices()]));
  test("factors", () =>
    expectProducts((x) => jl.linalg.solve(x.matmul(x.T).add(jl.eye(3)), jl.ones([3])), [matrices()]));

  test("functors in TypeScript", () => {
    const f = jl.jit((x, y) => x * y + 2 * x);
    expectLoop((x) => f(x, jl.arange(4).to("float32")), [rows()]);
  });

  test("lanes along any dimension, and shared tensors", () => {
    expectLoop((x) => x.exp().view(2, 2), [random(4, 5)], [1]);
    expectLoop((x, w) => x.mul(w), [rows(), random(4)], [0, null]);
    expectLoop((s, w) => s.mul(w), [random(5), random(4, 6)], [0, null]);
    expect(jl.vmap((x: jl.Tensor) => x.mul(2), { outDims: 1 })(rows()).shape).toEqual([4, 5]);
    expect(jl.vmap((x: jl.Tensor) => x.mul(2), { inDims: -1, outDims: -1 })(matrices()).shape).toEqual([
      5, 3, 4,
    ]);
  });

  test("trees of arguments and of results", () => {
    const [x, y] = [rows(), random(3)];
    const f = jl.vmap(
      ({ a, b }: { a: jl.Tensor; b: jl.Tensor[] }) => ({ s: a.sum(), t: [a.add(b[0]?.sum() as jl.Tensor)] }),
      {
        inDims: [{ a: 0, b: [null] }],
        outDims: { s: 0, t: [1] },
      },
    );
    const found = f({ a: x, b: [y] });
    expect(found.s.shape).toEqual([5]);
    expect(found.t[0]?.shape).toEqual([4, 5]);
    expect(bitsOf(found.s)).toEqual(bitsOf(x.sum(1)));
  });

  test("no lanes, one lane, and lanes without elements", () => {
    expect(jl.vmap((x: jl.Tensor) => x.mul(2).sum())(jl.zeros([0, 3])).shape).toEqual([0]);
    expect(jl.vmap((x: jl.Tensor) => x.histc(4, 0, 3))(jl.zeros([0, 3])).shape).toEqual([0, 4]);
    expect(
      jl
        .vmap((x: jl.Tensor) => x.sum())(jl.zeros([3, 0]))
        .toArray(),
    ).toEqual([0, 0, 0]);
    expectLoop((x) => x.softmax(0), [random(1, 3)]);
  });

  test("results share no memory with arguments, nor with each other", () => {
    const x = rows();
    const before = bitsOf(x);
    const [a, b] = jl.vmap((one: jl.Tensor) => [one, one])(x) as [jl.Tensor, jl.Tensor];
    a.fill_(1);
    expect(bitsOf(x)).toEqual(before);
    expect(bitsOf(b)).toEqual(before);
    const [c, d] = jl.vmap((one: jl.Tensor) => Array(2).fill(one.add(0)))(x) as [jl.Tensor, jl.Tensor];
    c.fill_(1);
    expect(bitsOf(d)).toEqual(before);
  });

  test("a write into an argument writes its lanes", () => {
    const x = rows();
    const want = bitsOf(x.mul(2));
    jl.vmap((one: jl.Tensor) => one.mul_(2))(x);
    expect(bitsOf(x)).toEqual(want);
  });
});

describe("composes with", () => {
  let w: jl.Tensor;
  beforeAll(() => {
    w = random(4);
  });
  const lossOf = (x: jl.Tensor) => {
    const z = x.softmax(-1).clone();
    z.narrow(0, 1, 2).mul_(3);
    return z.flip(0).mul(w).cumsum(0).sin().sum();
  };

  test("grad inside", () => {
    expectLoop(jl.grad(lossOf), [rows()]);
    expectLoop(
      jl.grad((x: jl.Tensor) => x.amax(0).add(x.std()).add(jl.linalg.norm(x))),
      [rows()],
    );
    expectLoop(
      jl.grad((x: jl.Tensor) => x.sort(0).values.mul(jl.arange(4)).sum()),
      [rows()],
    );
    expectLoop(
      jl.grad((x: jl.Tensor) =>
        jl
          .grad((y: jl.Tensor) => y.sin().pow(3).sum())(x)
          .sum(),
      ),
      [rows()],
    );
    expectLoop(
      jl.grad((x: jl.Tensor) => {
        const y = x.sin();
        const kept = y.square().sum();
        y.mul_(2);
        return kept.add(y.exp().sum());
      }),
      [rows()],
    );
    expectLoop(
      jl.grad((x: jl.Tensor) => {
        const z = jl.zeros([4]);
        z.narrow(0, 0, 2).copy_(x.narrow(0, 1, 2));
        return z.mul(z).mul(w).sum();
      }),
      [rows()],
    );
    expectLoop((x) => jl.jvp((y: jl.Tensor) => y.sin().mul(y), [x], [jl.ones([4])]).tangent, [rows()]);
    expectLoop(
      jl.grad((x: jl.Tensor) => jl.checkpoint((y: jl.Tensor) => y.sin().exp().sum())(x)),
      [rows()],
    );
  });

  test("grad outside", () => {
    const x = rows();
    const loop = (all: jl.Tensor) =>
      jl
        .stack([...all].map(lossOf))
        .square()
        .sum();
    const mapped = (all: jl.Tensor) => jl.vmap(lossOf)(all).square().sum();
    expect(bitsOf(jl.grad(mapped)(x))).toEqual(bitsOf(jl.grad(loop)(x)));
    expect(bitsOf(jl.compile(jl.grad(mapped))(x))).toEqual(bitsOf(jl.grad(loop)(x)));
    const shared = jl.grad((v: jl.Tensor) =>
      jl
        .vmap((one: jl.Tensor) => one.mul(v).sum())(x)
        .sum(),
    )(w);
    expect(shared.toArray()).toEqual(
      x
        .sum(0)
        .toArray()
        .map((one) => expect.closeTo(one, 4)),
    );
  });

  test("derivatives of your own, in both orders", () => {
    // The pull says 3, where the derivative is 2.
    const odd = jl.customVjp(
      (x: jl.Tensor, v: jl.Tensor) => x.mul(2).add(v.mul(0)),
      (g) => [g.mul(3), g.mul(5)],
    );
    const x = rows();
    const inside = jl.vmap(jl.grad((one: jl.Tensor) => odd(one, w).sum()))(x);
    expect(inside.equal(jl.full([5, 4], 3))).toBe(true);
    const outside = jl.grad((all: jl.Tensor) =>
      jl
        .vmap((one: jl.Tensor) => odd(one, w))(all)
        .sum(),
    )(x);
    expect(outside.equal(jl.full([5, 4], 3))).toBe(true);
    const shared = jl.grad((v: jl.Tensor) =>
      jl
        .vmap((one: jl.Tensor) => odd(one, v))(x)
        .sum(),
    )(w);
    expect(shared.equal(jl.full([4], 25))).toBe(true);
    const kept = jl.grad((all: jl.Tensor) =>
      jl
        .vmap(jl.checkpoint((one: jl.Tensor) => one.sin().sum()))(all)
        .sum(),
    )(x);
    expect(kept.allclose(x.cos())).toBe(true);
  });

  test("itself", () => {
    const x = matrices();
    const f = (y: jl.Tensor) =>
      jl.vmap((one: jl.Tensor) => {
        const z = jl.zeros([4]);
        z.add_(one);
        z.add_(y.sum(0));
        return z.mul(2).cumsum(0);
      })(y);
    expectLoop(f, [x]);
    expectLoop(
      jl.grad((y: jl.Tensor) => f(y).sin().sum()),
      [x],
    );
    expectLoop(
      (y) => jl.vmap((one: jl.Tensor, v: jl.Tensor) => one.mul(v.sum()), { inDims: [1, null] })(y, y),
      [x],
    );
  });

  test("compiled functions, and runs undeferred in them", () => {
    const x = rows();
    expectLoop(lossOf, [x], [0], (f) => jl.compile(jl.vmap(f)));
    expectLoop(lossOf, [x], [0], (f) => jl.compile(jl.vmap(f), { replay: true }));
    expectLoop(jl.compile(lossOf), [x]);
    expectLoop(
      (one) => jl.eager(() => one.mul(2).sin()),
      [x],
      [0],
      (f) => jl.compile(jl.vmap(f)),
    );
    const step = jl.compile(jl.vmap(jl.grad(lossOf)));
    for (let i = 0; i < 3; i++) step(x);
    expect(step.report().programs.length).toBe(1);
  });

  test("graphs outside, and autocast on both sides", () => {
    const x = rows();
    expect(bitsOf(jl.graph(() => jl.vmap(lossOf)(x))())).toEqual(bitsOf(jl.vmap(lossOf)(x)));
    const product = (one: jl.Tensor) => one.matmul(jl.ones([4, 6]));
    const want = bitsOf(jl.autocast("bfloat16", product)(x));
    expect(bitsOf(jl.autocast("bfloat16", jl.vmap(product))(x))).toEqual(want);
    expect(bitsOf(jl.vmap(jl.autocast("bfloat16", product))(x))).toEqual(want);
  });

  test("random numbers: those of the whole batch, or one for all lanes", () => {
    const x = jl.zeros([3]);
    const draw = (randomness: "different" | "same", f = (one: jl.Tensor) => jl.rand([2]).add(one)) => {
      jl.manualSeed(3);
      return jl.vmap(f, { randomness })(x).toArray();
    };
    jl.manualSeed(3);
    const all = jl.rand([3, 2]).toArray();
    jl.manualSeed(3);
    const one = jl.rand([2]).toArray();
    expect(draw("different")).toEqual(all);
    expect(draw("same")).toEqual([one, one, one]);
    // A lane's numbers do not depend on how many lanes there are.
    jl.manualSeed(3);
    expect(
      jl
        .vmap((y: jl.Tensor) => jl.rand([2]).add(y))(jl.zeros([2]))
        .toArray(),
    ).toEqual(all.slice(0, 2));
    for (const f of [
      (y: jl.Tensor) => jl.poisson(y.add(jl.full([4], 5))),
      (y: jl.Tensor) => jl.bernoulli(y.add(jl.full([9], 0.5))),
      (y: jl.Tensor) => jl.multinomial(y.add(jl.ones([9])), 4),
      (y: jl.Tensor) => jl.randperm(9).add(y),
    ]) {
      const [a, b, c] = draw("same", f) as [unknown, unknown, unknown];
      expect([b, c]).toEqual([a, a]);
      const own = draw("different", f) as [unknown, unknown, unknown];
      expect(own[1]).not.toEqual(own[0]);
    }
  });
});

describe("refuses", () => {
  const x = () => rows();
  const text = (run: () => unknown) => refusal(run).split("\n")[0];

  test("what a lane cannot have, by name", () => {
    const calls: Record<string, (one: jl.Tensor) => unknown> = {
      item: (one) => one.sum().item(),
      text: (one) => String(one),
      equal: (one) => one.equal(one),
      matrixExp: (one) => jl.linalg.matrixExp(one.mul(jl.eye(4))),
      nonzero: (one) => one.nonzero(),
      unique: (one) => one.unique(),
      maskedSelect: (one) => one.maskedSelect(one.gt(0)),
      quantile: (one) => one.quantile(one.abs().clampMax(1)),
      oneHot: (one) => jl.oneHot(one.abs().to("int64")),
    };
    const found = Object.entries(calls).map(([name, f]) => `${name}: ${text(() => jl.vmap(f)(x()))}`);
    expect(found.join("\n")).toMatchInlineSnapshot(`
      "item: bad-vmap: vmap: item() reads the elements of a lane, but the function runs once for all lanes.
      text: bad-vmap: vmap: a text of a tensor reads the elements of a lane, but the function runs once for all lanes.
      equal: bad-vmap: vmap: equal reads the elements of a lane, but the function runs once for all lanes.
      matrixExp: bad-vmap: vmap: linalg.matrixExp reads the elements of a lane, but the function runs once for all lanes.
      nonzero: bad-vmap: vmap: nonzero has no form for lanes.
      unique: bad-vmap: vmap: unique reads the elements of a lane, but the function runs once for all lanes.
      maskedSelect: bad-vmap: vmap: maskedSelect has no form for lanes.
      quantile: bad-vmap: vmap: quantile reads the elements of a lane, but the function runs once for all lanes.
      oneHot: bad-vmap: vmap: oneHot without numClasses reads the elements of a lane, but the function runs once for all lanes."
    `);
  });

  test("writes that a loop would do for each lane", () => {
    const outside = jl.zeros([4]);
    expect(text(() => jl.vmap((_: jl.Tensor) => outside.add_(1))(x()))).toMatchInlineSnapshot(
      `"bad-vmap: vmap: add writes into a tensor from outside of the function, which a loop would do once for each lane."`,
    );
    expect(text(() => jl.vmap((one: jl.Tensor) => outside.add_(one))(x()))).toMatchInlineSnapshot(
      `"bad-vmap: vmap: add writes into a tensor from outside of the function, which a loop would do once for each lane."`,
    );
    expect(text(() => jl.vmap((one: jl.Tensor) => one.mul_(2), { inDims: 1 })(x()))).toMatchInlineSnapshot(
      `"bad-vmap: vmap: mul writes into an argument that is mapped along dimension 1."`,
    );
    expect(outside.toArray()).toEqual([0, 0, 0, 0]);
  });

  test("bad arguments", () => {
    const f = (a: jl.Tensor, b: jl.Tensor) => a.add(b);
    expect(text(() => jl.vmap(f)(x(), jl.zeros([4, 4])))).toMatchInlineSnapshot(
      `"shape-mismatch: vmap: argument 0 has 5 lanes, and argument 1 has 4 along dimension 0 of its shape [4, 4]."`,
    );
    expect(text(() => jl.vmap(f, { inDims: [0] })(x(), x()))).toMatchInlineSnapshot(
      `"bad-argument: vmap: inDims has 1 elements for 2 arguments."`,
    );
    expect(text(() => jl.vmap(f, { inDims: 3 })(x(), x()))).toMatchInlineSnapshot(
      `"bad-dimension: vmap: inDims is 3 for argument 0 of shape [5, 4]."`,
    );
    expect(text(() => jl.vmap(f, { inDims: null })(x(), x()))).toMatchInlineSnapshot(
      `"bad-argument: vmap: no argument has lanes."`,
    );
    expect(text(() => jl.vmap(f, { inDims: [{ a: 0 }, 0] })(x(), x()))).toMatchInlineSnapshot(
      `"bad-argument: vmap: inDims is an object of Object for argument 0."`,
    );
    expect(text(() => jl.vmap(f)(jl.tensor(1), x()))).toMatchInlineSnapshot(
      `"bad-dimension: vmap: inDims is 0 for argument 0 of shape []."`,
    );
    expect(text(() => jl.vmap(f, { inDims: 0.5 })(x(), x()))).toMatchInlineSnapshot(
      `"bad-dimension: vmap: inDims is 0.5 for argument 0 of shape [5, 4]."`,
    );
    expect(text(() => jl.vmap(f, { outDims: 2 })(x(), x()))).toMatchInlineSnapshot(
      `"bad-dimension: vmap: outDims is 2 for the result, which has 2 dimensions with the lanes."`,
    );
    expect(text(() => jl.vmap(f, { randomness: "error" as never })(x(), x()))).toMatchInlineSnapshot(
      `"bad-argument: vmap: randomness is "error"."`,
    );
    expect(text(() => jl.vmap(3 as never))).toMatchInlineSnapshot(
      `"bad-argument: vmap: what to run is 3, not a function."`,
    );
    expect(text(() => jl.vmap((_: jl.Tensor) => {})(x()))).toMatchInlineSnapshot(
      `"bad-vmap: vmap: the function returned undefined, not a tensor."`,
    );
    expect(text(() => jl.vmap((_: jl.Tensor) => 3)(x()))).toMatchInlineSnapshot(
      `"bad-vmap: vmap: the result has 3, which is not a tensor."`,
    );
    const wrong = (options: unknown) => () => jl.vmap(f, options as never);
    expect(wrong([0, null])).toThrow("Its options are inDims, outDims, randomness.");
    expect(wrong({ in_axes: 0 })).toThrow('Did you mean "inDims"?');
    expect(() => jl.vmap((map: Map<string, jl.Tensor>) => map.get("a"))(new Map([["a", x()]]))).toThrow(
      "not in a Map",
    );
    expect(text(() => jl.vmap(async (a: jl.Tensor) => a)(x()))).toMatchInlineSnapshot(
      `"bad-vmap: vmap: the function is async."`,
    );
  });

  test("with the shapes of a lane", () => {
    expect(text(() => jl.vmap((one: jl.Tensor) => one.add(jl.zeros([3])))(x()))).toMatchInlineSnapshot(
      `"shape-mismatch: add: the shapes [4] and [3] do not broadcast: 4 and 3 in dimension 0."`,
    );
    expect(
      text(() => jl.vmap((one: jl.Tensor) => one.indexSelect(0, one.mul(0).add(9).to("int64")))(x())),
    ).toMatchInlineSnapshot(
      `"bad-index: indexSelect: index 9 at position [0, 0] of the index tensor is outside dimension 0, which has 4 elements."`,
    );
  });

  test("tensors that leave the function, and graphs inside", () => {
    let kept = jl.zeros([1]);
    jl.vmap((one: jl.Tensor) => {
      kept = one.mul(2);
      return one;
    })(x());
    expect(text(() => kept.add(1))).toMatchInlineSnapshot(
      `"bad-vmap: vmap: a tensor of a lane is used after the function has returned."`,
    );
    expect(text(() => jl.vmap((one: jl.Tensor) => jl.graph(() => one.mul(2))())(x()))).toMatchInlineSnapshot(
      `"bad-vmap: graph: a function that runs for all lanes of vmap can neither record nor replay a graph."`,
    );
  });

  test("and goes on after an error", () => {
    expect(() => jl.vmap((one: jl.Tensor) => one.item())(x())).toThrow(jl.JitlabError);
    expect(jl.ones([2]).add(1).toArray()).toEqual([2, 2]);
  });
});
