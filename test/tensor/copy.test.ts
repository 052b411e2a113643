// x.copy_(y) broadcasts y, as a write of NumPy's does.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);

test.each([[[]], [[1]], [[3]], [[1, 3]], [[2, 1]], [[2, 3]]])("a source of shape %j", (shape) => {
  const source = jl
    .arange(
      shape.reduce((a, b) => a * b, 1),
      { dtype: "float32" },
    )
    .reshape(shape);
  expect(jl.zeros([2, 3]).copy_(source).toArray()).toEqual(source.expand([2, 3]).toArray());
});

test("a part of the tensor itself", () => {
  const x = jl.tensor([
    [1, 2],
    [3, 4],
  ]);
  x.copy_(x.at(1));
  expect(x.toArray()).toEqual([
    [3, 4],
    [3, 4],
  ]);
});

test("into a view, with another dtype", () => {
  const x = jl.zeros([2, 3], { dtype: "int32" });
  x.select(1, 1).copy_(jl.tensor(7.5));
  expect(x.toArray()).toEqual([
    [0, 7, 0],
    [0, 7, 0],
  ]);
});

test("its gradient adds what was spread", () => {
  expect(
    jl
      .grad((v) => jl.zeros([2, 3]).copy_(v).sum())(jl.ones([3]))
      .toArray(),
  ).toEqual([2, 2, 2]);
});

test.each([[[2]], [[1, 2, 3]], [[4, 3]]])("a source of shape %j does not fit", (shape) => {
  expect(() => jl.zeros([2, 3]).copy_(jl.zeros(shape))).toThrow(/cannot be stretched to \[2, 3\]/);
});
