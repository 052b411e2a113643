// Whether two views have a common element, against a list of all their bytes; and writes between parts of one tensor.
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { dtypes } from "../../dist/runtime/base/dtype.js";
import { bytesMeet } from "../../dist/runtime/geometry/common-bytes.js";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);

const dim = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -9, max: 9 }));
const view = fc
  .tuple(
    fc.array(dim, { maxLength: 3 }),
    fc.constantFrom(dtypes.int8, dtypes.int16, dtypes.float32, dtypes.complex64),
  )
  .map(([dims, dtype]) => ({ shape: dims.map(([n]) => n), strides: dims.map(([, step]) => step), dtype }));
type Elements = typeof view extends fc.Arbitrary<infer V> ? V : never;

function bytesOf({ shape, strides, dtype }: Elements, start: number): Set<number> {
  let at = [start];
  for (const [d, n] of shape.entries())
    at = at.flatMap((one) =>
      Array.from({ length: n }, (_, i) => one + i * (strides[d] as number) * dtype.bytes),
    );
  return new Set(at.flatMap((one) => Array.from({ length: dtype.bytes }, (_, i) => one + i)));
}

test("views meet where they have a byte in common", () => {
  fc.assert(
    fc.property(view, view, fc.integer({ min: -40, max: 40 }), (a, b, start) => {
      expect(bytesMeet(a, 100, b, 100 + start)).toBe(
        [...bytesOf(b, 100 + start)].some((byte) => bytesOf(a, 100).has(byte)),
      );
    }),
    { numRuns: 3000 },
  );
});

test("parts of the rows of one tensor are written from each other", () => {
  const halves = (x: jl.Tensor) => {
    x.narrow(1, 0, 2).add_(x.narrow(1, 2, 2));
    jl.mul(x.narrow(1, 1, 1), 2, { out: x.narrow(1, 3, 1) });
    return x;
  };
  const want = [
    [2, 4, 2, 8],
    [10, 12, 6, 24],
  ];
  const made = () => jl.arange(8).reshape(2, 4);
  expect(halves(made()).toArray()).toEqual(want);
  expect(jl.compile(halves)(made()).toArray()).toEqual(want);
  const lanes = jl.vmap((row: jl.Tensor) => row.narrow(0, 0, 1).add_(row.narrow(0, 1, 1)));
  expect(lanes(made()).toArray()).toEqual([[1], [9]]);
  expect(() => {
    const x = made();
    x.narrow(1, 0, 3).add_(x.narrow(1, 1, 3));
  }).toThrow("overlaps an input");
});
