// jl.jit and jl.explain: users' functors, and the errors of those that do not compile.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, useDevice } from "../support/device.js";

beforeAll(useDevice);

const x = () => jl.tensor([1, 2, 3]);
const y = () => jl.tensor([10, 20, 30]);

describe("jl.jit", () => {
  test("the last function is the entry; parameters are captured at each call without a new kernel", () => {
    const f = jl.jit(
      `template <typename T> T scaled(T x, T alpha) { return alpha * x; }
       template <typename T> T my_kernel(T x, T y, T alpha) { return -x + scaled(y, alpha); }`,
      { params: { alpha: 1 } },
    );
    expect(f.name).toBe("my_kernel");
    expect(f.parameters).toEqual({ alpha: 1 });
    expect(f(x(), y()).toArray()).toEqual([9, 18, 27]);
    const before = jl.timings().length;
    expect(f(x(), y(), { alpha: 0.5 }).toArray()).toEqual([4, 8, 12]);
    expect(jl.timings().length).toBe(before);
  });
  test("a parameter keeps its declared type", () => {
    const f = jl.jit(
      "template <typename T> T power(T x, int n, double a = 2) { T r = T(a); for (int i = 0; i < n; ++i) r *= x; return r; }",
      {
        params: { n: 2 },
      },
    );
    expect(f(x()).toArray()).toEqual([2, 8, 18]);
    expect(f(x(), { n: 3, a: 1 }).toArray()).toEqual([1, 8, 27]);
  });
  test("several outputs are reference parameters", () => {
    const f = jl.jit<[jl.Tensor, jl.Tensor]>(
      "template <typename T> void both(T x, T y, T& sum, bool& less) { sum = x + y; less = x < y; }",
    );
    const [sum, less] = f(x(), jl.tensor([2, 2, 2]));
    expect(sum.toArray()).toEqual([3, 4, 5]);
    expect(less.dtype.name).toBe("bool");
    expect(less.toArray()).toEqual([true, false, false]);
  });
  test("returns says the result's dtype", () => {
    const odd = jl.jit("template <typename T> T odd(T x) { return x % 2; }", { returns: "bool" });
    expect(odd(jl.tensor([1n, 2n])).toArray()).toEqual([true, false]);
    const half = jl.jit("template <typename T> T half_of(T x) { return x / 2; }", { returns: "float" });
    expect(half(jl.arange(3)).toArray()).toEqual([0, 0.5, 1]);
    const wide = jl.jit("template <typename T> T same(T x) { return x; }", { returns: "float64" });
    expect(wide(x()).dtype.name).toBe("float64");
  });
  test("broadcasts, promotes, takes scalars and strided inputs", () => {
    const f = jl.jit("template <typename T> T plus(T a, T b) { return a + b; }");
    expect(f(jl.arange(3).unsqueeze(1), jl.arange(2)).toArray()).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    expect(f(jl.arange(2), 0.5).toArray()).toEqual([0.5, 1.5]);
    expect(f(1, x().slice("::2")).toArray()).toEqual([2, 4]);
  });
  test("nine inputs, and none", () => {
    const names = Array.from({ length: 9 }, (_, i) => `T x${i}`).join(", ");
    const f = jl.jit(`template <typename T> T many(${names}) { return x0 + x8; }`);
    expect(f(...Array.from({ length: 9 }, (_, i) => jl.tensor([i]))).toArray()).toEqual([8]);
    const seven = jl.jit("template <typename T> T seven() { return T(7); }");
    expect(seven({ shape: [2] }).toArray()).toEqual([7, 7]);
    expect(seven({ shape: [2], dtype: "int32" }).dtype.name).toBe("int32");
  });
  test("writes into out", () => {
    const f = jl.jit("template <typename T> T twice(T x) { return x + x; }");
    const out = jl.empty([3]);
    expect(f(x(), { out })).toBe(out);
    expect(out.toArray()).toEqual([2, 4, 6]);
  });
  test("the type parameter is that of the entry", () => {
    const text = `// template <typename W> of a comment
      template <typename U> U twice(U x) { return x + x; }
      template <class V> V f(V x) { return twice(x); }`;
    expect(jl.jit(text)(x()).toArray()).toEqual([2, 4, 6]);
  });
  test("defaults are literals of any type", () => {
    const f = jl.jit(
      "template <typename T> T f(T x, T a = T(0.5f), int n = int(3), bool up = bool(true), T c = -1e1f) { return up ? a * x + n + c : c; }",
    );
    expect(f.parameters).toEqual({ a: 0.5, n: 3, up: true, c: -10 });
    expect(f(x(), { c: 0 }).toArray()).toEqual([3.5, 4, 4.5]);
  });
  test("calls every operation of the library, by the types of its arguments", () => {
    const f = jl.jit(
      "template <typename T> T f(T x, T y) { return jl::maximum(jl::i0(x), 2) + jl::polygamma(1, y) + T(jl::gcd(12, 18)) + jl::pow(x, x); }",
    );
    const [a, b] = [x(), y()];
    const expected = jl.i0(a).maximum(2).add(jl.polygamma(1, b)).add(6).add(a.pow(a));
    expect(f(a, b).toArray()).toEqual(expected.toArray());
    const names = Object.keys(jl.ops).filter((name) => !["complex", "polar"].includes(name));
    const all = names.map((name) => {
      const { arity, operands, rule } = jl.ops[name as jl.OpName];
      const value = rule === "integersOnly" || rule === "integersOrBool" ? "int(x)" : "x";
      const args = ["a", "b", "c"]
        .slice(0, arity)
        .map((_, i) => (operands?.[i] === "bool" ? "x > 0" : operands?.[i] === "int32" ? "1" : value));
      return `  sum += T(jl::${name}(${args.join(", ")}));`;
    });
    const every = jl.jit(
      `template <typename T> T every(T x) {\n  T sum = 0;\n${all.join("\n")}\n  return sum;\n}`,
    );
    expect(() => every(x())).not.toThrow();
  }, 120_000);
  test("C's scalar functions are the library's, unless the text has its own", () => {
    const values = jl.linspace(0.25, 3, 7);
    const names = ["erf", "erfc", "sinh", "cosh", "lgamma"] as const;
    for (const dtype of ["float32", "float64"] as const) {
      const given = values.to(dtype);
      for (const name of names) {
        const f = jl.jit(`template <typename T> T f(T x) { return ${name}(x) * T(2); }`);
        const apart = f(given).div(jl[name](given).mul(2)).sub(1).abs().max().item();
        // Elsewhere the compiler's own are as quick.
        expect(apart, name).toBeLessThanOrEqual(device === "cpu" ? 0 : 1e-6);
      }
    }
    const own = jl.jit("float erf(float x) { return x + 1; } float f(float x) { return erf(x); }");
    expect(own(x()).toArray()).toEqual([2, 3, 4]);
  }, 60_000);
  test("knows the element's position and the result's size, in any layout", () => {
    const flat = jl.jit(
      "template <typename T> T flat(T k = 1) { return k * T(index(0) * extent(1) + index(1)); }",
    );
    expect(flat({ shape: [2, 3], dtype: "int32" }).toArray()).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    expect(flat({ out: jl.zeros([3, 2]).T, k: 2 }).toArray()).toEqual([
      [0, 2, 4],
      [6, 8, 10],
    ]);
    const along = jl.jit(
      "template <typename T> void along(T x, T& a, int64& b) { a = x + index(1); b = extent(0); }",
    );
    const [a, b] = along(jl.ones([3, 2]).T) as unknown as [jl.Tensor, jl.Tensor];
    expect([a.toArray(), b.toArray()[0]]).toEqual([
      [
        [1, 2, 3],
        [1, 2, 3],
      ],
      [2n, 2n, 2n],
    ]);
    expect(() => along(x())).toThrow("along: index");
    expect(() => flat({ shape: [2, 2], index_0: 1 } as never)).toThrow("no parameter");
    const after = jl.jit("template <typename T> T f(T x) { return x > index(0) ? extent(0) : index(0); }");
    expect(after(x()).toArray()).toEqual([3, 3, 3]);
    const alone = jl.jit("template <typename T> T f() {\n  return index(0);\n}");
    expect(alone({ shape: [3] }).toArray()).toEqual([0, 1, 2]);
    const own = jl.jit(
      "int index(int x) { return x + 1; }\ntemplate <typename T> T f(T x) { return x + index(3); }",
    );
    expect(own(x()).toArray()).toEqual([5, 6, 7]);
  });
  test("has the constants of math.h, in the precision of its kernel", () => {
    const f = jl.jit("template <typename T> T f(T x) { return x < 2 ? M_PI * x : x < 3 ? INFINITY : NAN; }");
    expect(f(x()).toArray()).toEqual([Math.fround(Math.PI), Number.POSITIVE_INFINITY, Number.NaN]);
    expect(f(jl.tensor([1], { dtype: "float64" })).toArray()).toEqual([Math.PI]);
    expect(jl.explain(f, { dtypes: ["float32"], device: "cpu" })[0]?.source).not.toContain("double M_PI");
  });
  test("may use the names of the generated part", () => {
    const f = jl.jit(`#define begin 1
      #define end 2
      template <typename T> bool isnan(T x) { return x > begin; }
      template <typename T> T cast(T x) { return isnan(x) ? end * x : x; }`);
    expect(f(x()).toArray()).toEqual([1, 4, 6]);
    const element = jl.jit("template <typename T> T element(T x) { return x + 1; }");
    expect(element(x()).toArray()).toEqual([2, 3, 4]);
  });
  test("equal texts with equal options are one functor", () => {
    const text = "template <typename T> T interned(T x, T k = 1) { return x * k; }";
    const [one, same, other] = [jl.jit(text), jl.jit(text), jl.jit(text, { params: { k: 2 } })];
    expect(jl.functorOf(one)).toBe(jl.functorOf(same));
    expect(jl.functorOf(one)).not.toBe(jl.functorOf(other));
    one(x());
    expect(jl.record(() => same(x())).launches[0]?.origin).toBe("memory");
    const negative = jl.jit(text, { params: { k: -0 } });
    expect(jl.functorOf(negative)).not.toBe(jl.functorOf(jl.jit(text, { params: { k: 0 } })));
  });
  test("half types compute in float32", () => {
    const f = jl.jit("template <typename T> T third(T x) { return x / T(3); }");
    const result = f(jl.tensor([1, 2], { dtype: "float16" }));
    expect(result.dtype.name).toBe("float16");
    expect(result.toArray()).toEqual([0.333251953125, 0.66650390625]);
  });
});

