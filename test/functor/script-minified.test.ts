// jl.jit of minified functions: the kernel computes the same as V8.
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { corpus, use } from "../support/script-corpus.js";
import { worst, xs, ys } from "../support/script-distance.js";

type Call = (...args: jl.Tensor[]) => jl.Tensor;

const tensor = (values: readonly number[]) => jl.tensor([...values], { dtype: "float64", device: "cpu" });

test.each(Object.entries(corpus))("%s is the same minified", (name, { fn, ulp = 0 }) => {
  const { code } = transformSync(`export default (${fn})`, { minify: true });
  const text = code
    .trim()
    .replace(/^export default ?/, "")
    .replace(/;$/, "");
  // Only the text matters: what it closes over is not there.
  const small = new Function(`return (${text})`)() as typeof fn;
  const f = jl.jit(small, { use, name }) as unknown as Call;
  const args = [tensor(xs), tensor(ys)].slice(0, fn.length);
  const expected = xs.map((x, i) => fn(x, ys[i] as number));
  expect(worst(name, f(...args).toArray() as number[], expected)).toBeLessThanOrEqual(ulp);
});

test.each([false, true])("names that tsx and bundlers keep are left out (minified: %s)", (minify) => {
  const named = (x: number, y: number) => {
    const square = (v: number) => v * v;
    function cube(v: number) {
      return v * v * v;
    }
    const less = (v: number) => v - 1;
    const sum = (a: number, b: number) => a + b;
    if (x > 1) return sum(square(x), y);
    return cube(x) + less(y);
  };
  const options = { minify, keepNames: true, format: "iife", globalName: "made" } as const;
  const { code } = transformSync(`export default (${named})`, options);
  expect(code).toContain('"square")');
  const kept = new Function(`${code}; return made.default`)() as typeof named;
  const results = jl.jit(kept)(tensor(xs), tensor(ys)).toArray() as number[];
  expect(
    worst(
      "named",
      results,
      xs.map((x, i) => named(x, ys[i] as number)),
    ),
  ).toBe(0);
});
