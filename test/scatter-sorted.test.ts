// Writes by index tensors through a sort, as on a GPU for long lanes, against the walk through each lane.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../dist/runtime/index.js";
import type { Joining } from "../dist/runtime/tensor/scatter-kernels.js";
import { scatterSorted } from "../dist/runtime/tensor/scatter-sorted.js";
import { windowOf } from "../dist/runtime/tensor/tensor.js";
import { useDevice } from "./support/device.js";

beforeAll(() => {
  useDevice();
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
        joining,
        [rows],
        length,
        windowOf(target, { shape: [rows], strides: [1], offset: 0 }),
        { over: over(source), step: 1 },
        [{ over: over(index), step: 1, extent, stride: rows }],
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

test("what is outside changes nothing, and equal calls give equal bits", () => {
  const index = jl.tensor(BigInt64Array.from({ length: 700 }, (_, i) => BigInt((i * 7) % 12) - 3n));
  const source = jl.randn([700]);
  const run = () => {
    const target = jl.zeros([5]);
    const lane = (tensor: jl.Tensor) => windowOf(tensor, { shape: [1], strides: [0], offset: 0 });
    scatterSorted("sum", [1], 700, lane(target), { over: lane(source), step: 1 }, [
      { over: lane(index), step: 1, extent: 5, stride: 1 },
    ]);
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
