// Faults in users' functors on the processor: what C++ leaves undefined has the library's result, and what cannot is named.
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";

const on = { device: "cpu" };
const library = new URL("../../dist/runtime/index.js", import.meta.url).href;

describe("an integer division in a functor", () => {
  const quotient = jl.jit("template <typename T> T quotient(T x, T y) { return x / y; }");
  const remainder = jl.jit("template <typename T> T remainder(T x, T y) { return x % y; }");
  const least: readonly (readonly [jl.DTypeName, bigint])[] = [
    ["uint8", 0n],
    ["int8", -(2n ** 7n)],
    ["int16", -(2n ** 15n)],
    ["int32", -(2n ** 31n)],
    ["int64", -(2n ** 63n)],
  ];
  test.each(["cpu", "wasm"].flatMap((device) => least.map(([dtype, low]) => [dtype, device, low] as const)))(
    "of %s by zero gives 0 on %s, and by -1 wraps",
    (dtype, device, low) => {
      const one = dtype === "uint8" ? 255n : -1n;
      const rows = [
        [7n, 2n, 3n, 1n],
        [0n, 0n, 0n, 0n],
        [7n, 0n, 0n, 0n],
        [low, 0n, 0n, 0n],
        [low, one, low, 0n],
        [low, 1n, low, 0n],
        [1n, 3n, 0n, 1n],
      ];
      const column = (i: number) =>
        jl
          .tensor(rows.map((row) => row[i] ?? 0n))
          .to(dtype)
          .to(device);
      const [x, y] = [column(0), column(1)];
      expect(quotient(x, y).toArray()).toEqual(column(2).toArray());
      expect(remainder(x, y).toArray()).toEqual(column(3).toArray());
    },
  );

  test.each([
    [
      "a table",
      "int t[4] = {5, 0, 7, 0}; for (int i = 0; i < 4; i++) t[i] += (int)x & 0; return x / t[(int)y & 3];",
    ],
    ["a field", "struct { char pad[200]; T d; } s; s.d = y; volatile T *p = &s.d; return x / *p;"],
    [
      "many values",
      "T a = x / y, b = (x + 1) / (y * 2), c = (x + 2) / (y * 3), d = x % y; return a + b + c + d;",
    ],
    ["unsigned values", "return (T)((unsigned)x / (unsigned)y) + (T)((unsigned long)x % (unsigned long)y);"],
    ["narrow values", "return (short)x / (short)y + (signed char)x / (signed char)y;"],
  ])("by zero in %s gives 0, on all threads", (_, body) => {
    const f = jl.jit(`template <typename T> T f(T x, T y) { ${body} }`);
    const x = jl.arange(1, 100_001, 1, { dtype: "int32", ...on });
    const y = body.includes("t[")
      ? jl.full([100_000], 3, { dtype: "int32", ...on })
      : jl.zeros([100_000], { dtype: "int32", ...on });
    expect(f(x, y).eq(0).all().item()).toBe(true);
    const one = body.includes("t[") ? 0 : 1;
    expect(f(x, y.mul(0).add(one)).eq(0).all().item()).toBe(false);
  });
});

describe("a functor that touches memory that is not its own", () => {
  test("ends the call on wasm, named with its own text, also where another one of its name came later", () => {
    const wild = (mark: string) =>
      jl.jit(
        `template <typename T> T same(T x) { return *(volatile T *)(x > 0 ? 4294967288u : 64u); /* ${mark} */ }`,
      );
    const [first, second] = [wild("first"), wild("second")];
    const [ones, zeros] = [1, 0].map((value) => jl.full([3], value, { dtype: "int32", device: "wasm" }));
    first(zeros as jl.Tensor);
    second(zeros as jl.Tensor);
    expect(() => first(ones as jl.Tensor)).toThrow(
      /same_int32\w* was stopped on the device wasm[\s\S]*first/,
    );
    expect(() => second(ones as jl.Tensor)).toThrow(
      /same_int32\w* was stopped on the device wasm[\s\S]*second/,
    );
  });

  const run = (functor: string, count: number) =>
    spawnSync(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import * as jl from ${JSON.stringify(library)};
         jl.setDevice("cpu");
         jl.jit(${JSON.stringify("template <typename T> T good(T x) { return x; }")})(jl.ones([2]));
         jl.jit(${JSON.stringify(functor)})(jl.ones([${count}]));`,
      ],
      { encoding: "utf8" },
    );
  test.each([
    ["on the calling thread", 3, "template <typename T> T wild(T x) { return ((T *)16)[(int)x]; }"],
    ["on another thread", 4_000_000, "template <typename T> T wild(T x) { return ((T *)16)[(int)x]; }"],
    [
      "by using up the stack",
      3,
      "template <typename T> T wild(T x) { volatile char a[1000]; a[0] = x; return x < 0 ? x : wild(x + 1) + a[0]; }",
    ],
  ])("is named with its text %s", (_, count, functor) => {
    const { signal, stderr } = run(functor, count);
    expect(signal).toBe("SIGSEGV");
    expect(stderr).toMatch(/^jitlab: SIGSEGV in the kernel wild_float32\w*\. Its functor:/m);
    expect(stderr).toContain(functor);
    expect(stderr).not.toContain("good");
  });

  test("changes nothing for other faults", () => {
    const { signal, stderr, stdout } = spawnSync(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import * as jl from ${JSON.stringify(library)};
         jl.jit("template <typename T> T good(T x) { return x; }")(jl.ones([2], { device: "cpu" }));
         // (func (export "f") (result i32) (i32.load (i32.const -1)))
         const bytes = "0061736d010000000105016000017f030201000503010001070501016600000a09010700417f2802000b";
         const { f } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(bytes, "hex"))).exports;
         try { f(); } catch (error) { console.log(error.name, error.message); }
         process.kill(process.pid, "SIGSEGV");
         setInterval(() => undefined, 1000);`,
      ],
      { encoding: "utf8" },
    );
    expect(signal).toBe("SIGSEGV");
    expect(stderr).toBe("");
    expect(stdout).toBe("RuntimeError memory access out of bounds\n");
  });
});
