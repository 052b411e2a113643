// jl.jit of C++ texts inside compiled functions: they share kernels with the operations around them, with the bits of the
// separate calls; a text that cannot stand beside others has a kernel of its own, and its program says why.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useDevice } from "../support/device.js";
import { drawn } from "../support/draw.js";
import { elementBits } from "../support/element-bits.js";
import { textFunctors } from "../support/text-functors.js";

beforeAll(useDevice);

const most = jl.reduction((a: number, b: number) => Math.max(a, b), { identity: Number.NEGATIVE_INFINITY });

type Call = (...args: unknown[]) => jl.Tensor;

const lists: Partial<Record<jl.DTypeName, readonly (readonly number[])[]>> = {
  float32: [
    [-7.5, -3, -2.5, -0.25, -0, 0.125, 0.5, 1, 1.5, 300.25],
    [-2, 3, 0, 1, -1.5, 7, -0.25, 2, 0, -8],
  ],
  float16: [
    [-7.5, -3, 0.25, 2049, 60000],
    [-2, 3, 0, 1.125, 0.3],
  ],
  int32: [
    [-7, 0, 3, 12, 100, -1],
    [2, 0, 3, -4, 7, 0],
  ],
};
const cases = Object.entries(textFunctors).flatMap(([name, text]) =>
  (Object.keys(lists) as jl.DTypeName[])
    .filter((dtype) => name !== "bits" || dtype === "int32")
    .filter((dtype) => name !== "swish" || dtype !== "int32")
    .map((dtype) => ({ name, text, dtype })),
);
const given = (dtype: jl.DTypeName) => (lists[dtype] ?? []).map((list) => jl.tensor([...list]).to(dtype));

test.each(drawn(cases, 8))("$name of $dtype: one kernel, the bits of separate calls", ({ text, dtype }) => {
  const f = jl.jit(text) as unknown as Call;
  const body: Call = (x, y) => {
    const first = f((x as jl.Tensor).add(1), y);
    return first.add(f(y, (x as jl.Tensor).mul(2)).mul(3));
  };
  const [x, y] = given(dtype);
  const { value, launches } = jl.record(() => jl.compile(body)(x, y));
  expect(launches.map(({ op }) => op)).toEqual([expect.stringContaining("fused_")]);
  const want = body(x, y);
  expect(value.dtype.name).toBe(want.dtype.name);
  expect(elementBits(value)).toEqual(elementBits(want));
});

test("several outputs, captured parameters, positions and extents", () => {
  const parts = jl.jit(
    `template <typename T> void parts(T x, T& low, bool& above, T limit = T(2)) {
      low = min(x, limit) + T(index(1)) / T(extent(0));
      above = x > limit;
    }`,
    { params: { limit: 2 } },
  ) as unknown as (x: jl.Tensor, options?: object) => [jl.Tensor, jl.Tensor];
  const body = (x: jl.Tensor, limit: number) => {
    const [low, above] = parts(x.sin().mul(4), { limit });
    return jl.where(above, low.neg(), low).add(1);
  };
  const x = jl.arange(12, { dtype: "float32" }).reshape(3, 4);
  const f = jl.compile(body);
  for (const limit of [0.5, 2]) expect(elementBits(f(x, limit))).toEqual(elementBits(body(x, limit)));
  const program = f.program();
  const fused = program?.operations.filter(({ name }) => name !== "arange").flatMap(({ kernels }) => kernels);
  expect(new Set(fused).size).toBe(1);
  expect(f.report().misses).toEqual([]);
});

