// Convolutions that the processor computes without copies of windows: the result and both gradients beside their definition, in whole
// numbers, whose sums are exact in any order.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, useDevice } from "../support/device.js";

beforeAll(() => {
  useDevice();
  jl.manualSeed(7);
});

interface Form {
  readonly x: readonly [batch: number, channels: number, rows: number, columns: number];
  readonly weight: readonly [outer: number, channels: number, rows: number, columns: number];
  readonly padding?: readonly [number, number];
  readonly dilation?: readonly [number, number];
}

const forms: Readonly<Record<string, Form>> = {
  "margins all around": { x: [2, 3, 8, 8], weight: [4, 3, 3, 3], padding: [1, 1] },
  "no margins": { x: [2, 4, 9, 18], weight: [8, 4, 3, 3] },
  "rows that are no whole vectors": { x: [2, 5, 9, 13], weight: [7, 5, 3, 3], padding: [1, 1] },
  "rows shorter than a vector": { x: [3, 4, 7, 7], weight: [5, 4, 3, 3], padding: [1, 1] },
  "windows with gaps": { x: [1, 4, 12, 14], weight: [9, 4, 3, 3], padding: [2, 1], dilation: [2, 3] },
  "long windows": { x: [2, 8, 6, 30], weight: [8, 8, 1, 7], padding: [0, 3] },
  "many rows of a window": { x: [1, 4, 8, 16], weight: [6, 4, 5, 4], padding: [2, 1] },
  "an image larger than a cache": { x: [1, 3, 90, 300], weight: [4, 3, 3, 2], padding: [1, 0] },
};

/** The sum of shifted products. */
function defined(x: jl.Tensor, weight: jl.Tensor, { padding, dilation }: Form): jl.Tensor {
  const [down, across] = padding ?? [0, 0];
  const [apartRows, apartColumns] = dilation ?? [1, 1];
  const [, , rows, columns] = weight.shape as [number, number, number, number];
  const padded = x.pad([across, across, down, down]);
  const outRows = padded.shape[2]! - apartRows * (rows - 1);
  const outColumns = padded.shape[3]! - apartColumns * (columns - 1);
  const parts = Array.from({ length: rows * columns }, (_, tap) => {
    const [i, j] = [Math.floor(tap / columns), tap % columns];
    const view = padded.narrow(2, i * apartRows, outRows).narrow(3, j * apartColumns, outColumns);
    const factor = weight.select(3, j).select(2, i).unsqueeze(-1).unsqueeze(-1);
    return view.unsqueeze(1).mul(factor).sum(2);
  });
  return parts.reduce((sum, part) => sum.add(part));
}

const whole = (shape: readonly number[], dtype: "float32" | "float64") =>
  jl.randint(-4, 5, [...shape]).to(dtype) as jl.Tensor;

const optionsOf = ({ padding = [0, 0], dilation = [1, 1] }: Form) => ({ padding, dilation });

describe.skipIf(device !== "cpu").each(["float32", "float64"] as const)(
  "%s (needs the device cpu)",
  (dtype) => {
    test.each(Object.entries(forms))("%s", (_, form) => {
      const [x, weight] = [whole(form.x, dtype), whole(form.weight, dtype)];
      const wanted = jl.vjp((a, b) => defined(a, b, form), x, weight);
      const convolve = (a: jl.Tensor, b: jl.Tensor) => jl.conv2d(a, b, optionsOf(form));
      const g = whole(wanted.value.shape, dtype);
      const gradients = wanted.pull(g);
      const before = jl.setNumThreads(1);
      try {
        for (const threads of [1, 3]) {
          jl.setNumThreads(threads);
          const { value, pull } = jl.vjp(convolve, x, weight);
          expect(value.equal(wanted.value)).toBe(true);
          for (const [i, gradient] of pull(g).entries()) expect(gradient.equal(gradients[i]!)).toBe(true);
        }
      } finally {
        jl.setNumThreads(before);
      }
      const ways = jl.timings().filter(({ op, dtypes }) => op === "conv2d" && dtypes.includes(dtype));
      expect(ways.some(({ variant }) => variant === "jitlab")).toBe(true);
    });

    test("numbers that are not whole give equal bits on any number of threads, also compiled", () => {
      const [x, weight] = [
        jl.randn([5, 6, 20, 22]).to(dtype) as jl.Tensor,
        jl.randn([9, 6, 3, 3]).to(dtype) as jl.Tensor,
      ];
      const loss = (a: jl.Tensor, b: jl.Tensor) => jl.conv2d(a, b, { padding: 1 }).square().sum();
      const both = (a: jl.Tensor, b: jl.Tensor) => jl.grad(loss, { argnums: [0, 1] })(a, b);
      const bitsOf = (list: readonly jl.Tensor[]) => list.map((one) => one.data());
      const before = jl.setNumThreads(1);
      try {
        const alone = bitsOf(both(x, weight));
        const compiled = jl.compile(both);
        for (const threads of [1, 2, 7]) {
          jl.setNumThreads(threads);
          expect(bitsOf(both(x, weight))).toEqual(alone);
          expect(bitsOf(compiled(x, weight))).toEqual(alone);
        }
      } finally {
        jl.setNumThreads(before);
      }
    });

    test("infinity and NaN stay where windows see them", () => {
      const x = whole([1, 4, 6, 13], dtype);
      x.at(0, 1, 0, 0).fill_(Number.POSITIVE_INFINITY);
      x.at(0, 2, 5, 12).fill_(Number.NaN);
      const weight = jl.ones([4, 4, 3, 3], { dtype });
      const { value, pull } = jl.vjp((a, b) => jl.conv2d(a, b, { padding: 1 }), x, weight);
      const wanted = jl.vjp((a, b) => defined(a, b, { ...forms["margins all around"]! }), x, weight);
      const places = (one: jl.Tensor) => one.isfinite().data();
      expect(places(value)).toEqual(places(wanted.value));
      const g = jl.ones(value.shape, { dtype });
      const gradients = wanted.pull(g);
      for (const [i, gradient] of pull(g).entries()) expect(places(gradient)).toEqual(places(gradients[i]!));
    });
  },
);
