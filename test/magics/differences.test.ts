// The differences of results, as shown by %%compare.
import { beforeAll, expect, test } from "vitest";
import { differenceOf } from "../../dist/magics/child/differences.js";
import * as jl from "../../dist/runtime/index.js";

beforeAll(() => jl.setDevice("cpu"));

const next = (x: number) =>
  new Float32Array(new Int32Array([new Int32Array(new Float32Array([x]).buffer)[0]! + 1]).buffer)[0]!;

test.each(["float32", "float64", "float16", "bfloat16", "int32", "int64", "bool", "complex64"] as const)(
  "%s: equal elements, NaN among them, are equal bits",
  (dtype) => {
    const x = jl.tensor([0, 1, 3]).to(dtype);
    expect(differenceOf(x, x.clone())).toBeUndefined();
    const odd = x.div(0);
    expect(differenceOf(odd, odd.clone())).toBeUndefined();
  },
);

test("the largest difference is told in units of the last place, with its index", () => {
  const x = jl.tensor(
    [
      [1, 2],
      [3, 4],
    ],
    { dtype: "float32" },
  );
  const y = jl.tensor(
    [
      [1, next(2)],
      [next(next(3)), 4],
    ],
    { dtype: "float32" },
  );
  expect(differenceOf(x, y)).toEqual({ ulp: 2, count: 2, index: [1, 0] });
  const [a, b] = [1, 1 + 2 ** -52].map((one) => jl.tensor([0, one], { dtype: "float64" }));
  expect(differenceOf(a!, b!)).toEqual({ ulp: 1, count: 1, index: [1] });
  const [h, g] = [1, 1 + 2 ** -10].map((one) => jl.tensor([one], { dtype: "float16" }));
  expect(differenceOf(h!, g!)).toEqual({ ulp: 1, count: 1, index: [0] });
});

test("signs of zero, numbers beside NaN, integers and complex numbers", () => {
  const pair = (one: number, other: number, dtype: jl.DTypeName) =>
    differenceOf(jl.tensor([one]).to(dtype), jl.tensor([other]).to(dtype));
  expect(pair(0, -0, "float64")).toMatchObject({ ulp: 1, count: 1 });
  expect(pair(-0, 0, "float32")).toMatchObject({ ulp: 1, count: 1 });
  expect(pair(Number.NaN, 1, "float32")).toMatchObject({ ulp: Number.POSITIVE_INFINITY });
  expect(pair(7, -3, "int64")).toMatchObject({ ulp: 10 });
  const z = jl.tensor([
    { re: 1, im: 2 },
    { re: 3, im: 4 },
  ]);
  expect(differenceOf(z, z.add({ re: 0, im: 1 }))).toMatchObject({ count: 2, index: expect.any(Array) });
});

test("other dtypes and shapes are said in words", () => {
  const x = jl.ones([2]);
  expect(differenceOf(x, x.to("int32"))).toBe("float32 and int32");
  expect(differenceOf(x, jl.ones([3]))).toBe("shapes [2] and [3]");
});
