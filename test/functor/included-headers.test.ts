// Functors that were pasted with the headers of the file that they come from.
import { expect, test } from "vitest";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import { withoutHeaders } from "../../dist/runtime/functor/included-headers.js";
import * as jl from "../../dist/runtime/index.js";

const compilerless = findCompiler().path === "" ? ": there is no C++ compiler" : "";
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

// The headers of C++20, with those that it has from C.
const standard =
  "algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex concepts condition_variable " +
  "coroutine deque exception execution filesystem format forward_list fstream functional future initializer_list iomanip ios " +
  "iosfwd iostream istream iterator latch limits list locale map memory memory_resource mutex new numbers numeric optional " +
  "ostream queue random ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span sstream stack " +
  "stdexcept stop_token streambuf string string_view strstream syncstream system_error thread tuple type_traits typeindex " +
  "typeinfo unordered_map unordered_set utility valarray variant vector version cassert cctype cerrno cfenv cfloat cinttypes " +
  "climits clocale cmath csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype assert.h " +
  "ctype.h errno.h fenv.h float.h inttypes.h limits.h locale.h math.h setjmp.h signal.h stdarg.h stddef.h stdint.h stdio.h " +
  "stdlib.h string.h time.h uchar.h wchar.h wctype.h complex.h stdbool.h tgmath.h iso646.h";

test.skipIf(compilerless)(
  `no header of C++ leads to errors in code that jitlab writes${compilerless}`,
  () => {
    const taken = standard.split(" ").filter((header) => {
      try {
        return withoutHeaders("jit", `#include <${header}>\n`) !== "\n";
      } catch {
        return false;
      }
    });
    expect(taken).toEqual(expect.arrayContaining(["cstddef", "climits", "limits", "numbers", "type_traits"]));
    const lines = taken.map((header) => `#if __has_include(<${header}>)\n#include <${header}>\n#endif\n`);
    expect(
      jl
        .jit(`${lines.join("")}${body}`)(jl.tensor([-1], { device: "cpu" }))
        .item(),
    ).toBe(1);
  },
);

test.each([
  "complex",
  "iterator",
  "new",
  "bitset",
  "cwchar",
  "iostream",
  "vector",
  "string",
  "thrust/device_vector.h",
  "torch/extension.h",
])("<%s> is refused in a line", (header) => {
  expect(() => jl.jit(`#include <${header}>\n${body}`)).toThrow(
    `jit: the text includes <${header}>, which functors cannot use.\nLeave the line out`,
  );
});

test("a header in a comment or a text is none", () => {
  const text = `// see #include <vector>\n${body}`;
  expect(withoutHeaders("jit", text)).toBe(text);
});
