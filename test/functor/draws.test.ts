// Random numbers that functors draw: their bits, their moments, and that each call draws new ones wherever it stands.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useDevice } from "../support/device.js";
import { everyDevice } from "../support/every-device.js";
import { helpers } from "../support/reference/helpers.js";
import { refusal } from "../support/refusal.js";

beforeAll(useDevice);

const zeros = (n: number, dtype: "float32" | "float64" = "float32") => jl.zeros([n], { dtype });
/** The mean of a draw, and of its square. */
const moments = (x: jl.Tensor) => [x.mean().item(), x.square().mean().item()] as number[];
const seeded = <R>(seed: number, run: () => R): R => {
  jl.manualSeed(seed);
  return run();
};

// The definition: an element's key is its number of the call's stream; a draw, the bits for the key and its own number.
const bitsOf = (element: number, stream: number, seed: number, draw: number, word = 0): bigint =>
  helpers.randomBits(2 * draw + word, helpers.randomBits(element, stream, seed), 5368393942626419);
const uniformOf = (bits: bigint) => Number(bits >> 11n) * 2 ** -53;

const three = jl.jit((_x) => [Math.random(), Math.random(), Math.random()] as const);
const threeText = jl.jit<jl.Tensor[]>(
  "template <typename T> void three(T x, T& a, T& b, T& c) { a = random(); b = random(); c = random(); }",
);

describe("numbers", () => {
  test.each(everyDevice)("have the bits of their definition on %s, in both languages", (device) => {
    for (const functor of [three, threeText] as const) {
      for (const dtype of ["float32", "float64"] as const) {
        const x = jl.zeros([2, 5], { dtype, device }).T;
        const found = seeded(9, () => [functor(x), functor(x)] as unknown as jl.Tensor[][]);
        for (const [stream, results] of found.entries()) {
          for (const [draw, result] of results.entries()) {
            const expected = Array.from({ length: 10 }, (_, i) => bitsOf(i, stream, 9, draw)).map((bits) =>
              dtype === "float64" ? uniformOf(bits) : Number(bits >> 40n) * 2 ** -24,
            );
            expect(result.toArray().flat()).toEqual(expected);
          }
        }
      }
    }
  });
  test.each(everyDevice)("are normal by two of a block on %s, with others between them", (device) => {
    const mixed = jl.jit<jl.Tensor[]>(
      "template <typename T> void mixed(T x, T& a, T& u, T& b, T& c) { a = normal(); u = random(); b = normal(); c = normal(); }",
    );
    const [a, u, b, c] = seeded(2, () => mixed(jl.zeros([40], { dtype: "float64", device }))).map(
      (x) => x.toArray() as number[],
    ) as [number[], number[], number[], number[]];
    for (let i = 0; i < 40; i++) {
      const pair = (draw: number) => [uniformOf(bitsOf(i, 0, 2, draw)), uniformOf(bitsOf(i, 0, 2, draw, 1))];
      const [p, q] = pair(0) as [number, number];
      const radius = Math.sqrt(-2 * Math.log(1 - p));
      expect(a[i]).toBeCloseTo(radius * Math.cos(2 * Math.PI * q), 12);
      expect(b[i]).toBeCloseTo(radius * Math.sin(2 * Math.PI * q), 12);
      expect(u[i]).toBe(uniformOf(bitsOf(i, 0, 2, 1)));
      const [r, s] = pair(2) as [number, number];
      expect(c[i]).toBeCloseTo(Math.sqrt(-2 * Math.log(1 - r)) * Math.cos(2 * Math.PI * s), 12);
    }
  });
  test("have the moments of their distributions, and no correlation between elements, draws and calls", () => {
    const n = 200_000;
    const normals = jl.jit(() => [jl.math.normal(), jl.math.normal(), jl.math.normal()] as const);
    const [first, second] = seeded(3, () => [normals({ shape: [n] }), normals({ shape: [n] })] as const);
    const near = (value: unknown, expected: number) =>
      expect(Math.abs((value as number) - expected)).toBeLessThan(5 * Math.sqrt(3 / n));
    for (const x of first) {
      const [mean, square] = moments(x) as [number, number];
      near(mean, 0);
      near(square, 1);
      near(x.pow(3).mean().item() as number, 0);
      near(x.slice("1:").mul(x.slice(":-1")).mean().item(), 0);
    }
    const [a, b, c] = first;
    for (const [x, y] of [
      [a, b],
      [b, c],
      [a, c],
      [a, second[0]],
      [a.square().sub(1), b.square().sub(1)],
    ] as const)
      near(x.mul(y).mean().item(), 0);
    const [mean, square] = moments(seeded(4, () => three(zeros(n)))[2] as jl.Tensor) as [number, number];
    near(mean, 0.5);
    near(square, 1 / 3);
  });
  test("are as many as a loop asks for, in each element", () => {
    // How often a number must be drawn until it is above 0.75: 4 times in the mean.
    const tries = jl.jit(() => {
      let count = 1;
      while (Math.random() < 0.75) count++;
      return count;
    });
    const found = seeded(5, () => tries({ shape: [50_000] }));
    expect(found.mean().item()).toBeCloseTo(4, 0.9);
    const steps = jl.jit(
      "template <typename T> T steps(int n) { T s = 0; for (int i = 0; i < n; ++i) s += normal(); return s; }",
      {
        params: { n: 252 },
      },
    );
    const walk = steps({ shape: [50_000] });
    expect(walk.square().mean().item()).toBeGreaterThan(245);
    expect(walk.square().mean().item()).toBeLessThan(259);
    expect(seeded(1, () => steps({ shape: [3], n: 1 })).toArray()).toEqual(
      seeded(1, () => jl.jit(() => jl.math.normal())({ shape: [3] })).toArray(),
    );
  });
  test("come in the order of JavaScript, in local functions and behind conditions", () => {
    const draw = () => Math.random();
    const f = jl.jit(
      (x) => {
        const own = () => draw() * 2;
        const a = own() - draw();
        const b = x > 0 && Math.random() < 2 ? Math.random() : 0;
        return [a, b, Math.random()] as const;
      },
      { use: { draw } },
    );
    const x = jl.tensor([0, 1], { dtype: "float64" });
    const [a, b, c] = seeded(6, () => f(x)).map((one) => one.toArray() as number[]) as [
      number[],
      number[],
      number[],
    ];
    const u = (element: number, draw: number) => uniformOf(bitsOf(element, 0, 6, draw));
    expect(a).toEqual([2 * u(0, 0) - u(0, 1), 2 * u(1, 0) - u(1, 1)]);
    expect(b).toEqual([0, u(1, 3)]);
    expect(c).toEqual([u(0, 2), u(1, 4)]);
  });
  test("are of the kernel's precision, on integers and half precision too", () => {
    const f = jl.jit((x) => x + Math.floor(6 * Math.random()));
    const dice = seeded(7, () => f(jl.ones([3000], { dtype: "int32" })));
    expect(dice.dtype.name).toBe("int32");
    expect(dice.unique().toArray()).toEqual([1, 2, 3, 4, 5, 6]);
    const half = jl.jit("template <typename T> T h(T x) { return x + normal(); }")(
      jl.zeros([4000], { dtype: "bfloat16" }),
    );
    expect(half.dtype.name).toBe("bfloat16");
    expect(half.to("float32").square().mean().item()).toBeCloseTo(1, 0.8);
  });
});

