// Reductions against plain loops: every dtype, dimension, layout and size class, special values, determinism and refusals.
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, useDevice } from "../support/device.js";
import { drawn } from "../support/draw.js";

beforeAll(useDevice);

type Name = "sum" | "prod" | "mean" | "min" | "max" | "any" | "all" | "argmin" | "argmax";

/** The groups of elements that are joined, each in row-major order, by the index of their result. */
function groups(x: jl.Tensor, dims: readonly number[]): number[][] {
  const data = x.to("float64").data() as Float64Array;
  // Where each dimension's step leads among the results.
  const steps: number[] = [];
  let count = 1;
  for (let d = x.ndim - 1; d >= 0; d--) {
    const isJoined = dims.includes(d);
    steps[d] = isJoined ? 0 : count;
    if (!isJoined) count *= x.shape[d] as number;
  }
  const found = Array.from({ length: count }, (): number[] => []);
  data.forEach((value, k) => {
    let [rest, at] = [k, 0];
    for (let d = x.ndim - 1; d >= 0; d--) {
      const extent = x.shape[d] as number;
      at += (rest % extent) * (steps[d] as number);
      rest = Math.floor(rest / extent);
    }
    found[at]?.push(value);
  });
  return found;
}

const references: Record<Name, (values: number[]) => number> = {
  sum: (values) => values.reduce((a, b) => a + b, 0),
  prod: (values) => values.reduce((a, b) => a * b, 1),
  mean: (values) => values.reduce((a, b) => a + b, 0) / values.length,
  min: (values) => values.reduce((a, b) => (b < a || Number.isNaN(b) ? b : a)),
  max: (values) => values.reduce((a, b) => (b > a || Number.isNaN(b) ? b : a)),
  any: (values) => Number(values.some((value) => value !== 0)),
  all: (values) => Number(values.every((value) => value !== 0)),
  argmin: (values) => place(values, (a, b) => a < b),
  argmax: (values) => place(values, (a, b) => a > b),
};

function place(values: number[], better: (a: number, b: number) => boolean): number {
  const nan = values.findIndex(Number.isNaN);
  if (nan >= 0) return nan;
  return values.reduce((best, value, i) => (better(value, values[best] as number) ? i : best), 0);
}

const names = Object.keys(references) as Name[];

/** Compares one reduction with its definition; the values are small integers, so that sums are exact. */
function check(name: Name, x: jl.Tensor, dims?: readonly number[]): void {
  const ordered = name.startsWith("arg");
  if (ordered && dims && dims.length !== 1) return;
  const result = jl[name](x, dims);
  const all = dims ?? x.shape.map((_, d) => d);
  const expected = groups(x, all).map(references[name]);
  expect(result.shape).toEqual(x.shape.filter((_, d) => !all.includes(d)));
  const got = Array.from(result.to("float64").data() as Float64Array);
  const tolerance = name === "mean" ? 1e-6 : 0;
  got.forEach((value, i) => {
    const want = expected[i] as number;
    const close = Object.is(value, want) || Math.abs(value - want) <= tolerance * Math.abs(want);
    if (!close) expect(`${name} [${x.shape}] over ${dims}: ${value}`).toBe(`${want} at ${i}`);
  });
  expect(got.length).toBe(expected.length);
}

/** The dtype that a reduction gives. */
function resultDtype(name: Name, dtype: jl.DTypeName): jl.DTypeName {
  if (name === "any" || name === "all") return "bool";
  if (name.startsWith("arg")) return "int64";
  const { kind } = jl.dtypes[dtype];
  const adds = name === "sum" || name === "prod";
  return adds && kind !== "float" && kind !== "complex" ? "int64" : dtype;
}

const small = (shape: number[], dtype: jl.DTypeName = "float32"): jl.Tensor =>
  jl.randint(-3, 4, shape, { dtype: "int32" }).to(dtype);
// Products stay exact.
const ones = (shape: number[]): jl.Tensor =>
  jl.where(jl.randint(0, 2, shape).eq(0), jl.full(shape, -1), jl.ones(shape));

