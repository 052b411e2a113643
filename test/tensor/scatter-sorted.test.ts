// Writes by index tensors through a sort, as on a GPU for long lanes, against the walk through each lane.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { accumulatorOf, type Joining } from "../../dist/runtime/tensor/indexing/scatter-kernels.js";
import { scatterRows } from "../../dist/runtime/tensor/indexing/scatter-rows.js";
import { scatterSorted } from "../../dist/runtime/tensor/indexing/scatter-sorted.js";
import { windowOf } from "../../dist/runtime/tensor/tensor.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(async () => {
  await useAnyDevice();
  jl.manualSeed(11);
});

const whole = (limit: number, shape: number[]) => jl.rand(shape).mul(limit).floor().to("int64");

describe.each(["assign", "sum", "prod", "amax", "amin"] as const)("%s", (joining: Joining) => {
  test.each(["float32", "int32", "uint8", "float16", "float64", "complex64", "complex128"] as const)(
    "of %s along rows",
    (dtype) => {
      if (dtype.startsWith("complex") && joining.startsWith("am")) return;
      const [rows, length, extent] = [3, 600, 40];
      const source = jl
        .randn([rows, length])
        .mul(joining === "prod" ? 1 : 3)
        .to(dtype);
      const index = whole(extent, [rows, length]);
      const start = jl.ones([extent, rows]).to(dtype);
      const target = start.clone();
      const over = (tensor: jl.Tensor) =>
        windowOf(tensor, { shape: [rows], strides: [tensor.strides[0] as number], offset: 0 });
      // The target lies across its lanes.
      scatterSorted(
        {
          joining,
          accumulator: accumulatorOf(joining, source.dtype),
          lanes: [rows],
          length,
          source: { over: over(source), step: 1 },
          indexes: [{ over: over(index), step: 1, extent, wraps: false }],
        },
        { over: windowOf(target, { shape: [rows], strides: [1], offset: 0 }), strides: [rows] },
      );
      // One after the other, in their order; halves in a type that does not round each of them.
      const exact = dtype === "float16" ? "float32" : dtype;
      const wide = (tensor: jl.Tensor) => tensor.to(exact) as jl.Tensor;
      const wanted =
        joining === "assign"
          ? wide(start).T.scatter(1, index, wide(source))
          : wide(start).T.scatterReduce(1, index, wide(source), joining);
      const close = dtype === "float16" ? { rtol: 1e-3, atol: 0.02 } : { rtol: 1e-4, atol: 1e-4 };
      expect(wide(target).T.allclose(wanted, close)).toBe(true);
    },
  );
});

describe.each(["assign", "sum", "prod", "amax", "amin"] as const)("%s of rows", (joining: Joining) => {
  test.each(["float32", "int32", "uint8", "float16", "float64", "complex64"] as const)(
    "of %s that share an index",
    (dtype) => {
      if (dtype.startsWith("complex") && joining.startsWith("am")) return;
      // Many rows of one target, targets inside a chunk, and one that ends with the last chunk.
      for (const [length, extent] of [
        [640, 3],
        [1000, 40],
        [700, 5000],
        [600, 1],
      ] as const) {
        const lanes = 5;
        const source = jl
          .randn([length, lanes])
          .mul(joining === "prod" ? 1 : 3)
          .to(dtype);
        const index = whole(extent, [length]);
        const start = jl.ones([extent, lanes]).to(dtype);
        const target = start.clone();
        const over = (tensor: jl.Tensor, stride: number) =>
          windowOf(tensor, { shape: [1, lanes], strides: [0, stride], offset: 0 });
        scatterRows(
          {
            joining,
            accumulator: accumulatorOf(joining, source.dtype),
            lanes: [1, lanes],
            length,
            source: { over: over(source, 1), step: lanes },
            indexes: [{ over: over(index, 0), step: 1, extent, wraps: false }],
          },
          { over: over(target, 1), strides: [lanes] },
        );
        const exact = dtype === "float16" ? "float32" : dtype;
        const wide = (tensor: jl.Tensor) => tensor.to(exact) as jl.Tensor;
        const names = index.unsqueeze(1).expand([length, lanes]);
        const wanted =
          joining === "assign"
            ? wide(start).scatter(0, names, wide(source))
            : wide(start).scatterReduce(0, names, wide(source), joining);
        const close =
          dtype === "float16" ? { rtol: 2e-3, atol: 0.05 } : { rtol: 1e-4, atol: 1e-3, equalNan: true };
        expect(wide(target).allclose(wanted, close)).toBe(true);
      }
    },
  );
});