describe("calls", () => {
  const noisy = jl.jit((x, scale = 1) => x + scale * jl.math.normal());
  const other = jl.jit("template <typename T> T other(T x) { return x * random(); }");
  const body = (x: jl.Tensor) => other(noisy(x).add(1)).add(noisy(x, { scale: 2 }));
  const x = () => jl.linspace(0, 1, 12).reshape(3, 4);

  test("have the numbers of their seed and state again", () => {
    const run = () => [noisy(x()), noisy(x())].map((one) => one.toArray());
    const [first, second] = seeded(8, run);
    expect(first).not.toEqual(second);
    expect(seeded(8, run)).toEqual([first, second]);
    const own = jl.generator(8);
    expect(
      [noisy(x(), { generator: own }), noisy(x(), { generator: own })].map((one) => one.toArray()),
    ).toEqual([first, second]);
    const again = jl.generator(jl.generator(8).state());
    expect(noisy(x(), { generator: again }).toArray()).toEqual(first);
    const restore = jl.keepStream();
    const third = noisy(x()).toArray();
    restore();
    expect(noisy(x()).toArray()).toEqual(third);
  });
  test("compiled, replayed and in a graph's place draw what separate calls draw, in fewer kernels", () => {
    const separate = seeded(11, () => Array.from({ length: 5 }, () => body(x()).toArray()));
    for (const replay of [false, true]) {
      const compiled = jl.compile(body, { replay, verify: !replay });
      const found = seeded(11, () => Array.from({ length: 5 }, () => compiled(x()).toArray()));
      expect(found).toEqual(separate);
      expect(compiled.report().programs[0]?.kernels).toBe(1);
    }
  });
  test("in the steps of a scan draw from a new stream each", () => {
    const step = (carry: jl.Tensor): [jl.Tensor, jl.Tensor] => [noisy(carry), other(jl.ones([2]))];
    const run = () => jl.scan(step, jl.zeros([3]), undefined, { length: 7 });
    const plain = seeded(12, run);
    const found = seeded(12, jl.compile(run));
    expect(found.carry.toArray()).toEqual(plain.carry.toArray());
    expect(found.ys.toArray()).toEqual(plain.ys.toArray());
    expect(new Set(plain.ys.toArray().flat()).size).toBe(14);
  });
  test("under vmap draw for each lane, or the same", () => {
    const all = seeded(13, () => noisy(x()).toArray());
    expect(seeded(13, () => jl.vmap((row: jl.Tensor) => noisy(row))(x())).toArray()).toEqual(all);
    const few = seeded(13, () => jl.vmap((row: jl.Tensor) => noisy(row))(x().slice(":2"))).toArray();
    expect(few).toEqual((all as number[][]).slice(0, 2));
    const same = seeded(13, () =>
      jl.vmap((row: jl.Tensor) => other(row.mul(0).add(1)), { randomness: "same" })(x()),
    );
    expect(new Set(same.toArray().map(String)).size).toBe(1);
  });
  test("have derivatives in which the numbers are constants", () => {
    const f = jl.jit((x) => x * x * Math.random() + Math.sin(x) * jl.math.normal());
    const text = jl.jit(
      "template <typename T> T f(T x) { const T u = random(); T v = normal(); return x * x * u + sin(x) * v; }",
    );
    const plain = (y: jl.Tensor) => f(y).sum();
    for (const make of [f, text]) {
      const y = () => jl.linspace(0.5, 1.5, 5, { dtype: "float64" });
      const slope = (h: number) => seeded(14, () => make(y().add(h)));
      const central = slope(1e-5).sub(slope(-1e-5)).div(2e-5);
      const given = seeded(14, () => jl.grad((z: jl.Tensor) => make(z).sum())(y()));
      expect(given.sub(central).abs().max().item()).toBeLessThan(1e-8);
      const compiled = jl.compile(jl.grad((z: jl.Tensor) => make(z).sum()));
      expect(seeded(14, () => compiled(y())).toArray()).toEqual(given.toArray());
    }
    const twice = jl.grad((y: jl.Tensor) => jl.grad(plain)(y).sum());
    expect(seeded(15, () => twice(jl.zeros([3]))).toArray()).toEqual(
      seeded(15, () => three(jl.zeros([3]))[0])
        .mul(2)
        .toArray(),
    );
    const kept = jl.grad((y: jl.Tensor) =>
      jl
        .checkpoint((z: jl.Tensor) => f(z))(y)
        .sum(),
    );
    const y = jl.ones([4]);
    expect(seeded(16, () => kept(y)).toArray()).toEqual(seeded(16, () => jl.grad(plain)(y)).toArray());
  });
  test("follow an output's shape, and are shown by explain", () => {
    const out = jl.zeros([4, 2]).T;
    const fill = jl.jit("template <typename T> T fill() { return random(); }");
    seeded(17, () => fill({ out }));
    expect(out.toArray()).toEqual(seeded(17, () => fill({ shape: [2, 4] })).toArray());
    const [shown] = jl.explain(fill, { dtypes: ["float32"], device: "cpu" });
    expect(shown?.source).toContain("#define random() drawn::uniform(drawn_numbers)");
  });
});