describe("refusals", () => {
  const f = jl.jit("template <typename T> T scale(T x, T factor) { return x * factor; }", {
    params: { factor: 2 },
  });
  const cases: [string, () => unknown][] = [
    ["no function", () => jl.jit("int x;")],
    [
      "unknown parameter of jit",
      () => jl.jit("template <typename T> T f(T x, T alpha) { return x; }", { params: { alpa: 1 } }),
    ],
    [
      "reserved parameter",
      () => jl.jit("template <typename T> T f(T x, T out) { return x; }", { params: { out: 1 } }),
    ],
    ["void without outputs", () => jl.jit("template <typename T> void f(T x) { }")],
    ["nothing returned", () => jl.jit("template <typename T> T f(T x) { x + x; }")],
    [
      "two templates of one name",
      () =>
        jl.jit("template <typename T> T f(T x) { return x; }\ntemplate <typename T> T f(T x) { return 2; }"),
    ],
    ["unknown type", () => jl.jit("template <typename T> T f(T x, float4 v) { return x; }")],
    ["argument count", () => f(x(), y())],
    ["unknown parameter of a call", () => f(x(), { facto: 3 })],
    ["no shape", () => jl.jit("template <typename T> T one() { return 1; }")()],
    [
      "a syntax error, checked",
      () => jl.jit("template <typename T>\nT bad(T x) {\n  return x +;\n}").check("cpu"),
    ],
    ["an error of one dtype", () => jl.jit("template <typename T> T bits(T x) { return x & 1; }")(x())],
    ["an array for a tensor", () => f([1, 2, 3] as never)],
    ["a kernel for a functor", () => jl.jit('extern "C" __global__ void f(float* x) { x[0] = 1; }')],
    ["a name that C++ does not take", () => jl.jit("int f(int x) { return x; }", { name: 'f"\n#error' })],
    ["a stray brace", () => jl.jit("template <typename T>\nT f(T x) {\n  return x; }\n}")],
    [
      "a default that is no number",
      () => jl.jit("template <typename T> T f(T x, T k = T(1) / 3) { return x; }"),
    ],
    [
      "a parameter that is no number",
      () => jl.jit("int f(int x, int k) { return x; }", { params: { k: "2" as never } }),
    ],
    ["an unused parameter of one letter", () => jl.jit("int f(int x) { return x; }", { params: { k: 2 } })],
    ["an unknown function of the library", () => jl.jit("int f(int x) { return jl::log_ndtr(x); }")],
    [
      "an error of the standard library",
      () => jl.jit("template <typename T> T f(T x) { return std::accumulate(x, x); }")(x()),
    ],
    [
      "an error of a type that an operation refuses",
      () => jl.jit("template <typename T> T f(T x) { return jl::gcd(x, x); }")(x()),
    ],
    ["not explainable", () => jl.explain(Math.sin)],
  ];
  test.for(cases)("%s", ([name, run], { skip }) => {
    skip(
      device !== "cpu" && name.includes("error"),
      "Compilers word their complaints differently; their form is tested on the cpu device.",
    );
    let message = "nothing was thrown";
    try {
      run();
    } catch (error) {
      expect(error).toBeInstanceOf(jl.JitlabError);
      message = (error as Error).message;
    }
    expect(message).toMatchSnapshot();
  });
  test("the same functor works for a dtype that it has a meaning for", () => {
    const bits = jl.jit("template <typename T> T bits(T x) { return x & 1; }");
    expect(() => bits(x())).toThrow(jl.CompileError);
    expect(bits(jl.arange(3)).toArray()).toEqual([0, 1, 0]);
  });
});

