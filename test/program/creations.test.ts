// Equal creations of a compiled function are one value, and kernels of independent maps have a bound.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, useAnyDevice } from "../support/device.js";
import { bitsOf } from "../support/lanes.js";

beforeAll(useAnyDevice);

const kernelsOf = (f: { program(): jl.Program | undefined }) => f.program()?.kernels ?? [];

test("a loop over rows makes its range once", () => {
  const x = jl.rand([24, 4]);
  const rows = (all: jl.Tensor) =>
    jl.stack([...all].map((row) => row.softmax(0).cumsum(0).mul(jl.arange(4)).sum()));
  const f = jl.compile(rows);
  expect(bitsOf(f(x))).toEqual(bitsOf(rows(x)));
  expect(kernelsOf(f).filter(({ name }) => name.includes("arange")).length).toBeLessThanOrEqual(1);
});

test("numbers that were equal in one call may differ in the next", () => {
  const both = (a: number, b: number) => [jl.full([3], a), jl.full([3], b), jl.arange(0, a), jl.arange(0, b)];
  const f = jl.compile(both);
  for (const [a, b] of [
    [1, 1],
    [1, 2],
    [2, 1],
    [0, -0],
    [1, 1],
  ] as const)
    expect(f(a, b).map(bitsOf)).toEqual(both(a, b).map(bitsOf));
});

test("a creation that is written afterwards is not the other one's", () => {
  const parts = (x: jl.Tensor) => {
    const [a, b, c] = [jl.zeros([4]), jl.zeros([4]), jl.zeros([4])];
    a.narrow(0, 0, 2).add_(x);
    b.add_(1);
    return [a, b, c, c.add(a), jl.zeros([4]).sub(b)];
  };
  const x = jl.rand([2]);
  expect(jl.compile(parts)(x).map(bitsOf)).toEqual(parts(x).map(bitsOf));
});

test("random numbers are not equal creations", () => {
  const f = jl.compile(() => [jl.rand([4]), jl.rand([4])] as const);
  const [a, b] = f();
  expect(a.equal(b)).toBe(false);
});

test("many creations of one shape are several kernels", () => {
  const many = () => Array.from({ length: 40 }, (_, i) => jl.full([5], i, { device }).roll(1));
  const f = jl.compile(many);
  expect(f().map(bitsOf)).toEqual(many().map(bitsOf));
});

test("the kernels of the first row are those of the others", () => {
  const w = jl.rand([4, 5]);
  const f = jl.compile((rows: jl.Tensor) =>
    jl.stack([...rows].map((x) => x.matmul(w).softmax(0).mul(jl.arange(5)).sum())),
  );
  f(jl.rand([8, 4]));
  const names = f.program()?.kernels.map(({ name }) => name) ?? [];
  const count = (name: string) => names.filter((one) => one === name).length;
  expect([...new Set(names)].sort()).toEqual(["arange", "copy", "matmul", "rows_max_sub_exp_sum"]);
  expect(["arange", "copy", "matmul", "rows_max_sub_exp_sum"].map(count)).toEqual([1, 8, 8, 8]);
});
