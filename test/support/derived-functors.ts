// Functors of users with derivatives, in C++ and in TypeScript, for the tests of every compiler.
import * as jl from "../../dist/runtime/index.js";

/** Numbers between two, of float64. */
export const numbers = (size: number, from: number, to: number) =>
  jl
    .arange(0, size, 1, { dtype: "float64" })
    .mul(0.618)
    .frac()
    .mul(to - from)
    .add(from);
/** The text of a functor of two values. */
export const template = (body: string, list = "T x, T y") => `template <typename T> T f(${list}) { ${body} }`;

/** A function of tensors. */
export type Fn = (...args: jl.Tensor[]) => jl.Tensor;
const level = 0.8;

/** The functors, which take two tensors of numbers between 0.15 and 2.9. */
export const functors: readonly (readonly [string, Fn])[] = [
  ["exp and a quotient", jl.jit(template("return x / (T(1) + exp(-y * x));"))],
  [
    "a loop with integer branches",
    jl.jit(
      template(
        "T sum = 0, term = 1; for (int k = 1; k <= 6; ++k) { term *= x * y / T(k); " +
          "if (k % 2 == 0) sum += term; else sum -= term * cos(y); } return sum;",
      ),
    ),
  ],
  [
    "an early return",
    jl.jit(
      template(
        "const T d = x - y, delta = T(0.75); if (fabs(d) <= delta) return T(0.5) * d * d; return delta * (fabs(d) - T(0.5) * delta);",
      ),
    ),
  ],
  [
    "a loop until it converges",
    jl.jit(
      template(
        "T r = x > T(1) ? x : T(1); for (int i = 0; i < 60; ++i) { const T next = T(0.5) * (r + x / r); " +
          "if (fabs(next - r) <= T(1e-14) * r) return next * y; r = next; } return r * y;",
      ),
    ),
  ],
  [
    "functions of two arguments, and numbers",
    jl.jit(
      template(
        "return pow(x, y) + pow(x, 3) - pow(2, y) + atan2(x, y) * hypot(x, T(0.5)) + fmax(x, y) + fmin(x, 1) + max(y, T(1)) + " +
          "min(x, y) + fma(x, y, x) + fmod(x, T(0.7)) + remainder(y, T(0.3)) + ldexp(x, 2) + copysign(x, -y);",
      ),
    ),
  ],
  [
    "functions whose type the text gives",
    jl.jit(template("return std::max<T>(x, 1) * std::min<T>(1, y) + max<T>(x * y, 0.5) - min<T>(y, 2);")),
  ],
  [
    "C's functions in vector registers",
    jl.jit(template("return erf(x) + erfc(y) * sinh(x) - cosh(y) + lgamma(x + y);")),
  ],
  [
    "the library's operations",
    jl.jit(
      template("return jl::gelu(x) * jl::sigmoid(y) + jl::where(x > y, jl::digamma(x), jl::xlogy(x, y));"),
    ),
  ],
  [
    "a text without a template, with casts and double",
    jl.jit(
      "double f(double x, double w) { double s = 0; for (int i = 1; i < 4; ++i) s += double(x) * i; const double h = (double)s; return h * w + 0.5 * x; }",
    ),
  ],
  [
    "switch, an array, a helper and a macro",
    jl.jit(
      "#define SQUARE(a) ((a) * (a))\n#define D 3\n#define F(a) (a)\ntemplate <typename T> T helper(T x, T c) { return x * x + c; }\n" +
        template(
          "const T c[3] = {T(1), T(-0.5), T(0.25)}; T s = 0; for (int i = 2; i >= 0; --i) s = s * x + c[i]; " +
            "switch (int(floor(x))) { case 0: return helper(s, y); case 1: return SQUARE(s) * y; default: return s + y++; }",
        ),
    ),
  ],
  [
    "a function of its own with C's name",
    jl.jit(`template <typename T> T exp(T x) { return x * x * x; }\n${template("return exp(x) * y;")}`),
  ],
  [
    "integer divisions and extents",
    jl.jit(template("int n = int(index(0)) / 2 + 1; return x / n * T(extent(0)) + y;")),
  ],
  [
    "a lambda, a pointer and a struct",
    jl.jit(
      `template <typename T> struct Pair { T a, b; };\n${template("Pair<T> p{x, x * y}; T a[2] = {p.a, p.b}; T* q = a; auto g = [](T v) { return v * v; }; return g(q[0]) * *(q + 1);")}`,
    ),
  ],
  [
    "a parameter",
    (x, y) =>
      jl.jit(template("return alpha * x * y;", "T x, T y, T alpha = 2"))(x, y, { alpha: 3 }) as jl.Tensor,
  ],
  [
    "TypeScript with a loop",
    jl.jit((x, y) => {
      let sum = 0;
      let term = 1;
      for (let k = 1; k <= 6; k++) {
        term *= (x * y) / k;
        sum += k % 2 === 0 ? term : -term * Math.cos(y);
      }
      return sum;
    }) as unknown as Fn,
  ],
  [
    "captured numbers in TypeScript",
    jl.jit((x, y) => (x > level ? Math.min(x, Infinity) * y * level : y), {
      use: { level },
    }) as unknown as Fn,
  ],
  [
    "powers in TypeScript",
    jl.jit(
      (x, y) =>
        x ** y +
        x ** 3 -
        2 ** y +
        Math.atan2(x, y) * Math.hypot(x, y) +
        Math.max(x, y, 1) +
        Math.round(x) * Math.sign(y),
    ) as unknown as Fn,
  ],
  [
    "jl.math in TypeScript",
    jl.jit((x, y) => (Number.isFinite(x) ? jl.math.gelu(x) * Math.exp(y) : 0) + (x | 0) * y) as unknown as Fn,
  ],
  [
    "all functions of one argument",
    jl.jit(
      template(
        "const T a = x / 3; return exp(a) + 2 * exp2(a) - expm1(x) + log(x) * log2(x) - log10(x) * log1p(x) + sqrt(x) / rsqrt(x) + " +
          "cbrt(x) * y + sin(x) * cos(y) - tan(a) + asin(a) * acos(a / 2) + atan(y) * tanh(x) + asinh(x) + acosh(x + 1) + atanh(a) + " +
          "floor(x) * ceil(y) + trunc(x) * abs(y) - fabs(-x) + rint(x) * x + round(y);",
      ),
    ),
  ],
];
