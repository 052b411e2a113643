// A value that may be read before it is set is refused in C++, where a compiler takes what a register holds, and NaN in TypeScript.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

beforeAll(useDevice);

const set = [
  "template <typename T> T f(T x) { T r; if (x > 2) r = 1; else r = 2; return r; }",
  "template <typename T> T f(T x) { T r; for (int i = 0; i < 3; ++i) r = x * i; return r; }",
  "template <typename T> T f(T x) { T r; bool set = false; for (int i=0;i<5;++i) if (x*i>3) { r = x; set = true; break; } return set ? r : T(0); }",
  "template <typename T> T f(T x) { T r; switch (int(x) % 3) { case 0: r = 1; break; case 1: r = 2; break; default: r = 3; } return r; }",
  "template <typename T> void f(T x, T& r, T& q) { r = x; if (x > 2) { q = 1; return; } q = 2; }",
  "template <typename T> void g(T x, T& out) { out = x; } template <typename T> T f(T x) { T r; g(x, r); return r; }",
  "template <typename T> T f(T x) { int e; T m = frexp(x, &e); return m * e; }",
  "template <typename T> T f(T x) { T s, c; sincos(x, &s, &c); return s + c; }",
  "template <typename T> T f(T x) { T a, b = 2, c; a = c = x; return a * b + c; }",
  "template <typename T> T f(T x) { T r; auto g = [&](T v) { r = v; }; g(x); return r; }",
  "template <typename T> T f(T x) { T a[3]; for (int i=0;i<3;++i) a[i]=x*i; return a[0]+a[1]+a[2]; }",
  "template <typename T> T f(T x) { T r; if (x > 1) { r = 2; } else { return x; } return r; }",
  "template <typename T> T f(T x) { T r; do { r = x; x = x - 1; } while (x > 3); return r; }",
  "template <typename T> T f(T x) { int i; for (i = 0; i < 4; i++) x += i; return x + i; }",
  "template <typename T> T f(T x) { T t; while (true) { t = x * 2; if (t > 5) break; x = t; if (x == 0) return x; } return t; }",
  "template <typename T> T f(T x) { { T r; r = x; } T r = 3; return r; }",
  "template <typename T> T f(T x) { T a; (x > 3) ? a = 1 : a = 2; return a; }",
  "template <typename T> T f(T x) { T a; if ((a = x * 2) > 3) return a; return a + 1; }",
  "struct P { float a, b; }; template <typename T> T f(T x) { P p; p.a = x; p.b = 2; return p.a * p.b; }",
  "template <typename T> T f(T x) { unsigned int k; k = 3; long long q; q = k; return x * q; }",
  "template <typename T> void f(T x, T& r) { if (x > 0) { r = 1; } else if (x < 0) { r = -1; } else r = 0; }",
];
const unset = [
  "template <typename T> void polar(T x, T& r, T& theta) { r = x; }",
  "template <typename T> T maybe(T x) { T r; if (x > 2) r = 1; return r; }",
  "template <typename T> T f(T x) {\n  T r;\n  if (x > 2) r = 1;\n  else if (x < 0) r = 2;\n  return r;\n}",
  "template <typename T> void f(T x, T& r, T& q) { r = x; if (x > 2) q = 1; }",
  "template <typename T> void f(T x, T& r, T& q) { r = x; if (x > 2) return; q = 1; }",
  "template <typename T> T f(T x) { T s; for (int i = 0; i < 3; ++i) { x *= 2; } return s; }",
  "template <typename T> T f(T x) { T s; s += x; return s; }",
  "template <typename T> T f(T x) { T r; r = r + x; return r; }",
  "template <typename T> T f(T x) { T r; return sin(r) + x; }",
  "template <typename T> T f(T x) { T r; switch (int(x)) { case 0: r = 1; break; case 1: r = 2; } return r; }",
  "float f(float x) { int n; return x * n; }",
  "template <typename T> T f(T x) { T r; if (x > 1) { r = 2; } return T(r) * x; }",
  "template <typename T> T h(T x) { T r; if (x > 1) r = 2; return r; }\ntemplate <typename T> T f(T x) { return h(x); }",
];

test.each(set)("taken: %s", (text) => {
  expect(refusal(() => jl.jit(text))).toBe("nothing was refused");
});

test.each(unset)("refused: %s", (text) => {
  expect(refusal(() => jl.jit(text))).toMatch(
    /^bad-functor: \w+: (?:its result )?\w+ (?:is never set,|may have no value) at line \d+\.\n(?:Give it a value|Set it on every path)/,
  );
});

test("the line and the name", () => {
  expect(refusal(() => jl.jit(unset[2] as string))).toContain("f: r may have no value at line 5.");
  expect(refusal(() => jl.jit(unset[0] as string))).toContain(
    "polar: its result theta is never set, at line 1.",
  );
});

test("results that a text leaves as they are begin as 0", () => {
  const f = jl.jit(
    "#define SET(a) a = 1;\ntemplate <typename T> void f(T x, T& r, T& q) { r = x; if (x > 2) { SET(q) } }",
  );
  const [, q] = f(jl.tensor([1, 3])) as unknown as jl.Tensor[];
  expect(q?.toArray()).toEqual([0, 1]);
});

describe("in TypeScript", () => {
  const xs = [0.2, 0.7, -1, 3.6];
  // biome-ignore-start lint/style/useConst: users declare variables first
  const functions: ((x: number) => number | undefined)[] = [
    (x) => {
      let r: any;
      if (x > 0.5) r = 1;
      return r;
    },
    (x) => {
      let r: any;
      if (x > 0.5) r = 1;
      else r = 2;
      return r;
    },
    (x) => {
      let i: any;
      let s = 0;
      for (i = 0; i < 3; i++) s += x;
      return s + i;
    },
    (x) => {
      let a: number, b: number;
      a = b = x;
      return a + b;
    },
    (x) => {
      let p: any;
      let s = 0;
      for (let i = 0; i < 3; i++) {
        if (i > 0) s += x - p;
        p = x * i;
      }
      return s;
    },
    (x) => {
      let ok: boolean | undefined;
      if (x > 1) ok = true;
      return ok ? 1 : 0;
    },
    (x) => {
      let n: any;
      if (x > 1) n = 3 | 0;
      else {
        n = 4 | 0;
      }
      return x * n;
    },
    (x) => {
      let t: any;
      while (true) {
        t = x * 2;
        if (t > 5 || t <= 0) break;
        x = t;
      }
      return t;
    },
    (x) => {
      let k: any;
      if (x > 1) k = 2;
      return k > 1 ? 5 : 6;
    },
    (x) => {
      let q: any;
      if (x > 0) q = x | 0;
      return q * 2;
    },
  ];
  // biome-ignore-end lint/style/useConst: as above
  test.each(functions.map((f) => [String(f), f] as const))("%s", (_, f) => {
    const x = jl.tensor(xs, { dtype: "float64" });
    expect((jl.jit(f as never) as unknown as (x: jl.Tensor) => jl.Tensor)(x).toArray()).toEqual(
      xs.map((one) => Number(f(one))),
    );
  });
});
