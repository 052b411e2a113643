// jl.jit of functions on tensors of other dtypes than float64, on every device: floats and halves are V8's results to the dtype's
// precision, integers are V8's exactly.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { casesOn, everyDevice } from "../support/every-device.js";
import { corpus, type ScriptCase, use } from "../support/script-corpus.js";

type Call = (...args: jl.Tensor[]) => jl.Tensor;
type Pair = readonly [xs: readonly number[], ys: readonly number[]];

const fractions: Pair = [
  [-7.5, -3, -2.5, -1, -0.5, -0, 0.125, 0.5, 1, 1.5, 2, 3.25],
  [-2, 3, 0, 1, -1.5, 7, -0.25, 2, 1, -8, 2.5, 4],
];
const integers: Pair = [
  [-7, 0, 3, 12, 1000, -1],
  [2, 5, 3, -4, 7, 1],
];
/** Of the result, or of 1 where that is more: some functions lose digits where terms cancel. */
const errors: Partial<Record<jl.DTypeName, number>> = { float32: 1e-5, float16: 2e-3 };

const functors = Object.entries(corpus).map(([name, one]): [string, ScriptCase, Call] => [
  name,
  one,
  jl.jit(one.fn, { use, name }) as unknown as Call,
]);
/** Those whose results have fractions, as floats of integers. */
const asFloats = new Map(
  functors
    .filter(([, { integers }]) => !integers)
    .map(([name, { fn }]) => [name, jl.jit(fn, { use, name, returns: "float" }) as unknown as Call]),
);
const suitable = (dtype: jl.DTypeName) => functors.filter(([, { except = [] }]) => !except.includes(dtype));

function called({ fn }: ScriptCase, call: Call, dtype: jl.DTypeName, pair: Pair, device: string): number[] {
  const args = pair.slice(0, fn.length).map((values) => jl.tensor([...values], { dtype, device }));
  return (call(...args).toArray() as number[]).map(Number);
}

const expected = ({ fn }: ScriptCase, [xs, ys]: Pair) => xs.map((x, i) => Number(fn(x, ys[i] as number)));

/** A number as a dtype holds it. */
const rounded = (value: number, dtype: jl.DTypeName) =>
  Number(jl.tensor([value], { dtype: "float64", device: "cpu" }).to(dtype).to("float64").item());

describe.each(everyDevice)("on %s", (device) => {
  const suits = (dtype: jl.DTypeName) => casesOn(device, suitable(dtype));

  // Compiled together beforehand: one by one the kernels take most of the time.
  beforeAll(() => {
    const floats = (["float32", "float16"] as const).flatMap((dtype) =>
      suits(dtype).map(([, , call]) => [call, dtype] as const),
    );
    const whole = (["int32", "int64"] as const).flatMap((dtype) =>
      suits(dtype).map(([name, , call]) => [asFloats.get(name) ?? call, dtype] as const),
    );
    jl.precompile([...floats, ...whole], { device });
  }, 300_000);

  describe.each(Object.keys(errors) as jl.DTypeName[])("in %s", (dtype) => {
    test.each(suits(dtype))("%s is near V8's", (_, one, call) => {
      const results = called(one, call, dtype, fractions, device);
      for (const [i, exact] of expected(one, fractions).entries()) {
        const near = rounded(exact, dtype);
        if (Object.is(results[i], near) || results[i] === near) continue;
        const error = Math.abs((results[i] as number) - near) / Math.max(1, Math.abs(near));
        expect(error, `element ${i}: ${results[i]} instead of ${near}`).toBeLessThan(errors[dtype] as number);
      }
    });
  });

  describe.each(["int32", "int64"] as const)("in %s", (dtype) => {
    const [whole, others] = [true, false].map((wanted) =>
      suits(dtype).filter(([, one]) => (one.integers ?? false) === wanted),
    ) as [typeof functors, typeof functors];

    test.each(whole)("%s is V8's", (_, one, call) => {
      expect(called(one, call, dtype, integers, device)).toEqual(expected(one, integers));
    });

    test.each(others)("%s has fractions: refused, or floats where they are asked for", (name, one, call) => {
      expect(() => called(one, call, dtype, integers, device)).toThrow("the result has a fraction");
      const results = called(one, asFloats.get(name) as Call, dtype, integers, device);
      for (const [i, exact] of expected(one, integers).entries()) {
        const near = Math.fround(exact);
        if (results[i] === near || (Number.isNaN(results[i]) && Number.isNaN(near))) continue;
        expect(Math.abs((results[i] as number) - near) / Math.max(1, Math.abs(near))).toBeLessThan(
          errors.float32 as number,
        );
      }
    });
  });
});

test("the kernels of float32 and halves have not one double", () => {
  for (const dtype of ["float32", "float16"] as const) {
    for (const [name, { fn }, call] of suitable(dtype)) {
      const dtypes = new Array<jl.DTypeName>(fn.length).fill(dtype);
      const [kernel] = jl.explain(call as never, { device: "cpu", dtypes });
      const own = kernel?.source.split(`#line 1 "${name}"`)[1]?.split("#line")[0] ?? "";
      expect(own, name).not.toBe("");
      expect(own.replace(/\/\/.*/g, ""), name).not.toMatch(/\bdouble\b|\d\.\d+(?:e[+-]?\d+)?(?![\def])/);
    }
  }
});
