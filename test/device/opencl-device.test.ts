// What a device of OpenCL does beyond PyTorch's golden files: what compilers and drivers have got wrong, the refusals, and what the
// magics ask for. Runs where there is such a device; `npm run test:opencl` makes one.
import { beforeAll, describe, expect, test } from "vitest";
import { openclTarget } from "../../dist/runtime/device/opencl/clang.js";
import * as jl from "../../dist/runtime/index.js";

const found = jl.devices().find(({ kind }) => kind === "opencl");
const missing = found?.available ? "" : ` (skipped: ${found?.reason})`;
const opencl = "opencl:0";

test("clang is told to find no copies by itself, and to contract nothing", () => {
  const { flags, contraction } = openclTarget();
  expect(flags).toEqual(expect.arrayContaining(["-ffreestanding", "-fno-builtin", contraction.off]));
  expect(flags[flags.indexOf("-triple") + 1]).toMatch(/^spirv64v1\.\d$/);
});

describe.skipIf(missing !== "")(`on a device of OpenCL${missing}`, () => {
  beforeAll(() => {
    jl.setDevice(opencl);
  });

  /** A result of the device beside the processor's. */
  function beside(compute: (device: string) => jl.Tensor): [unknown, unknown] {
    return [compute(opencl).toArray(), compute("cpu").toArray()];
  }

  const numbers = (count: number, device: string, step = 7919n) =>
    jl.tensor(
      BigInt64Array.from({ length: count }, (_, i) => (BigInt(i) * step) % 10007n),
      { device },
    );

  test("greatest common divisors, in which LLVM makes copies that overlap", () => {
    const [a, b] = [(i: number) => i * 6, (i: number) => (i % 17) * 12];
    const gcd = (x: number, y: number): number => (y === 0 ? x : gcd(y, x % y));
    const made = (of: (i: number) => number) =>
      jl.tensor(BigInt64Array.from({ length: 1024 }, (_, i) => BigInt(of(i))));
    const expected = Array.from({ length: 1024 }, (_, i) => BigInt(gcd(a(i), b(i))));
    expect(jl.gcd(made(a), made(b)).toArray()).toEqual(expected);
  });

  test.each([5, 700, 5000, 20_000])("sorts of %i elements, whose threads exchange counts", (count) => {
    const sorted = (device: string) => jl.argsort(numbers(count, device));
    const [own, other] = beside(sorted);
    expect(own).toEqual(other);
  });

  test.each([100, 5000, 100_000])("scans of %i elements, whose parts wait for no other ones", (count) => {
    const [own, other] = beside((device) => jl.cumsum(numbers(count, device), 0));
    expect(own).toEqual(other);
  });

  test("the distinct elements, and the places of true ones", () => {
    const [own, other] = beside((device) => jl.unique(numbers(30_000, device, 3n)));
    expect(own).toEqual(other);
    const [places, others] = beside((device) => jl.nonzero(numbers(30_000, device).gt(9000)));
    expect(places).toEqual(others);
  });

  test.each([
    [3, 20],
    [5, 130],
    [7, 300],
    [2, 1000],
  ])("rows of a compiled softmax, %i of %i: threads without a row help the others", (rows, length) => {
    const softmax = jl.compile((x: jl.Tensor<"float32">) => jl.softmax(x.mul(2), 1));
    const of = (device: string) =>
      softmax(
        numbers(rows * length, device)
          .to("float32")
          .div(1000)
          .reshape([rows, length]),
      );
    const [own, other] = beside(of);
    expect(jl.allclose(jl.tensor(own as number[][]), jl.tensor(other as number[][]))).toBe(true);
  });

  test("functors in C++ and TypeScript, and an error in one with its line", () => {
    const x = jl.tensor([1, 2, 3]);
    const twice = jl.jit("template <typename T> T twice(T a) { return a + a; }");
    expect(twice(x).toArray()).toEqual([2, 4, 6]);
    const cube = jl.jit((a: number) => a * a * a);
    expect(cube(x).toArray()).toEqual([1, 8, 27]);
    const wrong = jl.jit("template <typename T> T wrong(T a) { return a + b; }");
    expect(() => wrong(x)).toThrow(/wrong:1:\d+: error: use of undeclared identifier 'b'/);
  });

  test.each(["erf", "erfc", "erfcx", "erfinv", "gelu", "ndtr", "logNdtr", "ndtri"] as const)(
    "%s of float32 does without float64, which GPUs may lack, and is the processor's",
    (name) => {
      const [kernel] = jl.explain(jl[name], jl.tensor([1]));
      expect(kernel?.ptx).toContain("OpCapability");
      expect(kernel?.ptx).not.toContain("OpCapability Float64");
      // Up to 15, where erfcx is no float any more, and near the ends of erfinv and ndtri.
      const at = Float32Array.from({ length: 3001 }, (_, i) => (i - 1500) / 100);
      const special = [
        9.3823,
        -9.3823,
        9.4369,
        -9.4369,
        1e19,
        -1e19,
        3e38,
        -3e38,
        1e-20,
        1e-40,
        1e-18,
        0.0009,
        0.99999994,
        -0.9953215,
        1,
        -0,
        Infinity,
        -Infinity,
        NaN,
      ];
      const of = (device: string) =>
        jl[name](jl.tensor([...at, ...special], { device })).toArray() as number[];
      const expected = of("cpu");
      for (const [i, value] of of(opencl).entries()) {
        const other = expected[i] as number;
        const isZero = value === 0 && other === 0;
        const isNear = Math.abs(value - other) <= Math.max(3 * 2 ** -23 * Math.abs(other), 2 ** -148);
        expect(
          Object.is(value, other) || (isNear && !isZero),
          `${name} of number ${i}: ${value}, not ${other}`,
        ).toBe(true);
      }
    },
  );

  test("a raw kernel is CUDA's, and says so", () => {
    const count = jl.rawKernel("__global__ void count(int* x) { x[threadIdx.x] = threadIdx.x; }", "count");
    expect(() => count({ grid: 1, block: 3 }, jl.zeros([3], { dtype: "int32" }))).toThrow(
      /^count is a CUDA kernel, but x is on opencl:0\.\nMove it/,
    );
  });

  test("what %source, %timings and %cache ask for", () => {
    const x = jl.tensor([1, 2, 3]);
    const [kernel] = jl.explain(jl.tanh, x);
    expect(kernel).toMatchObject({ language: "CUDA C++ for OpenCL", arch: "spirv64" });
    expect(kernel?.source).toContain("JITLAB_KERNEL(");
    expect(kernel?.ptx).toContain("OpExtInstImport");
    jl.tanh(x);
    expect(jl.timings().some(({ device, op }) => device === opencl && op === "tanh")).toBe(true);
  });

  test("precompiled kernels are not compiled again", () => {
    jl.precompile([[jl.acos, "float32"]], { device: opencl });
    expect(jl.precompile([[jl.acos, "float32"]], { device: opencl }).compiled).toBe(0);
    expect(jl.acos(jl.tensor([1])).item()).toBe(0);
  });

  test("small copies that use the host's memory again, with work between them", () => {
    const of = (i: number) => Int32Array.from({ length: 250 }, (_, k) => i * k);
    const made = Array.from({ length: 400 }, (_, i) => jl.tensor(of(i)));
    for (const [i, x] of made.entries()) expect(x.add(i).sub(i).toArray()).toEqual([...of(i)]);
  });

  test("copies between devices, and memory that is used again", () => {
    const x = jl.arange(1000).to("float32");
    expect(x.to("cpu").to(opencl).sub(x).abs().amax().item()).toBe(0);
    for (let i = 0; i < 200; i++) x.add(i).dispose();
    jl.memory.release();
    expect(x.sum().item()).toBe(499_500);
  });
});
