// Products of a matrix and a vector: every layout, and extents around those of vector registers and tiles.
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useDevice } from "../support/device.js";

beforeAll(useDevice);

const extents = [1, 2, 7, 15, 16, 17, 31, 33, 63, 64, 65, 130];
const dtypes = ["float32", "float64", "int8", "int64", "float16", "complex64"] as const;

/** Small integers, whose products and sums are exact in every dtype. */
function small(shape: number[], seed: number, dtype: (typeof dtypes)[number]): jl.Tensor {
  const count = shape.reduce((a, b) => a * b, 1);
  const values = Array.from({ length: count }, (_, i) => ((i * 7 + seed * 3 + (i % 5)) % 3) - 1);
  return jl.tensor(values, { dtype }).reshape(shape);
}

/** Elements without the signs of zeros: libraries begin a sum at 0, or at its first product. */
function elements(x: jl.Tensor): unknown {
  return x.add(0).toArray();
}

/** The same product as sums of products. */
const summed = (matrix: jl.Tensor, vector: jl.Tensor) =>
  elements(
    matrix
      .mul(vector.unsqueeze(0) as never)
      .sum(1)
      .to(matrix.dtype.name),
  );

describe.each(dtypes)("products with vectors of %s", (dtype) => {
  test.each(extents)("have the elements of sums with %i rows", (rows) => {
    for (const inner of extents) {
      const w = small([inner], 2, dtype);
      const dense = small([rows, inner], 1, dtype);
      const layouts = {
        dense,
        transposed: small([inner, rows], 1, dtype).T,
        gaps: small([rows, 2 * inner + 3], 4, dtype).slice(`:, :${2 * inner}:2`),
        part: small([rows + 2, inner + 5], 5, dtype).slice(`1:${rows + 1}, 3:${inner + 3}`),
      };
      for (const [name, matrix] of Object.entries(layouts)) {
        const want = summed(matrix, w);
        expect([name, rows, inner, elements(matrix.matmul(w))]).toEqual([name, rows, inner, want]);
        expect([name, rows, inner, elements(w.matmul(matrix.T))]).toEqual([name, rows, inner, want]);
      }
      const strided = small([2 * inner], 6, dtype).slice("::2");
      expect(elements(dense.matmul(strided))).toEqual(summed(dense, strided));
    }
  });

  test("take batches", () => {
    const matrices = small([3, 40, 21], 1, dtype);
    const vectors = small([3, 21, 1], 2, dtype);
    const products = matrices.matmul(vectors);
    for (let i = 0; i < 3; i++) {
      const want = summed(matrices.select(0, i), vectors.select(0, i).reshape(21));
      expect(elements(products.select(0, i).reshape(40))).toEqual(want);
    }
    expect(vectors.transpose(1, 2).matmul(matrices.transpose(1, 2)).shape).toEqual([3, 1, 40]);
  });
});

test("no rows, no inner elements", () => {
  expect(jl.zeros([0, 5]).matmul(jl.ones([5])).shape).toEqual([0]);
  expect(
    jl
      .zeros([3, 0])
      .matmul(jl.ones([0]))
      .toArray(),
  ).toEqual([0, 0, 0]);
});

describe("the number of threads", () => {
  const before = jl.getNumThreads();
  afterAll(() => void jl.setNumThreads(before));

  test("changes no bits, and is what was set", () => {
    const x = jl.randn([3000, 300]);
    const results = [1, 2, 3].map((count) => {
      jl.setNumThreads(count);
      expect(jl.getNumThreads()).toBe(count);
      return [
        x
          .add(1)
          .sum({ dim: [0, 1] })
          .item(),
        x
          .matmul(jl.ones([300]))
          .sum()
          .item(),
        x.T.matmul(jl.ones([3000]))
          .sum()
          .item(),
      ];
    });
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
    expect(jl.setNumThreads(2)).toBe(3);
  });

  test.each([
    ["3", "3"],
    ["0", 'JITLAB_THREADS is "0", which is no number of threads.'],
    ["many", 'JITLAB_THREADS is "many", which is no number of threads.'],
  ])("is that of JITLAB_THREADS=%s", (value, said) => {
    const url = new URL("../../dist/runtime/index.js", import.meta.url).href;
    const code = `import * as jl from ${JSON.stringify(url)};
      try { console.log(jl.getNumThreads()); } catch (error) { console.log(error.what); }`;
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      env: { ...process.env, JITLAB_THREADS: value },
      encoding: "utf8",
    });
    expect(run.stdout.trim()).toBe(said);
  });

  test.each([0, -1, 1.5, Number.NaN, "2", 100_000, undefined])("refuses %j", (count) => {
    expect(() => jl.setNumThreads(count as number)).toThrow(
      /setNumThreads is .* which is no number of threads/,
    );
  });
});
