// The order of reductions (docs/reductions.md), bit for bit: against a plain program of it, and the same for views that lie
// elsewhere in memory.
import { beforeAll, describe, expect, test } from "vitest";
import type { ReduceKind } from "../../dist/runtime/codegen/reductions/reduction-order.js";
import * as jl from "../../dist/runtime/index.js";
import { device, useAnyDevice } from "../support/device.js";
import { elementBits } from "../support/element-bits.js";
import { sumInOrder } from "../support/sum-in-order.js";

beforeAll(useAnyDevice);

const grid = device.startsWith("cuda");

const orderedSum = (values: readonly number[], kind: ReduceKind) => sumInOrder(values, kind, grid);

/** Values whose sums are inexact, of many sizes. */
const waves = (shape: number[], dtype: jl.DTypeName = "float32"): jl.Tensor => {
  const count = shape.reduce((product, extent) => product * extent, 1);
  const values = Float64Array.from({ length: count }, (_, i) => Math.sin(i * 12.9898) * 2 ** (i % 7));
  return jl
    .tensor(values)
    .to(dtype)
    .reshape(...shape);
};

/** The same tensor one element further in memory, with rows at an odd distance. */
function moved(x: jl.Tensor): jl.Tensor {
  const padded = jl.zeros(
    x.shape.map((extent, d) => extent + (d === x.ndim - 1 ? 1 + (extent % 2) : 0)),
    { dtype: x.dtype.name },
  );
  const room = jl.cat([jl.zeros([1], { dtype: x.dtype.name }), padded.reshape(-1)]);
  const view = room
    .narrow(0, 1, room.size - 1)
    .view(...padded.shape)
    .narrow(-1, 0, x.shape.at(-1) as number);
  view.copy_(x);
  return view;
}

// Around the borders of the tables, and beyond one part.
const lengths = [
  0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 33, 63, 64, 65, 100, 127, 129, 1000, 1023, 1024, 1025, 2047, 4097,
];
const long = [8191, 8192, 8193, 20_001, 300_007];
const columns = [1, 2, 3, 16, 17, 32, 255, 256, 257, 512, 513, 1025, 5000];

const rowsOf = (x: jl.Tensor): number[][] => x.to("float32").toArray() as number[][];

describe("float32 sums have the bits of the order", () => {
  const sumsOf = (rows: readonly number[][], kind: ReduceKind): number[] =>
    rows.map((row) => orderedSum(row, kind));
  test("of one row", () => {
    for (const n of [...lengths, ...long]) {
      const x = waves([n]);
      expect(x.sum().item(), `${n}`).toBe(orderedSum(x.toArray() as number[], "row"));
      if (n > 0) expect(moved(x).sum().item(), `${n}, moved`).toBe(x.sum().item());
    }
  });
  test("of several rows, at any distance", () => {
    for (const n of lengths.slice(1)) {
      const x = waves([5, n]);
      const expected = sumsOf(rowsOf(x), "row");
      expect(x.sum(1).toArray(), `${n}`).toEqual(expected);
      expect(moved(x).sum(1).toArray(), `${n}, moved`).toEqual(expected);
      const spread = jl.zeros([5, n, 3]).select(2, 1).copy_(x);
      expect(spread.sum(1).toArray(), `${n}, spread`).toEqual(expected);
    }
  });
  test("of columns", () => {
    for (const n of columns) {
      const x = waves([n, 70]);
      const expected = sumsOf(rowsOf(x.T), n === 1 ? "row" : "column");
      expect(x.sum(0).toArray(), `${n}`).toEqual(expected);
      expect(moved(x).sum(0).toArray(), `${n}, moved`).toEqual(expected);
    }
  });
  test("of dimensions that do not adjoin", () => {
    const x = waves([9, 11, 300]);
    const rows = rowsOf(x.permute(1, 0, 2).reshape(11, 2700));
    expect(x.sum([0, 2]).toArray()).toEqual(sumsOf(rows, "row"));
    expect(moved(x).sum([0, 2]).toArray()).toEqual(sumsOf(rows, "row"));
  });
  test("of halves, and of what is converted first", () => {
    for (const n of [13, 300, 4097]) {
      const x = waves([3, n], "bfloat16");
      const sums = sumsOf(rowsOf(x), "row");
      expect(x.sum(1, { dtype: "float32" }).toArray()).toEqual(sums);
      expect(x.sum(1).toArray()).toEqual(jl.tensor(sums).to("bfloat16").toArray());
      const whole = waves([3, n]).mul(1e6).to("int32");
      expect(whole.sum(1, { dtype: "float32" }).toArray()).toEqual(sumsOf(rowsOf(whole), "row"));
    }
  });
});

describe("bits do not depend on where a view lies", () => {
  const names = ["sum", "prod", "mean", "min", "max", "any", "all", "argmin", "argmax"] as const;
  // On processors every dtype has the same loads; each kernel takes the compiler long.
  const dtypes: jl.DTypeName[] = grid
    ? (Object.keys(jl.dtypes) as jl.DTypeName[])
    : ["float32", "float16", "complex64"];
  test.each(dtypes)("%s", { timeout: 120_000 }, (dtype) => {
    for (const name of names) {
      for (const shape of grid
        ? [
            [3, 7],
            [3, 60],
            [3, 999],
            [2, 5000],
            [1, 70_001],
            [600, 40],
          ]
        : [
            [3, 999],
            [600, 40],
          ]) {
        const x = waves(shape, dtype);
        for (const dim of shape[0] === 600 ? [0] : [1]) {
          let near: jl.Tensor;
          try {
            near = jl[name](x, dim);
          } catch (error) {
            expect((error as jl.JitlabError).code, `${name} of ${dtype}`).toBe("dtype-refused");
            continue;
          }
          const far = jl[name](moved(x), dim);
          expect(elementBits(far), `${name} of ${dtype} [${shape}]`).toEqual(elementBits(near));
        }
      }
    }
  });
});