describe("in kernels of reductions", () => {
  const last = { dim: -1, keepdim: true } as const;
  const named = jl.jit(textFunctors.swish);
  const swish = named as unknown as Call;
  const bits = jl.jit(textFunctors.bits) as unknown as Call;
  // It does not return for 0.
  const halvings = jl.jit(`template <typename T> T halvings(T x) {
  T steps = 0;
  for (T y = x; y < T(1000); y = y * T(2)) steps += T(1);
  return steps;
}`) as unknown as Call;
  const leaky = jl.jit((x, slope = 0.01) => (x > 0 ? x : slope * x)) as unknown as Call;
  const place = jl.jit("template <typename T> T place(T x) { return x * T(index(1)) - T(extent(0)); }");
  const bodies: Record<string, (x: jl.Tensor, row: jl.Tensor) => jl.Tensor | jl.Tensor[]> = {
    softmax(x, row) {
      const y = swish(x, row);
      const e = y.sub(y.max(last)).exp();
      return e.div(e.sum(last));
    },
    layernorm(x, row) {
      const d = x.sub(x.mean(last));
      const scaled = d.mul(d.mul(d).mean(last).add(1e-5).rsqrt());
      return leaky(scaled.mul(row), { slope: 0.1 } as never);
    },
    "of the row's results"(x) {
      const y = x.add(0.5);
      return leaky(bits(y.sum(last), y.max(last))).mul(y);
    },
    expression: (x, row) => jl.fuse`${named}(${x}, ${row}) * 2`.mean(last).sub(x),
    endless: (x) => halvings(x.abs().add(0.25)).sum(-1),
    positions: (x) => (place as unknown as Call)(x).sum(-1),
  };

  test.each(Object.entries(bodies))("%s of rows is one kernel", (name, body) => {
    for (const dtype of ["float32", "float16"] as const) {
      for (const length of [4, 6, 70, 300]) {
        const x = jl
          .linspace(-4, 5, 5 * length, { dtype: "float32" })
          .to(dtype)
          .reshape(5, length);
        const row = x.select(0, 3).clone();
        const f = jl.compile(body);
        const [got, want] = [f(x, row), body(x, row)].map((result) => [result].flat() as jl.Tensor[]);
        expect(got?.map(elementBits), `${name}, ${dtype}, ${length}`).toEqual(want?.map(elementBits));
        // The positions are a tensor of their own.
        expect(f.program()?.kernels).toHaveLength(name === "positions" ? 2 : 1);
      }
    }
  });

  test.each([
    ["all of a tensor", (x: jl.Tensor) => swish(x, x.mul(2)).sum()],
    ["columns", (x: jl.Tensor) => swish(x.add(1), x).mean(0)],
    ["the place of the greatest", (x: jl.Tensor) => leaky(x).argmax()],
    ["long rows", (x: jl.Tensor) => bits(x.reshape(2, 60_000), x.reshape(2, 60_000)).max(-1)],
    ["a reduction of one's own", (x: jl.Tensor) => most(leaky(x))],
  ])("%s: one kernel for the functor and its reduction", (_, body) => {
    const x = jl.linspace(-4, 5, 120_000, { dtype: "float32" }).reshape(1000, 120);
    const f = jl.compile(body);
    expect(elementBits(f(x))).toEqual(elementBits(body(x)));
    expect(f.program()?.kernels).toHaveLength(1);
  });

  test("a result that is read twice is computed once", () => {
    const body = (x: jl.Tensor) => {
      const y = swish(x, x);
      return [y.sum(0), y.add(1), y.max()];
    };
    const x = jl.linspace(-4, 5, 20_000, { dtype: "float32" }).reshape(2, 10_000);
    const f = jl.compile(body);
    expect(f(x).map(elementBits)).toEqual(body(x).map(elementBits));
    const operations = f.program()?.operations ?? [];
    expect(operations.find(({ name }) => name === "swish")?.kernels).toHaveLength(1);
  });

  test("a mistake is told by its own line", () => {
    const wrong = jl.jit(
      "template <typename T>\nT wrong(T x) {\n  return x + nowhere;\n}",
    ) as unknown as Call;
    const told = /wrong does not compile for float32: 1 error[\s\S]*wrong:3:[\s\S]*nowhere/;
    expect(() => jl.compile((x: jl.Tensor) => wrong(x).sum(-1))(jl.ones([3, 4]))).toThrow(told);
    expect(() => jl.compile((x: jl.Tensor) => wrong(x).sum(0))(jl.ones([3, 4]))).toThrow(told);
  });
});

