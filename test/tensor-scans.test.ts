// Scans against PyTorch's results over dtypes, layouts, sizes and special values.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../dist/runtime/index.js";
import { device, useDevice } from "./support/device.js";
import { compareWithTorch } from "./support/function-golden.js";

compareWithTorch("scans beside PyTorch's", "tensor-scans");

describe("a scan in a compiled function has the maps before it in its kernel", () => {
  beforeAll(useDevice);
  type Body = (x: jl.Tensor, row: jl.Tensor) => jl.Tensor;
  const cases: readonly (readonly [string, Body, readonly number[], string])[] = [
    ["rows", (x, row) => x.sin().mul(row).cumsum(1), [20, 33], "fused_sin_mul_cumsum_results"],
    ["columns", (x, row) => x.mul(row).add(1).cumsum(0), [20, 33], "fused_mul_add_cumsum_results"],
    ["converted elements", (x) => x.mul(10).to("int32").cumprod(1), [3, 8], "fused_mul_copy_cumprod_results"],
    ["two results", (x) => x.neg().cummax(1).indices, [4, 70], "fused_neg_cummax_results"],
    ["what is used again", (x) => x.mul(2).cumsum(1).div(x.mul(2)), [4, 70], "fused_mul_cumsum_results"],
    ["long rows", (x, row) => x.mul(row).add(1).cumsum(1), [2, 9000], "fused_mul_add_cumsum_results"],
  ];
  test.each(cases)("%s", (_, body, shape, kernel) => {
    const x = jl
      .arange(shape[0] as number)
      .view(-1, 1)
      .add(jl.arange(shape[1] as number).mul(0.37))
      .sin();
    const row = x.select(0, 0).add(2);
    const bits = (y: jl.Tensor) => [y.dtype.name, y.shape, y.strides, ...y.data()];
    const want = bits(body(x, row));
    const compiled = jl.compile(body);
    expect(bits(compiled(x, row))).toEqual(want);
    let again: jl.Tensor | undefined;
    const { launches } = jl.record(() => {
      again = compiled(x, row);
    });
    expect(bits(again as jl.Tensor)).toEqual(want);
    const names = launches.map(({ op }) => op.replace(/_block\d+/, ""));
    expect(names).toContain(kernel);
    expect(compiled.report()).toMatchObject({ calls: 2, hits: 1, misses: [] });
  });

  test.skipIf(device !== "cpu")("unless computing the elements twice costs more than storing them", () => {
    const compiled = jl.compile((x: jl.Tensor) => x.sin().cumsum(0));
    const x = jl.arange(9000).mul(0.37);
    expect(compiled(x).data()).toEqual(x.sin().cumsum(0).data());
    const { launches } = jl.record(() => compiled(x));
    expect(launches.map(({ op }) => op)[0]).toBe("sin");
  });
});
