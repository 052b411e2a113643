// Derivatives of users' functors: their texts over dual numbers, in C++ and in TypeScript, beside differences of their values.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { type Fn, functors, numbers, template } from "../support/derived-functors.js";
import { useDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

beforeAll(useDevice);

const double = { dtype: "float64" } as const;
const place = { file: "In[3]", line: 2 };
test.each(functors)("%s", (_, f) => {
  const [x, y] = [numbers(7, 0.15, 2.9), numbers(7, 0.2, 2.1).flip(0)];
  expect(jl.gradcheck(f, [x, y])).toBe(true);
});

test.each(functors.filter(([name]) => /arguments|operations|casts|powers/.test(name)))(
  "the second order of %s",
  (_, f) => {
    const [x, y] = [numbers(3, 0.15, 2.9), numbers(3, 0.2, 2.1).flip(0)];
    const first = jl.grad((a: jl.Tensor, b: jl.Tensor) => f(a, b).sum(), { argnums: [0, 1] });
    expect(jl.gradcheck(first, [x, y])).toBe(true);
  },
);

test("several results, of which one is used, and inputs that are whole numbers", () => {
  const f = jl.jit<[jl.Tensor, jl.Tensor, jl.Tensor]>(
    "template <typename T> void f(T x, int32 n, T& a, int& b, T& c) { a = x > 1 ? x * n : 0; b = n; c = x * x; }",
  );
  const n = jl.tensor([2, 3, 4], { dtype: "int32" });
  const x = jl.tensor([0.5, 2, 3], double);
  expect(
    jl
      .grad((a: jl.Tensor) => f(a, n)[0].sum())(x)
      .toArray(),
  ).toEqual([0, 3, 4]);
  const both = (a: jl.Tensor) => f(a, n)[0].add(f(a, n)[2].mul(2)).sum();
  expect(jl.grad(both)(x).toArray()).toEqual([2, 11, 16]);
});

test("a type of its own beside the common one, broadcast operands and out", () => {
  const f = jl.jit("template <typename T> float f(T n, float x) { return n * x * x; }");
  const [n, x] = [jl.tensor([[1], [2]], { dtype: "int32" }), jl.tensor([1.5, 2, 3])];
  expect(
    jl
      .grad((a: jl.Tensor) => f(n, a).sum())(x)
      .toArray(),
  ).toEqual([9, 12, 18]);
  const square = jl.jit(template("return x * x;", "T x"));
  const into = (a: jl.Tensor) => square(a, { out: jl.empty([3]) }).sum();
  expect(jl.grad(into)(x).toArray()).toEqual([3, 4, 6]);
});

test("compiled, the value and its gradients are one kernel with the bits of separate calls", () => {
  const swish = jl.jit(template("return x / (T(1) + exp(-y * x));"));
  const both = jl.valueAndGrad((x: jl.Tensor, y: jl.Tensor) => swish(x, y).sum(), { argnums: [0, 1] });
  for (const dtype of ["float32", "float16", "bfloat16"] as const) {
    const [x, y] = [numbers(500, -2, 2).to(dtype), numbers(500, 0, 2).to(dtype)];
    const bits = ({ value, grad }: { value: jl.Tensor; grad: readonly jl.Tensor[] }) =>
      [value, ...grad].map((one) => [...one.data()]);
    const compiled = jl.compile(both);
    expect(bits(compiled(x, y))).toEqual(bits(both(x, y)));
    const { launches } = jl.record(() => void bits(compiled(x, y)));
    expect(launches.length, dtype).toBeLessThanOrEqual(3);
  }
});

describe("slopes", () => {
  test("replace what would be derived, in kernels and for second derivatives", () => {
    const f = jl.jit(template("return floor(x) * alpha;", "T x, T alpha = 2"), {
      slopes: { x: "alpha * result + cos(x)" },
    }) as Fn;
    const x = jl.tensor([0.5, 1.5], double);
    const gradient = jl.grad((a: jl.Tensor) => f(a).sum());
    const wanted = [0, 1].map((k) => 2 * 2 * k + Math.cos(k + 0.5));
    expect(gradient(x).toArray()).toEqual(wanted.map((one) => expect.closeTo(one, 12)));
    const second = jl.grad((a: jl.Tensor) => gradient(a).sum())(x);
    expect(second.toArray()).toEqual(
      [0, 1].map((k) => expect.closeTo(2 * wanted[k]! - Math.sin(k + 0.5), 12)),
    );
    const script = jl.jit((a: number, y: number) => Math.floor(a) * y, { slopes: { y: "a" } });
    expect(
      jl
        .grad((y: jl.Tensor) => script(x, y).sum())(x)
        .toArray(),
    ).toEqual([0.5, 1.5]);
  });

  test.each([
    [{ z: "1" }, "slopes has z, which is no input. Its inputs are x, y."],
    [{ x: "z * 2" }, "the slope of x names z, which it does not have"],
    [{ x: "nothing(x)" }, "there is no operation nothing"],
    [{ x: 3 }, "the slope of x is 3"],
  ])("%s is refused", (slopes, message) => {
    expect(
      refusal(() => jl.jit(template("return x * y;"), { slopes: slopes as never })).replace("\n", " "),
    ).toContain(message);
  });

  test("an input without one", () => {
    const f = jl.jit(template("return x * y;"), { slopes: { x: "y" } }) as Fn;
    const x = jl.tensor([1, 2]);
    expect(refusal(() => jl.grad((a: jl.Tensor) => f(x, a).sum())(x))).toContain("slopes has none for y");
  });
});

describe("what cannot be derived is an error with the user's line", () => {
  const x = jl.tensor([1.5, -0.5]);
  const derive = (text: string) =>
    refusal(() => jl.grad((a: jl.Tensor) => (jl.jit(text, { place }) as Fn)(a).sum())(x));
  test.each([
    ["a pointer of another type", "  int i = *(int*)&x; return x * T(i);"],
    ["reinterpret_cast", "  unsigned u = reinterpret_cast<unsigned&>(x); return x * T(u);"],
    ["a union", "  union { T a; int b; } u; u.a = x; return T(u.b) * x;"],
    ["sizeof", "  return sizeof(T) == 4 ? x * x : x;"],
    ["if constexpr", "  if constexpr (T(0.5) == T(0)) return x; else return x * x;"],
    ["a value that is kept", "  static T last = 0; last = x; return last * x;"],
  ])("%s", (_, body) => {
    expect(derive(`template <typename T> T f(T x) {\n${body}\n}`)).toMatch(
      /^no-derivative: f at .*has no derivative: .*slopes/s,
    );
  });
  test("two functions of one name, of which another would be chosen", () => {
    const text = `float g(float x) { return x; }\ntemplate <typename T> T g(T x) { return x * x; }\n${template("return g(x);", "T x")}`;
    expect(derive(text)).toContain("it defines g twice");
  });
  test("a line of the text", () => {
    const text = "template <typename T> T f(T x) {\n  int i = *(int*)&x;\n  return x * T(i);\n}";
    expect(derive(text)).toContain("in In[3]:3");
  });
  test.each([
    ["a conversion without a cast", "  int n = x;\n  return x * T(n);"],
    ["a variable of another type", "  auto s = 0.0;\n  s = s + x; return s * x;"],
    ["the bits of a number", "  return bits_of(x) & 1 ? x : -x;"],
    ["a function without a derivative", "  return x *\n    tgamma(x);"],
  ])("%s is a compile error", (_, body) => {
    const message = derive(`template <typename T> T f(T x) {\n${body}\n}`);
    expect(message).toMatch(/^compile-failed: f_grad does not compile[\s\S]*In\[3\]:[345]:/);
    expect(message).toContain("declare as T what depends on an input");
    const text = `template <typename T> T f(T x) {\n${body}\n}`;
    const compiled = jl.compile(jl.grad((a: jl.Tensor) => (jl.jit(text, { place }) as Fn)(a.sin()).sum()));
    expect(refusal(() => compiled(x).toArray())).toMatch(/f_grad does not compile[\s\S]*declare as T/);
  });
  test("an operation without one", () => {
    expect(derive(template("return jl::zeta(x + 2, x);", "T x"))).toContain(
      "jl::zeta has no derivative here",
    );
  });
});
