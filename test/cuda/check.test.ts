// The check of a functor when it is defined, on NVRTC, which skips the body of a template that nothing calls.
import { describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";

const { probeNvrtc } = (await import(
  "../../dist/runtime/device/cuda/nvrtc.js"
)) as typeof import("../../runtime/device/cuda/nvrtc.js");
const found = probeNvrtc();

describe.skipIf(!found.path)(`a functor's check${found.path ? "" : ` (${found.reason})`}`, () => {
  const place = { file: "In[1]", line: 2 };

  test("finds a syntax error in a template, at its line", () => {
    const halved = jl.jit("template <typename T>\nT halved(T x) {\n  return x / T(2)\n}", { place });
    expect(() => halved.check("cuda")).toThrowErrorMatchingInlineSnapshot(`
      [CompileError: halved does not compile: 1 error.
      In[1]:5:1: error: expected a ";"
         5 | }
           | ^]
    `);
  });

  test("finds a name that is not defined", () => {
    const functor = jl.jit("template <typename T> T f(T x) { return x + nothing; }", { place });
    expect(() => functor.check("cuda")).toThrow('identifier "nothing" is undefined');
  });

  test.each([
    ["template <typename T> T f(T x) { return x << 1; }", {}],
    ["template <typename T> T f(T x, double y, int n, T alpha) { return x + T(y) * n + alpha; }", {}],
    ["template <typename T> void f(T x, int n, T& a, int& b) { a = x; b = n; }", { params: { n: 1 } }],
    [
      "template <typename T> T twice(T x) { return x + x; }\ntemplate <typename T> T f(T x) { return twice(x); }",
      {},
    ],
    ["template <typename T> T f(T x) { return x + T(index(0)) / T(extent(0)); }", {}],
    ["template <typename T> T f(T x, T y) { return jl::gcd(x, y); }", {}],
    ["float f(float x) { return x + 1; }", {}],
  ])("accepts %s", (text, options) => {
    expect(() => jl.jit(text, { ...options, place }).check("cuda")).not.toThrow();
  });
});