describe("values", () => {
  test.each(drawn(names, 2))("%s over every layout and size class", (name) => {
    const shapes: [number[], (number[] | undefined)[]][] = [
      [[], [undefined]],
      [[1], [undefined, [0]]],
      [[7], [undefined, [0]]],
      [[1000], [undefined]],
      [[70_001], [undefined]],
      [
        [3, 5],
        [undefined, [0], [1], [0, 1], [-1 + 2]],
      ],
      [
        [40, 1030],
        [undefined, [0], [1]],
      ],
      [
        [1030, 40],
        [[0], [1]],
      ],
      [
        [3, 20_000],
        [[0], [1]],
      ],
      [
        [20_000, 3],
        [[0], [1]],
      ],
      [
        [2000, 65],
        [[0], [1]],
      ],
      [
        [5, 6, 7],
        [undefined, [0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]],
      ],
      [
        [20, 30, 40],
        [[0], [1], [2], [0, 2]],
      ],
      [
        [2, 3, 4, 5],
        [[1], [1, 3], [0, 2], [0, 3]],
      ],
    ];
    for (const [shape, lists] of shapes)
      for (const dims of lists) check(name, name === "prod" ? ones(shape) : small(shape), dims);
  });
  test.each(drawn(names, 2))("%s of strided, turned, broadcast and offset tensors", (name) => {
    const base = name === "prod" ? ones([60, 70]) : small([60, 70]);
    const views = [
      base.T,
      base.slice("::2, ::3"),
      base.slice("::-1, 1:"),
      base.slice(":, ::-1"),
      base.at(3).unsqueeze(0).expand(50, 70),
      base.slice("1:, 3:"),
      base.view(60, 7, 10).permute(2, 0, 1),
    ];
    for (const x of views) {
      check(name, x);
      for (let d = 0; d < x.ndim; d++) check(name, x, [d]);
    }
  });
  test.each(names)("%s of every dtype", (name) => {
    for (const dtype of Object.keys(jl.dtypes) as jl.DTypeName[]) {
      const { kind } = jl.dtypes[dtype];
      const x = kind === "unsigned" ? small([30, 33]).abs().to(dtype) : small([30, 33], dtype);
      const run = () => jl[name](x, 1);
      if (kind === "complex" && !["sum", "prod", "mean", "any", "all"].includes(name)) {
        expect(run, dtype).toThrow(/has no order|have no order/);
      } else if (name === "mean" && kind !== "float" && kind !== "complex") {
        expect(run, dtype).toThrow(/is a float/);
      } else {
        expect(run().dtype.name, dtype).toBe(resultDtype(name, dtype));
        if (kind === "complex" || name === "prod") continue;
        // Means of halves are rounded to them.
        if (name !== "mean" || jl.dtypes[dtype].bytes > 2) check(name, x, [1]);
        check(name === "mean" ? "sum" : name, x);
      }
    }
  });
  test("the dtype of a result, where it is asked for", () => {
    expect(jl.sum(jl.ones([3], { dtype: "int32" }), { dtype: "float64" }).dtype.name).toBe("float64");
    expect(jl.mean(jl.arange(4), { dtype: "float32" }).item()).toBe(1.5);
    expect(jl.sum(jl.full([300], 1, { dtype: "uint8" }), { dtype: "uint8" }).item()).toBe(44);
  });
  test("complex sums, products and means", () => {
    const z = jl.tensor([
      { re: 1, im: 2 },
      { re: 3, im: -1 },
    ]);
    expect(z.sum().item()).toEqual({ re: 4, im: 1 });
    expect(z.prod().item()).toEqual({ re: 5, im: 5 });
    expect(z.mean().item()).toEqual({ re: 2, im: 0.5 });
    expect(
      jl
        .tensor([
          { re: 0, im: 1 },
          { re: 0, im: 0 },
        ])
        .all()
        .item(),
    ).toBe(false);
  });
  test("NaN, infinities, extremes and wrap-around", () => {
    const x = jl.tensor([1, Number.NaN, Number.NEGATIVE_INFINITY, 5]);
    expect(x.min().item()).toBeNaN();
    expect(x.max().item()).toBeNaN();
    expect(x.argmin().item()).toBe(1n);
    expect(x.argmax().item()).toBe(1n);
    expect(x.any().item()).toBe(true);
    expect(jl.full([5], Number.POSITIVE_INFINITY).min().item()).toBe(Number.POSITIVE_INFINITY);
    expect(jl.full([100], Number.NEGATIVE_INFINITY).max().item()).toBe(Number.NEGATIVE_INFINITY);
    expect(jl.full([100], 127, { dtype: "int8" }).min().item()).toBe(127);
    expect(
      jl
        .full([100], -(2n ** 63n), { dtype: "int64" })
        .max()
        .item(),
    ).toBe(-(2n ** 63n));
    expect(
      jl
        .tensor([2n ** 63n - 1n, 1n])
        .sum()
        .item(),
    ).toBe(-(2n ** 63n));
    expect(jl.full([9, 9], 7).argmax().item()).toBe(0n);
    for (const at of [0, 1, 77, 4_099, 299_999]) {
      const long = jl.zeros([300_000]);
      long.slice(`${at}:${at + 1}`).fill_(Number.NaN);
      expect(long.max().item()).toBeNaN();
      expect(long.argmin().item()).toBe(BigInt(at));
    }
  });
  test.each([
    "float32",
    "float64",
    "float16",
    "bfloat16",
    "int8",
    "uint8",
    "int64",
    "uint64",
    "bool",
  ] as const)("the first extreme of %s", (dtype) => {
    const isFloat = jl.dtypes[dtype].kind === "float";
    const special = [0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN];
    for (const length of [1, 2, 9, 16, 33, 70, 1023, 1025, 5000]) {
      for (const kinds of isFloat ? [2, 3, 4, 5] : [1]) {
        const values = Array.from({ length }, (_, k) =>
          isFloat ? special[(k * k + k) % kinds]! : (k * 7) % 5,
        );
        const x = jl.tensor(values, { dtype: "float64" }).to(dtype);
        check("argmin", x);
        check("argmax", x);
      }
    }
    const extremes = isFloat ? special.slice(2) : dtype.startsWith("int") ? [-128, 127] : [0, 1];
    for (const value of extremes) {
      const x = jl.full([3, 40], value, { dtype });
      expect(x.argmin(1).toArray()).toEqual([0n, 0n, 0n]);
      expect(x.argmax(1).toArray()).toEqual([0n, 0n, 0n]);
    }
  });
  test("no elements", () => {
    const none = jl.zeros([0, 3]);
    expect(none.sum().item()).toBe(0);
    expect(none.prod().item()).toBe(1);
    expect(none.mean().item()).toBeNaN();
    expect(none.any().item()).toBe(false);
    expect(none.all(0).toArray()).toEqual([true, true, true]);
    expect(none.sum(0).toArray()).toEqual([0, 0, 0]);
    expect(none.max(1).shape).toEqual([0]);
  });
  test("keepdim, negative dimensions, methods, out and options", () => {
    const x = jl.arange(12, { dtype: "float32" }).reshape(3, 4);
    expect(x.sum(-1, { keepdim: true }).toArray()).toEqual([[6], [22], [38]]);
    expect(x.mean({ dim: [0, 1], keepdim: true }).shape).toEqual([1, 1]);
    expect(
      x
        .sub(x.mean(0, { keepdim: true }))
        .sum()
        .item(),
    ).toBe(0);
    const out = jl.zeros([4]);
    expect(x.sum(0, { out })).toBe(out);
    expect(out.toArray()).toEqual([12, 15, 18, 21]);
    const column = jl.zeros([3, 3]).T.at(0);
    x.max(1, { out: column });
    expect(column.toArray()).toEqual([3, 7, 11]);
    x.at(0).copy_(x.sum(0));
    expect(x.at(0).toArray()).toEqual([12, 15, 18, 21]);
  });
  test("random shapes, strides and dimensions", () => {
    const shape = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(shape, fc.nat(), fc.nat(), fc.constantFrom(...names), (extents, mask, turn, name) => {
        let x = name === "prod" ? ones(extents) : small(extents);
        if (turn % 2) x = x.transpose(0, -1);
        if (turn % 3 === 0) x = x.slice("::2");
        const dims = x.shape.map((_, d) => d).filter((d) => (mask >> d) & 1);
        if (dims.length > 0) check(name, x, dims);
        check(name, x);
      }),
      { numRuns: 60 },
    );
  });
});

