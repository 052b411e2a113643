// Casts of casts in compiled functions: those that lose nothing are left out of the kernel, and the bits stay.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { elementBits } from "../support/element-bits.js";

beforeAll(useAnyDevice);

const first: readonly jl.DTypeName[] = ["bool", "uint8", "int32", "int64", "float16", "bfloat16", "float32"];
const between: readonly jl.DTypeName[] = ["uint8", "int16", "int64", "float16", "float32", "float64"];
const last: readonly jl.DTypeName[] = ["bool", "int8", "uint16", "int32", "float16", "bfloat16", "float32"];
const values = [0, -0, 1, -1, 0.1, 2.5, -3.75, 100.3, 127, 200, 255, 256, 2049, -129, 40000, 65520, 70001];
const wide = [...values, 16777217, -2147483647, 3.4e38, Number.NaN, Number.POSITIVE_INFINITY];

test.each(first)(
  "chains from %s have the bits of separate casts",
  (from) => {
    const x = jl.tensor(wide, { dtype: "float64" }).to(from);
    const chains = (y: jl.Tensor) =>
      between.flatMap((middle) => last.map((to) => y.to(middle).to(to).to(from)));
    const got = jl.compile(chains)(x);
    chains(x).forEach((want, i) => {
      const [middle, to] = [between[Math.floor(i / last.length)], last[i % last.length]];
      expect([middle, to, elementBits(got[i] as jl.Tensor)]).toEqual([middle, to, elementBits(want)]);
    });
  },
  120_000,
);

/** How many casts a kernel computes. */
const castsOf = (run: (x: jl.Tensor) => jl.Tensor, from: jl.DTypeName) => {
  const x = jl.ones([4], { dtype: from });
  const [{ source }] = jl.explain(jl.compile(run), x) as [jl.Explanation];
  const body = source.slice(
    source.indexOf("void fused("),
    source.indexOf("\n}", source.indexOf("void fused(")),
  );
  return body.match(/op_copy/g)?.length ?? 0;
};

test("a cast back is no step, one that rounds stays", () => {
  expect(castsOf((x) => x.to("float32").to("float16").mul(x), "float16")).toBe(0);
  expect(castsOf((x) => x.to("int32").to("float32").to("float64").mul(2), "bool")).toBe(1);
  expect(castsOf((x) => x.to("float16").to("float32").mul(2), "float32")).toBe(2);
  expect(castsOf((x) => x.to("int32").to("float32").mul(2), "float32")).toBe(2);
  // Through a float these saturate instead of wrapping around.
  expect(castsOf((x) => x.to("float64").to("uint8").mul(2), "int32")).toBe(2);
});

test.each(["int8", "int16", "int32", "int64"] as const)(
  "the lowest %s, whose negative and absolute value it is itself, stays negative where it is widened",
  (dtype) => {
    const low = -(2n ** BigInt(jl.dtypes[dtype].bytes * 8 - 1));
    const x = jl.tensor(BigInt64Array.of(low, low + 1n, -1n, 0n, 5n)).to(dtype);
    const run = (y: jl.Tensor) =>
      [y.neg(), y.abs()].flatMap((z) => [z.to("float64"), z.to("int64").add(0), z.gt(0)]);
    const shown = (tensors: readonly jl.Tensor[]) => tensors.map((one) => one.toArray());
    expect(shown(jl.compile(run)(x))).toEqual(shown(run(x)));
  },
);
