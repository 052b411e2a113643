import { createContext, Script } from "node:vm";
import { beforeEach, describe, expect, test } from "vitest";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import * as jl from "../../dist/runtime/index.js";
import { useOwnCache } from "../support/own-cache.js";

// Other files of tests leave something to compile.
useOwnCache();

const found = findNvrtc();
if (!found) console.warn("precompile: NVRTC was not found; its test does not run");

const unary: readonly (readonly [keyof typeof jl & keyof typeof Math, (x: number) => number])[] = [
  ["sqrt", Math.sqrt],
  ["exp", Math.exp],
  ["log", Math.log],
  ["sin", Math.sin],
  ["cos", Math.cos],
  ["tanh", Math.tanh],
  ["atan", Math.atan],
  ["floor", Math.floor],
];
const binary: readonly (readonly [string, (x: number, y: number) => number])[] = [
  ["add", (x, y) => x + y],
  ["sub", (x, y) => x - y],
  ["mul", (x, y) => x * y],
  ["maximum", Math.max],
  ["minimum", Math.min],
  ["hypot", Math.hypot],
];
const integer: readonly (readonly [string, (x: number, y: number) => number])[] = [
  ["add", (x, y) => x + y],
  ["mul", (x, y) => x * y],
  ["bitwiseAnd", (x, y) => x & y],
  ["bitwiseOr", (x, y) => x | y],
  ["bitwiseXor", (x, y) => x ^ y],
  ["gcd", (x, y) => (y === 0 ? x : x % y === 0 ? y : 1)],
];
const floats = ["float32", "float64"] as const;
const integers = ["int32", "int64"] as const;
const values = [0.5, 1.25, 3, 7.5];
const others = [2, 0.25, 3, 1.5];
const whole = [3, 5, 12, 7];
const divisors = [3, 1, 4, 7];

const entries: (readonly [string, jl.DTypeName, () => void])[] = [
  ...floats.flatMap((dtype) => [
    ...unary.map(
      ([name, reference]) => [name, dtype, () => check(name, reference, dtype, [values])] as const,
    ),
    ...binary.map(
      ([name, reference]) => [name, dtype, () => check(name, reference, dtype, [values, others])] as const,
    ),
  ]),
  ...integers.flatMap((dtype) =>
    integer.map(
      ([name, reference]) => [name, dtype, () => check(name, reference, dtype, [whole, divisors])] as const,
    ),
  ),
];

function check(
  name: string,
  reference: (...args: number[]) => number,
  dtype: jl.DTypeName,
  inputs: readonly number[][],
) {
  const tensors = inputs.map((data) => jl.tensor(data, { dtype, device: "cpu" }));
  const result = (jl as any)
    [name](...tensors)
    .toArray()
    .map(Number) as number[];
  for (const [i, value] of result.entries()) {
    const expected = reference(...inputs.map((data) => data[i] as number));
    const tolerance = (dtype === "float32" ? 1e-6 : 1e-14) * Math.max(1, Math.abs(expected));
    expect(Math.abs(value - expected), `${name} ${dtype}`).toBeLessThanOrEqual(tolerance);
  }
}

const functionOf = (name: string) => (jl as any)[name] as unknown;

