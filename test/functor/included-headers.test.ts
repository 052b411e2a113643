// Functors that were pasted with the headers of the file that they come from.
import { expect, test } from "vitest";
import { withoutHeaders } from "../../dist/runtime/functor/included-headers.js";
import * as jl from "../../dist/runtime/index.js";

const body = "template <typename T> T f(T x) { return fabs(x); }";

test.each(["cmath", "math.h", "cstdlib", "algorithm", "cstdio", "cstring", "cuda_runtime.h", "cuda_fp16.h"])(
  "<%s> changes nothing",
  (header) => {
    expect(withoutHeaders("jit", `#include <${header}>\n${body}`)).toBe(`\n${body}`);
    expect(withoutHeaders("jit", `  #  include "${header}" // why\n${body}`)).toBe(`\n${body}`);
  },
);

test("headers that a compiler has without a library stay, or stand for others", () => {
  expect(withoutHeaders("jit", `#include <limits>\n${body}`)).toBe(`#include <limits>\n${body}`);
  expect(withoutHeaders("jit", `#include <cstdint>\n${body}`)).toBe(`#include <stdint.h>\n${body}`);
});

test.each(["complex", "iostream", "vector", "string", "thrust/device_vector.h", "torch/extension.h"])(
  "<%s> is refused in a line",
  (header) => {
    expect(() => jl.jit(`#include <${header}>\n${body}`)).toThrow(
      `jit: the text includes <${header}>, which functors cannot use.\nLeave the line out`,
    );
  },
);

test("a header in a comment or a text is none", () => {
  const text = `// see #include <vector>\n${body}`;
  expect(withoutHeaders("jit", text)).toBe(text);
});