describe("a functor's kernels", () => {
  const origin = (fn: () => unknown) => jl.record(fn).launches[0]?.origin;
  test("are given back by unload(), which leaves those of others alone", () => {
    const text = "template <typename T> T unloaded(T x) { return x * T(5); }";
    const [one, other] = [jl.jit(text), jl.jit(text.replaceAll("unloaded", "kept"))];
    for (const f of [one, other]) f(x());
    one.unload();
    expect([origin(() => one(x())), origin(() => other(x()))]).toEqual(["disk", "memory"]);
    expect(one(x()).toArray()).toEqual([5, 10, 15]);
  });
  test("fail by the names that the user gave", () => {
    const wrong = "float twice(float x) { return x * 2; }\nfloat f(float x) { return twice(x, 1.5f, x); }";
    let message = "";
    try {
      jl.jit(wrong)(x());
    } catch (error) {
      message = String((error as jl.CompileError).log);
    }
    expect(message).toContain("twice");
    expect(message).not.toMatch(/functor::|anonymous|unnamed/);
  });
  test("fail by the lines of the file that holds the text, and say what else was tried", () => {
    const bits = jl.jit("template <typename T>\nT bits(T x) {\n  return x & 1;\n}", {
      place: { file: "mine.ts", line: 7 },
    });
    expect(() => bits(x())).toThrow(
      /^bits does not compile for float32: 1 error\.\nmine\.ts:9:1[02]: error: /,
    );
    bits(jl.arange(3));
    expect(() => bits(jl.zeros([2], { dtype: "float64" }))).toThrow(
      /^bits does not compile for float64: .*\n.*\n {3}9 \| {3}return x & 1;\n {5}\| {10,12}\^\nIt failed for float32 too\. It works for int32\.$/,
    );
  });
});

