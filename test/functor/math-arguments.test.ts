// C's math functions in functors take what C++ gives them: integers as doubles, numbers of two types, std::, names for float.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useDevice } from "../support/device.js";

beforeAll(useDevice);

const body = (text: string) => jl.jit(`template <typename T> T f(T x) { return ${text}; }`);
const inDouble = (text: string) => jl.jit(`template <typename T> double f(T x) { return ${text}; }`);
const values = (x: jl.Tensor) => x.toArray() as number[];

const functions: Readonly<Record<string, (x: number) => number>> = {
  "pow(x, 2)": (x) => x ** 2,
  "sqrt(x)": Math.sqrt,
  "floor(x)": Math.floor,
  "fmod(x, 2)": (x) => x % 2,
  "exp(x)": Math.exp,
  "log1p(x)": Math.log1p,
  "atan2(x, 3)": (x) => Math.atan2(x, 3),
  "hypot(x, 2ll)": (x) => Math.hypot(x, 2),
  "fmin(x, 2)": (x) => Math.min(x, 2),
  "fma(x, x, 1)": (x) => x * x + 1,
  "ldexp(x, 3)": (x) => x * 8,
  "max(x, 2ll)": (x) => Math.max(x, 2),
  "min(x, 2.5)": (x) => Math.min(x, 2.5),
  "isnan(x) ? 1 : 2": () => 2,
  "isfinite(x) ? 1 : 2": () => 1,
  "signbit(x) ? 1 : 2": () => 2,
  "abs(x)": (x) => x,
};

// One functor of all calls, by both names.
const calls = Object.keys(functions).flatMap((text) => [text, text.replace(/^(\w+)\(/, "std::$1(")]);
const results = calls.map((_, i) => `double& r${i}`).join(", ");
const all = `template <typename T> void f(T x, ${results}) { ${calls.map((text, i) => `r${i} = ${text};`).join("\n")} }`;

test.each(["int32", "uint8", "int64", "uint32", "uint64"] as const)("functions of %s", (dtype) => {
  const found = jl.jit(all)(jl.tensor([1, 4, 9], { dtype })) as unknown as jl.Tensor[];
  calls.forEach((text, i) => {
    const expected = functions[text.replace("std::", "")] as (x: number) => number;
    values(found[i] as jl.Tensor).forEach((result, k) => {
      expect(result, `${text} of ${[1, 4, 9][k]}`).toBeCloseTo(expected([1, 4, 9][k] as number), 10);
    });
  });
});

test("numbers of two types are the wider one", () => {
  const x = jl.tensor([1.5, 200]);
  expect(values(body("max(x - 100, 0.0)")(x))).toEqual([0, 100]);
  expect(values(body("std::min<T>(x, 2)")(x))).toEqual([1.5, 2]);
  expect(values(inDouble("pow(x, 0.1)")(x))).toEqual(
    [1.5, 200].map((value) => expect.closeTo(value ** 0.1, 14)),
  );
  // A float and an integer stay a float.
  expect(values(inDouble("fmod(x, 1) + 0.1f")(x))).toEqual(
    [0.5 + Math.fround(0.1), Math.fround(0.1)].map(Math.fround),
  );
});

test("C's names of functions of float", () => {
  const x = jl.tensor([2.25, 4]);
  expect(values(body("sqrtf(x) + fmaxf(x, 3.0f)")(x))).toEqual([4.5, 6]);
  expect(values(body("fmaf(x, 2, 1) - ldexpf(x, 1)")(x))).toEqual([1, 1]);
  expect(values(body("sqrtf(x)")(jl.tensor([4], { dtype: "int32" })))).toEqual([2]);
});

test("a text's own functions come first", () => {
  const own = jl.jit(`template <typename T> T max(T a, T b) { return a + b; }
template <typename T> T floor(T a) { return a * 2; }
template <typename T> T f(T x) { return max(x, T(1)) + floor(x) + std::max(x, T(2)); }`);
  expect(values(own(jl.tensor([3])))).toEqual([4 + 6 + 3]);
  const named = jl.jit(
    "template <typename T> T f(T x) { T exp = x; T max = exp * 2; return max < exp ? exp : max; }",
  );
  expect(values(named(jl.tensor([3])))).toEqual([6]);
});

test("the library's operations stand for erf and its like, by both names", () => {
  const x = jl.tensor([0.5], { dtype: "float64" });
  for (const name of ["erfc", "sinh"])
    expect(values(body(`std::${name}(x)`)(x)), name).toEqual(values(body(`${name}(x)`)(x)));
});

test("derivatives", () => {
  const x = jl.tensor([3], { dtype: "float64" });
  const slope = (text: string) => values(jl.grad((y: jl.Tensor) => body(text)(y).sum())(x) as jl.Tensor)[0];
  expect(slope("std::pow(x, 2) + sqrt(4)")).toBeCloseTo(6, 14);
  expect(slope("max(x * x, 0.0)")).toBe(6);
  expect(slope("std::max<T>(x, 0) + powf(x, 2)")).toBeCloseTo(7, 14);
  expect(slope("std::erf(x)")).toBeCloseTo((2 / Math.sqrt(Math.PI)) * Math.exp(-9), 14);
});

test("compiled functions", () => {
  const f = body("std::max(x, 0.5) + sqrt(4)");
  const g = body("max(x, 2)");
  const compiled = jl.compile((x: jl.Tensor) => g(f(x)).add(1));
  expect(values(compiled(jl.tensor([0, 3])) as jl.Tensor)).toEqual([3.5, 6]);
});

test("what a functor does not have of std", () => {
  expect(() => body("std::accumulate(x, x)")(jl.ones([2]))).toThrow(
    "Of the standard library a functor has C's math functions alone, such as std::max(x, y).",
  );
});