describe("accuracy and determinism", () => {
  test("float32 sums of many are as good as pairwise ones; halves add up in float32", () => {
    const count = 2 ** 22;
    const x = jl.rand([count]);
    const exact = (x.to("float64").data() as Float64Array).reduce((a, b) => a + b, 0);
    expect(Math.abs((x.sum().item() as number) / exact - 1)).toBeLessThan(1e-6);
    expect(
      Math.abs(
        (x
          .reshape(2 ** 11, -1)
          .sum(0)
          .sum()
          .item() as number) /
          exact -
          1,
      ),
    ).toBeLessThan(1e-6);
    expect(jl.full([4096], 1, { dtype: "float16" }).mul(0.1).sum().item()).toBeCloseTo(409.5, 0);
    expect(jl.ones([10_000], { dtype: "bfloat16" }).sum().item()).toBe(9984);
  });
  test("every run gives the same bits", () => {
    const x = jl.randn([1000, 1777]);
    const bits = (t: jl.Tensor) => Buffer.from(t.data().buffer as ArrayBuffer).toString("hex");
    for (const run of [() => x.sum(), () => x.sum(0), () => x.sum(1), () => x.mean(), () => x.prod(1)]) {
      const first = bits(run());
      for (let i = 0; i < 10; i++) expect(bits(run())).toBe(first);
    }
  });
  test("a graph replays reductions in several passes", () => {
    const x = jl.zeros([300_000]);
    const total = jl.graph(() => x.sum());
    x.fill_(1);
    expect(total().item()).toBe(300_000);
    x.fill_(2);
    jl.zeros([300_000]);
    expect(total().item()).toBe(600_000);
    total.dispose();
  });
});

