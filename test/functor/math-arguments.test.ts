// Math functions of a processor take arguments of one type, and the error says how to give them.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useDevice } from "../support/device.js";

beforeAll(useDevice);

test.skipIf(process.env.JITLAB_TEST_DEVICE === "cuda")("max and min of two types", () => {
  for (const name of ["max", "min"]) {
    const payoff = jl.jit(`template <typename T> T payoff(T s) { return ${name}(s - 100, 0.0); }`);
    expect(() => payoff(jl.ones([2]))).toThrow(`Both arguments of ${name} have one type: ${name}(x, T(0)).`);
    const typed = jl.jit(`template <typename T> T payoff(T s) { return ${name}(s - 1, T(0)); }`);
    expect(typed(jl.ones([2])).toArray()).toEqual([0, 0]);
  }
});

test.skipIf(process.env.JITLAB_TEST_DEVICE === "cuda")("a function of an integer", () => {
  const root = jl.jit("template <typename T> T root(T x) { return sqrt(x); }");
  expect(() => root(jl.tensor([4], { dtype: "int32" }))).toThrow(
    "Convert integers for sqrt: sqrt(double(x)).",
  );
  const converted = jl.jit("template <typename T> T root(T x) { return sqrt(double(x)); }");
  expect(converted(jl.tensor([4], { dtype: "int32" })).toArray()).toEqual([2]);
});
