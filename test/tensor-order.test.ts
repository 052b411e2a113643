// Sorting, unique elements and their indexes against PyTorch's results over dtypes, layouts, sizes and special values.
import { describe, expect, test } from "vitest";
import * as jl from "../dist/runtime/index.js";
import { compareWithTorch } from "./support/function-golden.js";

compareWithTorch("order beside PyTorch's", "tensor-order");

describe("a few elements of long rows, which are not sorted as a whole", () => {
  test.each(["float32", "float16", "int32", "int64", "uint8", "float64"] as const)("%s", (dtype) => {
    jl.manualSeed(5);
    const x = jl.randn([2, 20_000]).mul(50).to(dtype);
    const rows = dtype.startsWith("f") ? x.maskedFill(jl.rand([2, 20_000]).lt(0.001), Number.NaN) : x;
    for (const [given, dim] of [
      [rows, 1],
      [rows.T, 0],
      [rows.slice(":, ::-1"), 1],
    ] as const) {
      for (const largest of [true, false]) {
        const { values, indices } = given.topk(300, dim, { largest });
        const sorted = given.sort(dim, { descending: largest });
        expect(indices.toArray()).toEqual(sorted.indices.narrow(dim, 0, 300).toArray());
        expect(values.toArray()).toEqual(sorted.values.narrow(dim, 0, 300).toArray());
      }
    }
  });
});