test("rows outside change nothing, and views that step backwards are read in their order", () => {
  const [length, lanes] = [650, 4];
  const index = jl.tensor(BigInt64Array.from({ length }, (_, i) => BigInt((i * 7) % 12) - 3n));
  const source = jl.randint(0, 100, [length, lanes]).to("float32");
  const run = (named: jl.Tensor, rows: jl.Tensor, joining: Joining) => {
    const target = jl.zeros([5, lanes]);
    const over = (tensor: jl.Tensor, stride: number) =>
      windowOf(tensor, { shape: [lanes], strides: [stride], offset: 0 });
    const [step, across] = rows.strides as [number, number];
    scatterRows(
      {
        joining,
        accumulator: accumulatorOf(joining, rows.dtype),
        lanes: [lanes],
        length,
        source: { over: over(rows, across), step },
        indexes: [{ over: over(named, 0), step: named.strides[0] as number, extent: 5, wraps: false }],
      },
      { over: over(target, 1), strides: [lanes] },
    );
    return target;
  };
  const inside = index.lt(5);
  const names = jl.where(inside, index.remainder(5), 0);
  const kept = source.mul(inside.unsqueeze(1));
  const wanted = jl.zeros([5, lanes]).indexAdd(0, names, kept);
  expect(run(index, source, "sum").equal(wanted)).toBe(true);
  expect(run(index.flip(0), source.flip(0), "sum").equal(wanted)).toBe(true);
  const first = [0, 1, 2, 3, 4].map((at) =>
    Number(names.eq(at).logicalAnd(inside).to("int32").argmax().item()),
  );
  expect(run(index.flip(0), source.flip(0), "assign").equal(jl.stack(first.map((at) => source.at(at))))).toBe(
    true,
  );
});

test("what is outside changes nothing, and equal calls give equal bits", () => {
  const index = jl.tensor(BigInt64Array.from({ length: 700 }, (_, i) => BigInt((i * 7) % 12) - 3n));
  const source = jl.randn([700]);
  const run = () => {
    const target = jl.zeros([5]);
    const lane = (tensor: jl.Tensor) => windowOf(tensor, { shape: [1], strides: [0], offset: 0 });
    scatterSorted(
      {
        joining: "sum",
        accumulator: source.dtype,
        lanes: [1],
        length: 700,
        source: { over: lane(source), step: 1 },
        indexes: [{ over: lane(index), step: 1, extent: 5, wraps: false }],
      },
      { over: lane(target), strides: [1] },
    );
    return target;
  };
  const values = source.toArray() as number[];
  const sums = new Array(5).fill(0);
  values.forEach((value, i) => {
    const at = ((i * 7) % 12) - 3;
    if (at < 5) sums[at < 0 ? at + 5 : at] += value;
  });
  const got = run();
  for (const [i, sum] of (got.toArray() as number[]).entries()) expect(sum).toBeCloseTo(sums[i], 3);
  expect(run().data()).toEqual(got.data());
});

test("the library's own calls agree with it on every device", () => {
  const [index, source] = [whole(50, [5000]), jl.randn([5000, 3])];
  const added = jl.zeros([50, 3]).indexAdd(0, index, source);
  const wanted = jl.zeros([50, 3], { dtype: "float64" }).indexAdd(0, index, source.to("float64"));
  expect(added.to("float64").allclose(wanted, { atol: 1e-3 })).toBe(true);
  const counts = index.bincount({ weights: source.select(1, 0) });
  expect(counts.to("float64").allclose(wanted.select(1, 0), { atol: 1e-3 })).toBe(true);
});
