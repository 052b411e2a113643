// Products of matrices as a device's library multiplies them, or the compiled kernel where there is none: every way in which
// factors can lie in memory, beside sums in plain loops.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, useDevice } from "../support/device.js";

beforeAll(() => {
  useDevice();
  jl.manualSeed(3);
});

type Pair = { re: number; im: number };
const pairOf = (value: number | bigint | boolean | Pair): Pair =>
  typeof value === "object" ? value : { re: Number(value), im: 0 };

/** The products of two batches by their definition. */
function defined(left: jl.Tensor, right: jl.Tensor): Pair[][][] {
  const [a, b] = [left, right].map((factor) => factor.toArray() as never as Pair[][][]);
  return a!.map((rows, n) =>
    rows.map((row) =>
      Array.from({ length: right.shape[2]! }, (_, c) =>
        row.reduce(
          (sum, value, k) => {
            const [x, y] = [pairOf(value), pairOf(b![n]![k]![c]!)];
            return { re: sum.re + x.re * y.re - x.im * y.im, im: sum.im + x.re * y.im + x.im * y.re };
          },
          { re: 0, im: 0 },
        ),
      ),
    ),
  );
}

/** The largest difference from the definition, in parts of what sums of these lengths may lose. */
function errorOf(left: jl.Tensor, right: jl.Tensor): number {
  const product = left.matmul(right);
  const wanted = defined(left, right).flat(2);
  const got = (product.reshape(-1).toArray() as never as Pair[]).map(pairOf);
  expect(got).toHaveLength(wanted.length);
  return Math.max(0, ...got.map(({ re, im }, i) => Math.hypot(re - wanted[i]!.re, im - wanted[i]!.im)));
}

type Make = (shape: readonly number[]) => jl.Tensor;
const layouts: Record<string, (make: Make, batch: number, rows: number, columns: number) => jl.Tensor> = {
  contiguous: (make, b, r, c) => make([b, r, c]),
  transposed: (make, b, r, c) => make([b, c, r]).transpose(1, 2),
  "rows apart": (make, b, r, c) => make([b, r, c + 3]).narrow(2, 0, c),
  "at an odd place": (make, b, r, c) => make([b, r, c + 1]).narrow(2, 1, c),
  "columns apart": (make, b, r, c) => make([b, r, 2 * c]).slice(":, :, ::2"),
  backwards: (make, b, r, c) => make([b, r, c]).slice(":, ::-1, ::-1"),
  "one for all": (make, b, r, c) => make([1, r, c]).expand([b, r, c]),
  "one row for all": (make, b, r, c) => make([b, 1, c]).expand([b, r, c]),
};

// The dtypes, and how far sums of a few products may be from their definition.
const bounds = {
  float16: 0.05,
  bfloat16: 0.4,
  float32: 1e-4,
  float64: 1e-12,
  complex64: 1e-4,
  complex128: 1e-12,
  int32: 0,
} as const;

describe.each(Object.keys(bounds) as (keyof typeof bounds)[])("%s", (dtype) => {
  const make: Make = (shape) =>
    jl
      .randn([...shape])
      .mul(2)
      .to(dtype);
  test.each(Object.keys(layouts))("a left factor %s", (name) => {
    expect(errorOf(layouts[name]!(make, 3, 7, 9), make([3, 9, 5]))).toBeLessThanOrEqual(bounds[dtype]);
  });
  test.each(Object.keys(layouts))("a right factor %s", (name) => {
    expect(errorOf(make([3, 7, 9]), layouts[name]!(make, 3, 9, 5))).toBeLessThanOrEqual(bounds[dtype]);
  });
  test.each([
    [1, 1, 1],
    [1, 9, 1],
    [6, 1, 1],
    [1, 1, 6],
    [5, 1, 7],
    [1, 8, 7],
    [7, 8, 1],
    [65, 130, 33],
  ])("rows, inner and columns %i, %i, %i", (rows, inner, columns) => {
    const each = (r: number, c: number) =>
      ["contiguous", "transposed", "columns apart"].map((name) => layouts[name]!(make, 2, r, c));
    for (const left of each(rows, inner))
      for (const right of each(inner, columns)) {
        expect(errorOf(left, right)).toBeLessThanOrEqual(5 * bounds[dtype]);
      }
  });
});

test("an inner extent of 0 gives zeros, and equal calls give equal bits", () => {
  expect(
    jl
      .ones([2, 0])
      .matmul(jl.ones([0, 3]))
      .toArray(),
  ).toEqual([
    [0, 0, 0],
    [0, 0, 0],
  ]);
  expect(jl.ones([0, 2]).matmul(jl.ones([2, 3])).shape).toEqual([0, 3]);
  const [x, y] = [jl.randn([300, 500]), jl.randn([500, 200])];
  expect(x.matmul(y).data()).toEqual(x.matmul(y).data());
});

test.each(["float32", "float64", "bfloat16"] as const)("many rows by a small matrix of %s", (dtype) => {
  for (const [rows, inner, columns] of [
    [8192, 20, 40],
    [8195, 3, 5],
  ] as const) {
    // Whole numbers, so that the order of the additions does not show.
    const whole = (shape: number[]) => jl.randint(-4, 5, shape).to(dtype);
    const left = whole([2, inner, rows]).mT;
    const right = whole([columns, inner]).T;
    const product = left.matmul(right);
    const wanted = left.to("float64").unsqueeze(-1).mul(right.to("float64")).sum(-2);
    expect(product.dtype.name).toBe(dtype);
    expect(product.to("float64").equal(wanted)).toBe(true);
    expect(left.matmul(right).equal(product)).toBe(true);
    // Evenly spaced rows of a batch are one factor.
    expect(left.contiguous().matmul(right).equal(product)).toBe(true);
  }
});

