// The width of a GPU's accesses to rows: it divides the rows' length and the distance between them.
import { expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { requestsOnGpu } from "../support/gpu-text.js";

test.each([
  [8, 16, "strided2x8"],
  [8, 12, "strided2x4"],
  [8, 10, "strided2x2"],
  [4, 6, "strided2x2"],
  [8, 9, "strided2"],
  [7, 16, "strided2"],
  [8, 8, "contiguous"],
])("rows of %i elements, %i apart", (length, distance, variant) => {
  const x = jl.zeros([4, distance], { device: "cpu" }).narrow(1, 0, length);
  expect(requestsOnGpu(() => void x.add(x)).map((request) => request.variant)).toEqual([variant]);
});
