// Divisions of integers in users' C++ functors: which operators are checked, and that nothing else changes.
import { describe, expect, test } from "vitest";
import { dtypes } from "../../dist/runtime/base/dtype.js";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import { checkedDivisions, uncheckedLine } from "../../dist/runtime/functor/checked-division.js";
import * as jl from "../../dist/runtime/index.js";
import { drawn } from "../support/draw.js";
import { refusal } from "../support/refusal.js";

const checked = (body: string, dtype: jl.DTypeName) =>
  checkedDivisions(`template <typename T> T f(T x, T y, int n) { ${body} }`, "T", dtypes[dtype])
    .replace("template <typename T> T f(T x, T y, int n) { ", "")
    .replace(/ }$/, "");

describe("operators become checked", () => {
  test.each([
    ["return x / y;", "return x %checked::over% y;"],
    ["return x%y;", "return x%checked::modulo%y;"],
    ["x /= y + 1; return x;", "x %=checked::over%= y + 1; return x;"],
    ["x %= (n); return x;", "x %=checked::modulo%= (n); return x;"],
    [
      "return x / -y / 0 / T(0.5f);",
      "return x %checked::over% -y %checked::over% 0 %checked::over% T(0.5f);",
    ],
    ["return x / g(2);", "return x %checked::over% g(2);"],
    ["#define HALF(a) a / y\nreturn HALF(x);", "#define HALF(a) a %checked::over% y\nreturn HALF(x);"],
  ])("in %s", (body, expected) => {
    expect(checked(body, "int32")).toBe(expected);
    expect(uncheckedLine(expected)).toBe(body);
  });

  test.each([
    "return x / 2 % 0x10 / T(3) / int(7);",
    "return 1.5f / x + x / 2. + x / 1e-3;",
    "double z = 0, w = y; return x / z + w / x;",
    "// x / y\nreturn x; /* x % y */",
    'printf("%d/%d", 1, 2); return x;',
    "#if 4 / 2 == 2\n#include <a/b>\n#endif\nreturn x;",
    "struct S { S operator/(S) { return *this; } }; return x;",
  ])("but not in %s", (body) => {
    expect(checked(body, "int32")).toBe(body);
  });

  test.each([
    "return x / y;",
    "for (int i = 0; i < n; i++) x = x / y + 1 / x; return x;",
    "T a = x * y, b = y; int k = n % 3; return a / b + y / k;",
    "const T a = x; return (x + 1) / a;",
  ])("nor where only floats are divided, as in %s", (body) => {
    for (const dtype of ["float32", "float64", "complex64"] as const) expect(checked(body, dtype)).toBe(body);
  });

  test("in kernels of floats where integers may be meant", () => {
    expect(checked("int i = n; return x + i / n;", "float32")).toBe(
      "int i = n; return x + i %checked::over% n;",
    );
    expect(checked("return x + n % n;", "float32")).toBe("return x + n %checked::modulo% n;");
    // The name may be either one's.
    expect(checked("{ T k = x; } { int k = n; return n / k; }", "float32")).toContain("n %checked::over% k");
  });

  test("a text of 200000 divisions is read once", () => {
    const text = checked("x / y; ".repeat(200_000), "int32");
    expect(text).toBe("x %checked::over% y; ".repeat(200_000));
  });
});

/** The code of a functor for inputs of these dtypes. */
function ptx(functor: string, inputs: readonly jl.DTypeName[], device: string): string {
  const given = inputs.map((dtype) => jl.zeros([1], { dtype, device: "wasm" }));
  return jl.explain(jl.jit(functor), ...given, { device })[0]?.ptx ?? "";
}

const nvrtc = findNvrtc() === undefined ? "NVRTC is not there" : "";
const compilerless = findCompiler().path === "" ? "there is no C++ compiler" : "";

describe.each([
  ["cpu", compilerless],
  ["wasm", ""],
  ["cuda", nvrtc],
])("on %s", (device, missing) => {
  const why = missing && ` (skipped: ${missing})`;

  test.skipIf(missing)(`an error stands at its column in the user's line${why}`, () => {
    const functor = jl.jit("int f(int x, int n) {\n  return n / n / undeclared;\n}");
    expect(refusal(() => functor.check(device))).toContain(
      "   2 |   return n / n / undeclared;\n     |                  ^",
    );
  });

  test.skipIf(missing)(`every type that divides compiles${why}`, () => {
    const functor = `template <typename T> T f(T x, T y) {
      constexpr int three = 7 / (1 + 1);
      int table[three];
      table[0] = three % (three - 1);
      bool more = true;
      enum { one = 1 };
      unsigned char small = 9;
      small /= (unsigned char)one;
      long long wide = 5;
      wide %= table[0] / more;
      return x / y / (x / one) + T(small / wide);
    }`;
    const types = [
      "bool",
      "uint8",
      "int8",
      "int16",
      "int32",
      "int64",
      "uint64",
      "float16",
      "float32",
      "float64",
      "complex64",
    ] as const;
    for (const dtype of drawn(types, 4)) expect(ptx(functor, [dtype, dtype], device)).not.toBe("");
  });
});

test.each(compilerless ? ["wasm"] : ["cpu", "wasm"])(
  "compiled functions and expressions divide so too, on %s",
  (device) => {
    const quotient = jl.jit("template <typename T> T quotient(T x, T y) { return x / y; }");
    const [x, y] = [
      [7n, 6n, 5n],
      [0n, 2n, 0n],
    ].map((list) => jl.tensor(list, { device })) as [jl.Tensor, jl.Tensor];
    const twice = jl.compile((a: jl.Tensor, b: jl.Tensor) => (quotient(a.add(1), b) as jl.Tensor).mul(2));
    expect(twice(x, y).toArray()).toEqual([0n, 6n, 0n]);
    expect(jl.fuse`${quotient}(${x}, ${y}) + 1`.toArray()).toEqual([1n, 4n, 1n]);
  },
);

test.skipIf(compilerless)(`reductions of one's own divide so too${compilerless}`, () => {
  const map = "template <typename T> T share(T x) { return 6 / x; }";
  const shares = jl.reduction("template <typename T> T sum(T a, T b) { return a + b; }", {
    identity: 0,
    map,
  });
  expect(shares(jl.tensor([0n, 2n, 3n, 0n], { device: "cpu" })).item()).toBe(5n);
});

test.skipIf(nvrtc)(
  `floats cost a GPU nothing where integers are checked${nvrtc && ` (skipped: ${nvrtc})`}`,
  () => {
    const loop = (body: string) =>
      `template <typename T> T f(T x, int n) { for (int i = 0; i < n; i++) { ${body} } return x; }`;
    const code = (body: string) => ptx(loop(body), ["float32", "int32"], "cuda").split(".entry")[1]?.trim();
    expect(checked("x = (x + 1) / (x - 1);", "float32")).toContain("checked");
    expect(checked("const T all = x + 1, by = x - 1; x = all / by;", "float32")).not.toContain("checked");
    expect(code("x = (x + 1) / (x - 1);")).toBe(code("const T all = x + 1, by = x - 1; x = all / by;"));
  },
);
