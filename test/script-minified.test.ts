// jl.jit of minified functions: the kernel computes the same as V8.
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import * as jl from "../dist/runtime/index.js";
import { corpus, use } from "./support/script-corpus.js";
import { worst, xs, ys } from "./support/script-distance.js";

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