test.skipIf(device !== "cpu").each(["float32", "float64", "complex64", "complex128"] as const)(
  "a batch of %s has the bits of its products on any number of threads",
  (dtype) => {
    const make: Make = (shape) => jl.randn([...shape]).to(dtype);
    const left = layouts.transposed!(make, 9, 70, 90);
    const right = layouts["rows apart"]!(make, 9, 90, 65);
    const before = jl.setNumThreads(1);
    try {
      const alone = jl.stack(
        Array.from({ length: 9 }, (_, n) => left.select(0, n).matmul(right.select(0, n))),
      );
      for (const count of [1, 2, 5, 20]) {
        jl.setNumThreads(count);
        expect(left.matmul(right).data()).toEqual(alone.data());
      }
    } finally {
      jl.setNumThreads(before);
    }
  },
);

test("NaN and infinity reach the elements that they belong to, and memory that held NaN does not", () => {
  for (const columns of [1, 4]) {
    const left = jl.eye(3).mul(2);
    left.set("1, 2", Number.NaN);
    jl.full([3, columns], Number.NaN).dispose();
    const product = left.matmul(jl.ones([3, columns])).toArray() as number[][];
    expect(product[0]).toEqual(new Array(columns).fill(2));
    expect(product[1]).toEqual(new Array(columns).fill(Number.NaN));
  }
});

test.each([0, 1, 2, 3, 0.5, Number.POSITIVE_INFINITY])("distances of rows, p = %s", (p) => {
  for (const [rows, columns] of [
    [4, 3],
    [40, 30],
  ] as const) {
    const [x, y] = [jl.randn([2, rows, 5]), jl.randn([5, columns]).T];
    const gaps = x.unsqueeze(2).sub(y.unsqueeze(0)).abs().to("float64");
    const sums = { 0: gaps.ne(0).sum(-1), 1: gaps.sum(-1), Infinity: gaps.max(-1) } as Record<
      number,
      jl.Tensor
    >;
    const wanted =
      sums[p] ??
      gaps
        .pow(p)
        .sum(-1)
        .pow(1 / p);
    expect(x.cdist(y, p).shape).toEqual([2, rows, columns]);
    expect(x.cdist(y, p).to("float64").allclose(wanted.to("float64"), { rtol: 1e-3, atol: 2e-3 })).toBe(true);
  }
});

test("distances refuse what does not fit", () => {
  const x = jl.ones([2, 3]);
  expect(() => x.cdist(jl.ones([2, 4]))).toThrow(/cdist: the shapes \[2, 3\] and \[2, 4\] do not fit/);
  expect(() => x.cdist(x.to("int32") as never)).toThrow(/cdist does not take float32 and int32/);
  expect(() => x.cdist(x, -1)).toThrow(/cdist: p is -1/);
  expect(x.cdist(jl.ones([0, 3])).shape).toEqual([2, 0]);
  expect(
    jl
      .ones([2, 0])
      .cdist(jl.ones([3, 0]))
      .toArray(),
  ).toEqual([
    [0, 0, 0],
    [0, 0, 0],
  ]);
});

test("a graph replays products, and a recording names them", () => {
  const [x, out] = [jl.ones([4, 4]), jl.zeros([4, 4])];
  x.matmul(x);
  const step = jl.graph(() => out.copy_(x.matmul(x)));
  x.fill_(2);
  step();
  expect(out.toArray()).toEqual(Array.from({ length: 4 }, () => [16, 16, 16, 16]));
  step.dispose();
  const { launches } = jl.record(() => x.matmul(x));
  expect(launches.map(({ op }) => op)).toContainEqual(expect.stringMatching(/^matmul/));
});

test("a compiled function takes a product as a step", () => {
  const step = jl.compile((x: jl.Tensor, y: jl.Tensor) => x.mul(2).matmul(y).add(1).relu());
  const [x, y] = [jl.randn([5, 6]), jl.randn([6, 3])];
  expect(step(x, y).data()).toEqual(x.mul(2).matmul(y).add(1).relu().data());
});

// A program of its own: it opens a library that says nothing to this process.
const program = `const jl = await import(${JSON.stringify(new URL("../../dist/runtime/index.js", import.meta.url).href)});
jl.setDevice("cpu");
const x = jl.tensor([[1, 2], [3, 4]]);
console.log(JSON.stringify([x.matmul(x).toArray(), x.matmul(x).toArray(), jl.timings().map(({ op }) => op)]));`;

function multiplies(content: string | undefined) {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-blas-"));
  try {
    mkdirSync(join(folder, "lib"));
    if (content !== undefined) writeFileSync(join(folder, "lib", "libopenblas.so.0"), content);
    const env = { ...process.env, LD_LIBRARY_PATH: join(folder, "lib") };
    const arguments_ = ["--input-type=module", "-e", program];
    const { stdout, stderr } = spawnSync(process.execPath, arguments_, { encoding: "utf8", env });
    return { ...JSON.parse(stdout.replace(/^(.*)$/s, '{"result":$1}')), stderr } as {
      result: [number[][], number[][], string[]];
      stderr: string;
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test.skipIf(device !== "cpu")("a damaged BLAS is told once, and the compiled kernel multiplies", () => {
  const { result, stderr } = multiplies("no library");
  const squares = [
    [7, 10],
    [15, 22],
  ];
  expect(result.slice(0, 2)).toEqual([squares, squares]);
  expect(stderr.match(/The BLAS .*libopenblas\.so\.0 cannot be loaded/g)).toHaveLength(1);
  expect(stderr).toContain("compiled kernels");
});