describe("precompile", () => {
  beforeEach(() => void jl.cache.clear());

  test("compiles 40 kernels in batches; their first calls come from disk and give the right results", () => {
    expect(entries).toHaveLength(40);
    const seen: jl.PrecompileProgress[] = [];
    const report = jl.precompile(
      entries.map(([name, dtype]) => [functionOf(name), dtype]),
      { device: "cpu", onProgress: (progress) => seen.push(progress) },
    );
    expect(report).toMatchObject({ compiled: 40, cached: 0 });
    expect(seen.map(({ done }) => done)).toEqual(entries.map((_, i) => i + 1));
    expect(seen.every(({ total }) => total === 40)).toBe(true);
    const stored = jl.cache.list();
    expect(stored).toHaveLength(40);

    const before = jl.timings().length;
    for (const [, , use] of entries) use();
    const rows = jl.timings().slice(before);
    expect(rows).toHaveLength(40);
    expect(new Set(rows.map(({ origin }) => origin))).toEqual(new Set(["disk"]));
    expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(stored.map(({ key }) => key)));

    const again = jl.precompile(
      entries.map(([name, dtype]) => [functionOf(name), dtype]),
      { device: "cpu" },
    );
    expect(again).toMatchObject({ compiled: 0, cached: 40 });
  });

  test("a kernel's assembly is its own, also where others were compiled with it", () => {
    jl.precompile(
      [
        [jl.add, "float32"],
        [jl.mul, "float32"],
        [jl.digamma, "float32"],
      ],
      { device: "cpu" },
    );
    const [add] = jl.explain(jl.add, { device: "cpu", dtypes: ["float32"] });
    expect(add?.cached).toBe(true);
    expect(add?.ptx).toMatch(/^add_float32_\w+:/m);
    expect(add?.ptx).not.toMatch(/mul_float32|digamma/);
  });

  test("a functor that does not compile is named, and holds up no other", () => {
    const broken = jl.jit("template <typename T> T broken(T x) { return x + nonsense; }");
    const fine = jl.jit("template <typename T> T fine(T x) { return x + T(1); }");
    const all = () =>
      jl.precompile(
        [
          [broken, "float32"],
          [jl.exp2, "float32"],
          [fine, "float32"],
        ],
        { device: "cpu", threads: 1 },
      );
    expect(all).toThrow(/broken does not compile: 1 error[\s\S]*broken:1:\d+: error: .*nonsense/);
    expect(jl.explain(jl.exp2, { device: "cpu", dtypes: ["float32"] })[0]?.cached).toBe(true);
    expect(jl.explain(fine, { device: "cpu", dtypes: ["float32"] })[0]?.cached).toBe(true);
    expect(() => jl.precompile([[jl.bitwiseAnd, "float32"]], { device: "cpu" })).toThrow(
      /bitwiseAnd does not take float32/,
    );
    expect(() => jl.precompile([[Math.sin]], { device: "cpu" })).toThrow(
      /precompile: the function sin is not an operation/,
    );
    expect(() => jl.precompile([jl.sin] as any, { device: "cpu" })).toThrow(/every entry must be a list/);
  });

  test("two functors of one name, and two processes' worth of the same entry, do not meet", () => {
    const one = jl.jit("template <typename T> T f(T x) { return x + T(1); }");
    const two = jl.jit("template <typename T> T f(T x) { return x + T(2); }");
    const report = jl.precompile(
      [
        [one, "int32"],
        [two, "int32"],
        [one, "int32"],
      ],
      { device: "cpu" },
    );
    expect(report).toMatchObject({ compiled: 2, cached: 1 });
    const x = jl.tensor([1], { dtype: "int32", device: "cpu" });
    expect([one(x), two(x)].map((y) => (y as jl.Tensor).item())).toEqual([2, 3]);
  });

  test("an interrupted run holds nothing up", async () => {
    const run = () =>
      jl.precompile(
        [
          [jl.lgamma, "float64"],
          [jl.zeta, "float64"],
        ],
        { device: "cpu" },
      );
    const context = createContext({ run });
    expect(() => new Script("run()").runInContext(context, { timeout: 60 })).toThrow(/timed out/);
    await new Promise((done) => setImmediate(done));
    expect(run().compiled).toBeGreaterThan(0);
  });

  test.skipIf(!found)("compiles for a GPU that is not there (needs NVRTC)", () => {
    const list = [jl.add, jl.mul, jl.sqrt, jl.exp, jl.digamma].map((fn) => [fn, "float32"] as const);
    const report = jl.precompile([...list, [jl.gcd, "int64"]], { device: "cuda", arch: "sm_90" });
    expect(report).toMatchObject({ compiled: 6, cached: 0 });
    for (const [fn, dtype] of [...list, [jl.gcd, "int64"] as const]) {
      const [kernel] = jl.explain(fn, { arch: "sm_90", dtypes: [dtype] });
      expect(kernel?.cached).toBe(true);
      expect(kernel?.ptx.match(/\.entry \w+/g)).toHaveLength(1);
      expect(kernel?.ptx).toMatch(new RegExp(`\\.entry ${kernel?.op}_${dtype}_\\w+\\(`));
      expect(kernel?.ptx).toContain(".target sm_90");
    }
  });
});

