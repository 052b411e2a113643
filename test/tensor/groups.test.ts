// jl.groupBy beside loops over the rows.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { randomSource } from "../support/random.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

const random = randomSource(9);
const rows = 700;
const keys = Array.from({ length: rows }, () => [-3, 0.5, 2, 7][random.below(4)] as number);
const values = Array.from({ length: rows }, () => random.below(2000) / 8 - 100);
const distinct = [...new Set(keys)].sort((a, b) => a - b);
const rowsOf = (key: number) =>
  values.filter((_, i) => keys[i] === key).sort((a, b) => a - b) as [number, ...number[]];
const total = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0);

/** Interpolated between two rows, as NumPy's and pandas' default. */
function quantileOf(list: readonly number[], q: number): number {
  const at = q * (list.length - 1);
  const [low, high] = [list[Math.floor(at)]!, list[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}

const groups = () => jl.groupBy(jl.tensor(keys, { dtype: "float64" }));
const column = () => jl.tensor(values, { dtype: "float64" });

describe("each statistic of four groups", () => {
  test.each<[string, () => jl.Tensor, (list: [number, ...number[]]) => number]>([
    ["sum", () => groups().sum(column()), total],
    ["mean", () => groups().mean(column()), (list) => total(list) / list.length],
    ["min", () => groups().min(column()), (list) => list[0]],
    ["max", () => groups().max(column()), (list) => list.at(-1)!],
    ["count", () => groups().count(), (list) => list.length],
    ["median", () => groups().median(column()), (list) => quantileOf(list, 0.5)],
    ["quantile 0.1", () => groups().quantile(column(), 0.1), (list) => quantileOf(list, 0.1)],
    ["quantile 1", () => groups().quantile(column(), 1), (list) => list.at(-1)!],
    ["median of float32", () => groups().median(column().float()), (list) => quantileOf(list, 0.5)],
  ])("%s", (_, run, wanted) => {
    const found = (run().toArray() as (number | bigint)[]).map(Number);
    const want = distinct.map((key) => wanted(rowsOf(key)));
    for (const [i, value] of found.entries()) expect(value).toBeCloseTo(want[i]!, 6);
    expect(found).toHaveLength(distinct.length);
  });
});

test("keys are ascending, and each row knows its group", () => {
  const found = groups();
  expect(found.keys.toArray()).toEqual(distinct);
  expect(found.size).toBe(4);
  expect(found.keys.take(found.indices).toArray()).toEqual(keys);
});

test("integers and bools: sums in int64, means refused, medians in float64", () => {
  const own = jl.groupBy(jl.tensor([true, false, true, true]));
  const x = jl.tensor([1, 2, 3, 4], { dtype: "int32" });
  expect(own.keys.toArray()).toEqual([false, true]);
  expect(own.sum(x).toArray()).toEqual([2n, 8n]);
  expect(own.min(x).toArray()).toEqual([2, 1]);
  expect(own.median(x).toArray()).toEqual([2, 3]);
  expect(own.sum(x.gt(1)).toArray()).toEqual([1n, 2n]);
  expect(refusal(() => own.mean(x))).toMatch(/^dtype-refused: groupBy: mean does not take int32/);
});

test("NaN and infinite rows, groups of one row, and no rows", () => {
  const own = jl.groupBy(jl.tensor([1, 2, 2, 3, 3, 4]));
  const x = jl.tensor([5, Number.NaN, 1, Number.NEGATIVE_INFINITY, 2, Number.POSITIVE_INFINITY]);
  const { NaN: none, POSITIVE_INFINITY: infinite } = Number;
  expect(own.median(x).toArray()).toEqual([5, none, -infinite, infinite]);
  expect(own.min(x).toArray()).toEqual([5, none, -infinite, infinite]);
  expect(own.sum(x).toArray()).toEqual([5, none, -infinite, infinite]);
  const none0 = jl.groupBy(jl.zeros([0]));
  expect([none0.size, none0.sum(jl.zeros([0])).shape, none0.median(jl.zeros([0])).shape]).toEqual([
    0,
    [0],
    [0],
  ]);
});

test("what is refused", () => {
  expect(refusal(() => jl.groupBy(jl.ones([2, 2])))).toMatch(
    /^bad-dimension: groupBy: the key has shape \[2, 2\]/,
  );
  expect(refusal(() => jl.groupBy([1] as never))).toMatch(/^bad-operand: groupBy/);
  const own = jl.groupBy(jl.tensor([1, 2]));
  expect(refusal(() => own.sum(jl.ones([3])))).toMatch(/^shape-mismatch: groupBy: sum: .* keys of 2 rows/);
  expect(refusal(() => own.quantile(jl.ones([2]), 2))).toMatch(/^bad-argument: groupBy: quantile: q is 2/);
});