test("dimension 0 of a tensor without any, as in PyTorch", () => {
  const x = jl.tensor(-3);
  const called = {
    sum: x.sum(0),
    mean: x.mean(-1, { keepdim: true }),
    prod: x.prod([0]),
    argmax: x.argmax(0),
    norm: x.norm({ dim: 0 }),
    logsumexp: x.logsumexp(-1),
    softmax: x.softmax(0),
    all: x.lt(0).all(0),
    max: x.max(0, { indices: true }).values,
    compiled: jl.compile((y: jl.Tensor) => y.mul(2).sum(0))(x),
    derivative: jl.grad((y: jl.Tensor) => y.mul(y).sum(0))(x),
  };
  const found = Object.entries(called).map(([name, one]) => [name, one.shape, one.item()]);
  expect(found).toEqual([
    ["sum", [], -3],
    ["mean", [], -3],
    ["prod", [], -3],
    ["argmax", [], 0n],
    ["norm", [], 3],
    ["logsumexp", [], -3],
    ["softmax", [], 1],
    ["all", [], true],
    ["max", [], -3],
    ["compiled", [], -6],
    ["derivative", [], -6],
  ]);
  expect(() => x.sum(1)).toThrow("sum: dimension 1 of a tensor with 0 dimensions.");
  expect(() => x.sum([0, -1])).toThrow("named twice");
});

describe("kernels", () => {
  test("are recorded, found again and explained", () => {
    const x = jl.rand([400_000]);
    x.sum();
    const { launches } = jl.record(() => x.sum());
    expect(launches.map((launch) => [launch.op, launch.origin])).toEqual(
      launches.map(() => ["sum", "memory"]),
    );
    const explained = jl.explain(jl.sum, x);
    expect(explained.map((kernel) => kernel.variant)).toEqual(launches.map((launch) => launch.variant));
    expect(explained[0]?.key).toBe(launches[0]?.key);
    expect(explained[0]?.source).toContain(
      "Accumulator join(Accumulator a, Accumulator b) { return a + b; }",
    );
    expect(jl.explain(jl.max, { device: "cuda", arch: "sm_90" })[0]?.source).toContain(
      "__shared__ Accumulator",
    );
    expect(jl.explain(jl.sum, x.reshape(-1, 8), 0, { device })[0]?.layout).toBe("column");
  });
});

