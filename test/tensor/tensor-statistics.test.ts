// Counts, medians, quantiles and modes against PyTorch's results over dtypes, layouts, sizes and special values.
import { expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { compareWithTorch } from "../support/function-golden.js";

compareWithTorch("counts and quantiles beside PyTorch's", "tensor-statistics");

test("NaN equals nothing, and is the mode only where there is nothing else", () => {
  const nan = Number.NaN;
  const modes = [
    [1, nan, nan, 2, 2],
    [nan, nan, nan, 1, 1],
    [nan, 1, nan],
    [2, nan, 1],
    [nan, nan],
  ].map((row) => {
    const { values, indices } = jl.tensor(row).mode();
    return [values.item(), indices.item()];
  });
  expect(modes).toEqual([
    [2, 4n],
    [1, 4n],
    [1, 1n],
    [1, 2n],
    [nan, 0n],
  ]);
});
