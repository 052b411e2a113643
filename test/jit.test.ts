// jl.jit and jl.explain: functors as users write them, and what they are told when one does not compile.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../dist/runtime/index.js";
import { device, useDevice } from "./support/device.js";

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

describe("the cuda tagged template", () => {
  test("makes the function of a text", () => {
    const factor = 3;
    const f = jl.cuda`template <typename T> T times(T x, T more = 1) { return x * T(${factor}) + more; }`;
    expect(f.name).toBe("times");
    expect(f.source).toContain("T(3)");
    expect(f(x(), { more: 10 }).toArray()).toEqual([13, 16, 19]);
  });
  test("takes options first", () => {
    const f = jl.cuda({
      returns: "bool",
      name: "isLarge",
    })`template <typename T> bool large(T x) { return x > 2; }`;
    expect(f.name).toBe("isLarge");
    expect(f(x()).toArray()).toEqual([false, false, true]);
  });
});

describe("jl.explain", () => {
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
  test("a kernel that was launched is the one explained", () => {
    jl.mul(x(), y());
    const key = jl.explain(jl.mul, x(), y())[0]?.key;
    expect(jl.timings().map((row) => row.key)).toContain(key);
  });
});

describe("jl.record", () => {
  test("lists the launches of a function, synchronous or not", async () => {
    const f = jl.jit("template <typename T> T recorded(T x) { return x + T(1); }");
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