describe("what a text defines itself is not a draw", () => {
  test("functions, values and methods of these names", () => {
    const own = jl.jit("float normal() { return 2; }\nfloat f(float x) { return x + normal(); }");
    expect(own(jl.ones([1])).toArray()).toEqual([3]);
    const local = jl.jit("float f(float x) { auto random = [] { return 5; }; return x + random(); }");
    expect(local(jl.ones([1])).toArray()).toEqual([6]);
    const braces = jl.jit(
      "float f(float x) {\n  // random()\n  if (x < random()) return normal();\n  return x < 0 ? random() : normal();\n}",
    );
    expect(braces(jl.ones([3])).shape).toEqual([3]);
  });
});

describe("refused", () => {
  const cases: Readonly<Record<string, () => unknown>> = {
    "two in one expression": () =>
      jl.jit("template <typename T> T f(T x) {\n  return normal() - normal();\n}"),
    "two in a call": () => jl.jit("float f(float x) { return hypot(random(), normal()); }"),
    "outside of the entry": () =>
      jl.jit("float g() { return random(); }\nfloat f(float x) { return x + g(); }"),
    "the name of the key": () => jl.jit("float f(float draw_key) { return draw_key + random(); }"),
    "a shape that is none": () => jl.jit(() => Math.random(), { name: "dice" })({ shape: [-2] }),
    arguments: () => jl.jit((x) => x + (Math.random as (n: number) => number)(3)),
    "in a reduction": () => jl.reduction((a, b) => a + b * Math.random(), { identity: 0 }),
    "in a reduction's map": () =>
      jl.reduction((a, b) => a + b, { identity: 0, map: (x) => x * Math.random() }),
    "in an expression": () =>
      jl.fuse`${jl.jit((x) => x * Math.random(), { name: "r" })}(${jl.ones([2])}) + 1`,
    "in do": () =>
      jl.jit((x) => {
        let n = x;
        do n += 1;
        while (Math.random() < 0.5);
        return n;
      }),
    "a generator that is none": () => three(jl.ones([2]), { generator: 7 } as never),
    "a generator for nothing": () => jl.jit((x) => x)(jl.ones([2]), { generator: jl.generator(1) } as never),
  };
  test.each(Object.keys(cases))("%s", (name) => {
    expect(refusal(cases[name] as () => unknown)).toMatchSnapshot();
  });
});