test("two functors of one name are told apart", () => {
  const twice = jl.jit("template <typename T> T same(T x) { return x + x; }") as unknown as Call;
  const square = jl.jit("template <typename T> T same(T x) { return x * x; }") as unknown as Call;
  const { value, launches } = jl.record(() => jl.compile((x: jl.Tensor) => square(twice(x)))(jl.tensor([3])));
  expect(launches).toHaveLength(1);
  expect(value.toArray()).toEqual([36]);
});

describe("a text that cannot stand beside others", () => {
  test.each([
    [
      "lines for the preprocessor",
      "#define ONE T(1)\ntemplate <typename T> T f(T x) { return x + ONE; }",
      {},
    ],
    [
      "values of its own",
      "template <typename T> T f(T x) { static int calls = 1; return x + T(calls); }",
      {},
    ],
    ["contracts", "template <typename T> T f(T x) { return x * x + x; }", { fma: true }],
  ])("has a kernel of its own: %s", (why, text, options) => {
    const f = jl.jit(text, options) as unknown as Call;
    const body = (x: jl.Tensor) => f(x.mul(2)).sub(1);
    const compiled = jl.compile(body);
    const x = jl.tensor([1, 2.5, -3]);
    expect(elementBits(compiled(x))).toEqual(elementBits(body(x)));
    const { operations, kernels } = compiled.program() as jl.Program;
    expect(kernels).toHaveLength(3);
    expect(operations.map(({ unfusable }) => unfusable)).toEqual([
      undefined,
      expect.stringContaining(why),
      undefined,
    ]);
  });

  test("has words in comments and names that keep nothing apart", () => {
    const f = jl.jit(
      "// printf, static\nstatic int one(int x) { return x; }\ntemplate <typename T> T f(T newest) { return static_cast<T>(newest + one(1)); }",
    ) as unknown as Call;
    const compiled = jl.compile((x: jl.Tensor) => f(x.mul(2)).sub(1));
    compiled(jl.ones([3]));
    expect(compiled.program()?.kernels).toHaveLength(1);
  });
});

test("a sum computes the functor's elements, whose derivatives another kernel computes, without storing them", () => {
  const swish = jl.jit(
    "template <typename T> T swish(T x) { return x / (T(1) + exp(-x)); }",
  ) as unknown as Call;
  const body = jl.valueAndGrad((x: jl.Tensor) => swish(x).sum());
  const compiled = jl.compile(body);
  const x = jl.arange(0, 4096, 1, { dtype: "float32" }).sin();
  const [found, wanted] = [compiled(x), body(x)];
  expect(elementBits(found.value)).toEqual(elementBits(wanted.value));
  expect(elementBits(found.grad)).toEqual(elementBits(wanted.grad));
  // Each of two kernels reads x, and one writes the derivatives.
  const bytes = compiled.program()?.kernels.reduce((sum, kernel) => sum + kernel.bytes, 0);
  expect(bytes).toBeLessThan(3.2 * 4096 * 4);
});

test("a mistake in one of two texts is told by its own line", () => {
  const fine = jl.jit(textFunctors.swish) as unknown as Call;
  const wrong = jl.jit("template <typename T>\nT wrong(T x) {\n  return x + nowhere;\n}") as unknown as Call;
  const f = jl.compile((x: jl.Tensor) => wrong(fine(x, x.mul(2))));
  expect(() => f(jl.ones([3]))).toThrow(
    /wrong does not compile for float32: 1 error[\s\S]*wrong:3:[\s\S]*nowhere[\s\S]*\nThe kernel computes mul of/,
  );
});
