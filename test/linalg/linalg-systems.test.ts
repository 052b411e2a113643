// Ten thousand random small systems: their residuals in every way of computing, and the same matrices near singular ones.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { computeBy, ways } from "../support/linalg.js";
import { randomSource } from "../support/random.js";
import { epsilonOf } from "../support/written.js";

beforeAll(useAnyDevice);

const dtypes = ["float32", "float64", "complex64", "complex128"] as const;
const batch = 250;
const extents = [1, 2, 3, 4, 5, 6, 7, 8, 11, 16];

/** `|A x - b| / (|A| |x|)` of each system, in the largest norm, from the elements as numbers or pairs. */
function residuals(a: jl.Tensor, x: jl.Tensor, b: jl.Tensor): number[] {
  const width = a.dtype.kind === "complex" ? 2 : 1;
  const n = a.shape.at(-1) as number;
  const [A, X, B] = [a, x, b].map((one) => one.data()) as [Float64Array, Float64Array, Float64Array];
  const part = (data: Float64Array, at: number) =>
    [data[width * at]!, width === 2 ? data[width * at + 1]! : 0] as const;
  return Array.from({ length: batch }, (_, k) => {
    let [worst, sizeA, sizeX] = [0, 0, 0];
    for (let row = 0; row < n; row++) {
      let [re, im] = part(B, k * n + row).map((number) => -number) as [number, number];
      let sum = 0;
      for (let column = 0; column < n; column++) {
        const [p, q] = part(A, (k * n + row) * n + column);
        const [r, s] = part(X, k * n + column);
        re += p * r - q * s;
        im += p * s + q * r;
        sum += Math.hypot(p, q);
      }
      worst = Math.max(worst, Math.hypot(re, im));
      sizeA = Math.max(sizeA, sum);
      sizeX = Math.max(sizeX, Math.hypot(...part(X, k * n + row)));
    }
    return worst / (sizeA * sizeX);
  });
}

describe.each(dtypes)("%s", (dtype) => {
  test.each(extents)("systems of extent %i", (n) => {
    const random = randomSource(n);
    const width = dtype.startsWith("complex") ? 2 : 1;
    const make = (count: number) => {
      const numbers = Array.from({ length: count * width }, () => random.below(2 ** 24) / 2 ** 23 - 1);
      const Type = dtype === "float32" || dtype === "complex64" ? Float32Array : Float64Array;
      return jl.tensor(Type.from(numbers));
    };
    const shaped = (flat: jl.Tensor, shape: number[]) =>
      (width === 2 ? jl.complex(flat.slice("::2"), flat.slice("1::2")) : flat).reshape(shape);
    const a = shaped(make(batch * n * n), [batch, n, n]);
    // Every second matrix is nearly singular: its last row is almost its first one.
    const apart = shaped(make((batch / 2) * n), [batch / 2, n]).mul(1e4 * epsilonOf(dtype));
    if (n > 1) a.slice(`::2, ${n - 1}`).copy_(a.slice("::2, 0").add(apart));
    const b = shaped(make(batch * n), [batch, n]);
    for (const way of ways()) {
      computeBy(way);
      const worst = Math.max(...residuals(a, jl.linalg.solve(a, b), b));
      expect(worst, way).toBeLessThanOrEqual((n + 1) * epsilonOf(dtype));
    }
  });
});