describe("the functor tagged template", () => {
  test("makes the function of a text", () => {
    const factor = 3;
    const f = jl.functor`template <typename T> T times(T x, T more = 1) { return x * T(${factor}) + more; }`;
    expect(f.name).toBe("times");
    expect(f.source).toContain("T(3)");
    expect(f(x(), { more: 10 }).toArray()).toEqual([13, 16, 19]);
  });
  test("takes options first", () => {
    const f = jl.functor({
      returns: "bool",
      name: "isLarge",
    })`template <typename T> bool large(T x) { return x > 2; }`;
    expect(f.name).toBe("isLarge");
    expect(f(x()).toArray()).toEqual([false, false, true]);
  });
});

describe("jl.explain", () => {
  test("renders the layout that is asked for, without arguments", () => {
    const variantOf = (layout: string) => jl.explain(jl.add, { device: "cuda", layout })[0]?.variant;
    expect(["contiguous", "strided1", "strided3"].map(variantOf)).toEqual([
      "contiguous",
      "strided1x4",
      "strided3x4",
    ]);
  });

  test("shows the kernels of a reduction that run, whatever the alignment", () => {
    const aligned = jl.zeros([1001]);
    for (const view of [aligned, aligned.narrow(0, 1, 1000)]) {
      const { launches } = jl.record(() => view.sum());
      expect(jl.explain(jl.sum, view).map(({ key }) => key)).toEqual(launches.map(({ key }) => key));
    }
  });
  test("takes one dtype for a reduction", () => {
    expect(() => jl.explain(jl.sum, { dtypes: ["float32", "int32"] })).toThrow(
      /^explain: sum reduces one tensor, but 2 dtypes were given: float32, int32\./,
    );
    expect(() => jl.precompile([[jl.sum, "float32", "nonsense" as never]])).toThrow(/nonsense/);
  });
  test("renders without a device, and deterministically", () => {
    const [kernel] = jl.explain(jl.gcd, { device: "cuda", arch: "sm_90", dtypes: ["int64"] });
    expect(kernel?.language).toBe("CUDA C++");
    expect(kernel?.source).toContain("__global__");
    expect(kernel?.source).not.toContain("#include");
    expect(jl.explain(jl.gcd, { device: "cuda", arch: "sm_90", dtypes: ["int64"] })[0]?.source).toBe(
      kernel?.source,
    );
  });
  test("follows the arguments of the call", () => {
    const [kernel] = jl.explain(jl.add, jl.zeros([2, 3]).T, jl.zeros([3, 2]));
    expect(kernel?.variant).toBe("strided2");
    expect(kernel?.dtypes).toEqual(["float32", "float32", "float32"]);
    const [scalar] = jl.explain(jl.add, jl.zeros([2]), 1);
    expect(scalar?.dtypes).toEqual(["float32", "float32", "float32 scalar"]);
  });
  test("gives the host's assembly on the cpu, PTX on a GPU", () => {
    expect(jl.explain(jl.add)[0]?.ptx).toContain("ret");
  });
  test.skipIf(device === "wasm")(
    "shows no call: a functor is part of its kernel, however it is written",
    () => {
      const plain = jl.jit("float plain(float a, float b) { return a * b + 1; }");
      const long = jl.jit(`float long_one(float x, float y) {
      float a = x * 2 + y, b = 1, c = 0;
      for (int k = 0; k < 6; k++) { b = b * a + x; c = c + b * y; }
      float d = a > 0 ? b / (1 + c * c) : c / (1 + b * b), e = d * d + a;
      for (int k = 0; k < 8; k++) { e = e * x + 1; d += e; }
      if (x > 1) d = d + e * 3;
      return d + e * (a - b) / (1 + y * y) + c;
    }`);
      for (const f of [plain, long]) {
        expect(jl.explain(f, x(), y())[0]?.ptx).not.toMatch(/^\s*(call|bl)\b/m);
      }
    },
  );
  test("a kernel that was launched is the one explained", () => {
    jl.mul(x(), y());
    const key = jl.explain(jl.mul, x(), y())[0]?.key;
    expect(jl.timings().map((row) => row.key)).toContain(key);
  });
});

