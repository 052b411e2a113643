// Sorting, unique elements and their indexes against PyTorch's results over dtypes, layouts, sizes and special values.
import { describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { compareWithTorch } from "../support/function-golden.js";

compareWithTorch("order beside PyTorch's", "tensor-order", useAnyDevice);

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

describe("unique elements of many integers, whose keys are sorted alone", () => {
  test.each(["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"] as const)(
    "%s",
    (dtype) => {
      jl.manualSeed(6);
      const signed = dtype.startsWith("i");
      const wide = dtype.endsWith("64")
        ? 2 ** 40
        : dtype.endsWith("32")
          ? 2 ** 20
          : dtype.endsWith("16")
            ? 40
            : 1;
      const x = jl
        .randint(signed ? -100 : 0, 100, [2, 9000], { dtype: "int64" })
        .mul(wide)
        .to(dtype);
      // Also of one value, and of a range of more than 32 bits.
      const far = dtype.endsWith("64") ? x.mul(2 ** 20) : x;
      for (const given of [x, x.T, x.slice(":, ::-1"), x.mul(0), far]) {
        const all = given.contiguous().view(-1).toArray() as readonly (number | bigint)[];
        const wanted = [...new Set(all)].sort((a, b) => (a < b ? -1 : 1));
        expect(given.unique().toArray()).toEqual(wanted);
        const { values, counts, inverse } = given.unique({ returnCounts: true, returnInverse: true });
        expect(values.toArray()).toEqual(wanted);
        expect(given.unique({ returnCounts: true }).counts?.equal(counts as jl.Tensor)).toBe(true);
        expect(values.at(inverse as jl.Tensor).equal(given)).toBe(true);
      }
    },
  );
});
