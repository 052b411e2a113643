// Compiler optimizations do not change values: a conversion to an integer and back drops the sign of zero, and the bits of a
// result do not depend on where an element stands. (conformance/neighbors.test.ts asks that of every operation.)
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useDevice } from "../support/device.js";
import { elementBits } from "../support/element-bits.js";

beforeAll(useDevice);

const count = 67;
const wave = (seed: number): jl.Tensor =>
  jl.tensor(Float64Array.from({ length: count }, (_, i) => 1 + Math.sin(i * 12.9898 + seed)));

describe("a number as an integer and back has no sign of zero", () => {
  const half = (dtype: jl.DTypeName) => jl.full([count], -0.3, { dtype });
  const zeros = Array.from({ length: count }, () => "0 0");
  test.each([
    "T f(T x) { return T(int(x)); }",
    "T f(T x) { int n = x; return n; }",
    "T f(T x) { signed char n = x; return n; }",
    "T f(T x) { const auto n = (long long)(x); return T(n); }",
    "T f(T x) { return x < T(1) ? T((long long)x) : x; }",
    "T f(T x) { return cast<T>(cast<int>(x)); }",
  ])("%s", (body) => {
    const f = jl.jit(`template <typename T> ${body}`);
    for (const dtype of ["float32", "float64"] as const) expect(elementBits(f(half(dtype)))).toEqual(zeros);
  });
  test("but the truncated number has one", () => {
    const f = jl.jit("template <typename T> T f(T x) { return trunc(x); }");
    expect(elementBits(f(half("float32")))).toEqual(zeros.map(() => "-0 0"));
    expect(elementBits(half("float32").trunc())).toEqual(zeros.map(() => "-0 0"));
  });
});

describe("complex products are not contracted", () => {
  const functors = {
    product: "T f(T x, T y) { return x * y; }",
    conjugate: "T f(T x, T y) { return x * conj(y); }",
    quotient: "T f(T x, T y) { return x / y; }",
    "by hand": "T f(T x, T y) { return T(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re); }",
    scaled: "T f(T x, T y) { return T(real(x) * real(y) + imag(y), imag(x) * real(y) - real(y)); }",
  };
  test.each(Object.entries(functors))("%s", (_, body) => {
    const f = jl.jit(`template <typename T> ${body}`);
    for (const dtype of ["complex64", "complex128"] as const) {
      const [x, y] = [jl.complex(wave(1), wave(2)).to(dtype), jl.complex(wave(3), wave(4)).to(dtype)];
      const whole = elementBits(f(x, y));
      for (const size of [1, 2, 3, 5, 24]) {
        const from = count - 2 * size;
        const part = f(x.narrow(0, from, size), y.narrow(0, from, size));
        expect(elementBits(part), `${size} of ${dtype}`).toEqual(whole.slice(from, from + size));
      }
    }
  });
  test("a float64 product has the bits of its parts", () => {
    const [a, b, c, d] = [wave(1), wave(2), wave(3), wave(4)] as [jl.Tensor, jl.Tensor, jl.Tensor, jl.Tensor];
    const product = jl.complex(a, b).mul(jl.complex(c, d));
    const parts = jl.complex(a.mul(c).sub(b.mul(d)), a.mul(d).add(b.mul(c)));
    expect(elementBits(product)).toEqual(elementBits(parts));
  });
});
