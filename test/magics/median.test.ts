// The median of measured values.
import { expect, it } from "vitest";
import { median } from "../../dist/runtime/base/units.js";

it.each([
  ["the middle of an odd number of values", [9, 1, 5], 5],
  ["the mean of the middle two of an even number", [10, 1, 4, 2], 3],
  ["the only value", [7], 7],
  ["NaN without values", [], Number.NaN],
])("is %s, in any order", (_, values, expected) => {
  expect(median(values)).toBe(expected);
  expect(median(values.toReversed())).toBe(expected);
});