describe("jl.record", () => {
  test("lists the launches of a function, synchronous or not", async () => {
    const f = jl.jit("template <typename T> T recorded(T x) { return x + T(1); }");
    // An earlier run may have left it.
    jl.cache.clear({ op: "recorded" });
    const first = jl.record(() => f(x()));
    expect(first.launches.map((launch) => [launch.op, launch.origin])).toEqual([["recorded", "compiled"]]);
    expect(first.launches[0]?.phases.compileMs).toBeGreaterThan(0);
    const second = await jl.record(async () => {
      await Promise.resolve();
      return f(x()).item === undefined ? 0 : 1;
    });
    expect(second.value).toBe(1);
    expect(second.launches.map((launch) => launch.origin)).toEqual(["memory"]);
    expect(second.launches[0]?.phases.compileMs).toBe(0);
  });
  test("gives device times when asked", () => {
    const recording = jl.record(() => x().add(1), { device: true });
    expect(recording.launches[0]?.deviceUs).toBeGreaterThanOrEqual(0);
  });
  test("lists every launch, in order and with its time, also where it times only some", () => {
    const t = x();
    const outer = jl.startRecording();
    const { launches } = jl.record(() => {
      for (let i = 0; i < 2000; i++) t.mul(t);
    });
    const all = outer.stop().launches;
    expect([launches.length, all.length]).toEqual([2000, 2000]);
    expect(launches.every((launch, i) => i === 0 || launch.startMs >= (launches[i - 1]?.startMs ?? 0))).toBe(
      true,
    );
    expect(launches.filter(({ phases, bytes }) => !(phases.launchMs > 0) || bytes !== 36)).toEqual([]);
    expect(outer.stop().launches).toHaveLength(2000);
    expect(jl.record(() => t.mul(t)).launches).toHaveLength(1);
  });
  test("a failing function closes its recording", () => {
    expect(() =>
      jl.record(() => {
        throw new Error("mine");
      }),
    ).toThrow("mine");
    expect(jl.record(() => 1).launches).toEqual([]);
  });
});