describe("refusals", () => {
  const told = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      return `${(error as jl.JitlabError).code}: ${(error as Error).message}`;
    }
    throw new Error("nothing was refused");
  };
  test("say what happened and what to do", () => {
    const x = jl.zeros([2, 3]);
    expect(told(() => x.sum(2))).toMatchInlineSnapshot(`
      "bad-dimension: sum: dimension 2 of a tensor with 2 dimensions.
      Dimensions run from -2 to 1."
    `);
    expect(told(() => x.sum([0, -2]))).toMatchInlineSnapshot(`
      "bad-dimension: sum: dimension 0 is named twice in [0, -2].
      Name each dimension once."
    `);
    expect(told(() => x.argmax([0, 1]))).toMatchInlineSnapshot(`
      "bad-dimension: argmax: an index along 2 dimensions is not one number.
      Pass one dimension, or none for the index in row-major order."
    `);
    expect(told(() => x.to("int32").mean())).toMatchInlineSnapshot(
      `"dtype-refused: mean does not take int32: the mean of integers is a float; convert with .to("float32") first, or pass { dtype }."`,
    );
    expect(told(() => x.to("complex64").max())).toMatchInlineSnapshot(
      `"dtype-refused: max does not take complex64: complex numbers have no order; reduce abs() instead."`,
    );
    expect(told(() => jl.zeros([0, 3]).min())).toMatchInlineSnapshot(`
      "empty-reduction: min: the shape [0, 3] has no elements along the reduced dimensions.
      Reduce dimensions that have elements; sum, prod, mean, any, all and the like have a result for none."
    `);
    expect(told(() => jl.zeros([3, 0]).argmax(1))).toMatchInlineSnapshot(`
      "empty-reduction: argmax: the shape [3, 0] has no elements along the reduced dimensions.
      Reduce dimensions that have elements; sum, prod, mean, any, all and the like have a result for none."
    `);
    expect(told(() => x.max({ dtype: "int32" }))).toMatchInlineSnapshot(`
      "bad-argument: max takes no dtype.
      Convert the tensor first, for example with x.to("float32")."
    `);
    expect(told(() => x.sum(0, { out: jl.zeros([2]) }))).toMatchInlineSnapshot(`
      "shape-mismatch: sum: the result has shape [3], but the output has shape [2].
      Pass an output of the result's shape, or omit it."
    `);
    expect(told(() => x.sum(0, { out: jl.zeros([3], { dtype: "int32" }) }))).toMatchInlineSnapshot(`
      "output-dtype: sum: the result is float32, but the output is int32.
      Pass an output of dtype float32, or omit it."
    `);
    expect(told(() => jl.sum([1, 2] as never))).toMatchInlineSnapshot(`
      "bad-operand: sum: [1, 2] is not a tensor.
      Make a tensor of an array with jl.tensor(...)."
    `);
    const plain = x as unknown as Record<string, (...args: unknown[]) => jl.Tensor>;
    expect(told(() => plain.max!(x))).toMatchInlineSnapshot(`
      "bad-argument: max: the dimension is a tensor.
      Name a dimension, a list of them, or options. jl.maximum(x, y) takes two tensors."
    `);
    expect(told(() => plain.any!(x))).toMatchInlineSnapshot(`
      "bad-argument: any: the dimension is a tensor.
      Name a dimension, a list of them, or options."
    `);
    expect(told(() => plain.sum!({ axis: 0 }))).toMatchInlineSnapshot(`
      "unknown-option: sum has no option "axis".
      Did you mean "dim"? Its options are dim, keepdim, dtype, out, where."
    `);
    expect(told(() => plain.sum!(0, { keepdims: true }))).toMatchInlineSnapshot(`
      "unknown-option: sum has no option "keepdims".
      Did you mean "keepdim"? Its options are dim, keepdim, dtype, out, where."
    `);
    expect(told(() => plain.sum!(0, { dtyp: "int32" }))).toMatchInlineSnapshot(`
      "unknown-option: sum has no option "dtyp".
      Did you mean "dtype"? Its options are dim, keepdim, dtype, out, where."
    `);
    expect(told(() => plain.sum!(0, true))).toMatchInlineSnapshot(`
      "bad-argument: sum: the options are true.
      Name them, as in { keepdim: true }."
    `);
    expect(told(() => plain.sum!(0, 1))).toMatchInlineSnapshot(`
      "bad-argument: sum: the options are 1.
      Name them, as in { keepdim: true }."
    `);
    expect(told(() => plain.sum!(0, {}, 1))).toMatchInlineSnapshot(`
      "bad-argument: sum: 1 is one argument too many.
      Pass dimensions and then options."
    `);
    expect(told(() => plain.sum!({ dim: 0 }, 1))).toMatchInlineSnapshot(`
      "bad-argument: sum: 1 is one argument too many.
      Pass dimensions and then options."
    `);
    expect(told(() => plain.sum!(0, { dim: 1 }))).toMatchInlineSnapshot(`
      "bad-argument: sum: the dimension is given twice, 0 and 1.
      Pass it once."
    `);
    expect(plain.sum!(undefined, { dim: 0 }).shape).toEqual([3]);
    expect(told(() => x.sum(0.5))).toMatchInlineSnapshot(`
      "bad-dimension: sum: dimension 0.5 of a tensor with 2 dimensions.
      Dimensions run from -2 to 1."
    `);
  });
});