test("a user's reduction finds its kernels stored, and what does not compile is told at its line", () => {
  const options = { identity: 0, name: "norm1", map: (x: number) => Math.abs(x) };
  const norm = jl.reduction((a: number, b: number) => a + b, options);
  expect(jl.precompile([[norm, "float32"]], { device: "cpu" }).compiled).toBeGreaterThan(2);
  const { launches } = jl.record(() => [
    norm(jl.ones([300, 200], { device: "cpu" })),
    norm(jl.ones([5, 4], { device: "cpu" }), 1),
  ]);
  const own = launches.filter(({ op }) => op === "norm1");
  expect(new Set(own.map(({ origin }) => origin))).toEqual(new Set(["disk"]));
  const broken = jl.reduction("template <typename T>\nT broken(T a, T b) { return a + nothing; }", {
    identity: 0,
  });
  expect(() => jl.precompile([[broken, "float32"]], { device: "cpu" })).toThrow(
    /broken:2:\d+: error: .*nothing/,
  );
});

describe("raw kernels", () => {
  const source = "__global__ void scale(float* x, float by) { x[threadIdx.x] *= by; }";

  test.skipIf(!found)("are compiled for a GPU that is not there (needs NVRTC)", () => {
    const scale = jl.rawKernel(source, "scale");
    const twice = jl.rawKernel(
      "template <typename T> __global__ void twice(T* x) { x[0] += x[0]; }",
      "twice",
      {
        templates: ["double"],
      },
    );
    const entries = [[scale], [twice], [jl.hypot, "float32"]] as const;
    expect(jl.precompile(entries, { arch: "sm_90" })).toMatchObject({ compiled: 3, cached: 0 });
    expect(jl.explain(twice, { arch: "sm_90" })).toMatchObject([{ cached: true, variant: "<double>" }]);
    expect(jl.precompile(entries, { arch: "sm_90" })).toMatchObject({ compiled: 0, cached: 3 });
    const broken = jl.rawKernel("__global__ void broken(float* x) {\n  x[0] = nothing;\n}", "broken");
    expect(() => jl.precompile([[broken], [jl.hypot, "float64"]], { arch: "sm_90" })).toThrow(
      /broken:2:\d+: error: .*nothing/,
    );
  });

  test("take no dtypes, and have no code for the cpu", () => {
    const scale = jl.rawKernel(source, "scale");
    expect(() => jl.precompile([[scale, "float32"]], { arch: "sm_90" })).toThrow(
      "scale is a raw kernel with declared dtypes, but got float32.",
    );
    expect(() => jl.precompile([[scale]], { device: "cpu" })).toThrow("has no code for cpu");
  });
});

test("reductions of contiguous tensors find their kernels stored", { timeout: 300_000 }, () => {
  jl.setDevice("cpu");
  const shapes: (readonly [number[], number | undefined])[] = [
    [[5], undefined],
    [[300, 200], undefined],
    [[1200, 1000], undefined],
    [[1200, 1000], 0],
    [[1200, 1000], 1],
    [[900, 3], 0],
    [[900, 3], 1],
  ];
  const report = jl.precompile([
    [jl.sum, "float32"],
    [jl.argmax, "int32"],
  ]);
  expect(report.compiled).toBeGreaterThan(4);
  const before = jl.timings().length;
  for (const [shape, dim] of shapes) {
    jl.sum(jl.empty(shape), dim);
    jl.argmax(jl.empty(shape, { dtype: "int32" }), dim);
  }
  const rows = jl.timings().slice(before);
  expect(rows.length).toBeGreaterThan(4);
  expect(
    rows.filter(({ origin }) => origin === "compiled").map(({ op, variant }) => `${op} ${variant}`),
  ).toEqual([]);
  expect(() => jl.precompile([[jl.mean, "int32"]])).toThrow(/mean does not take int32/);
});
