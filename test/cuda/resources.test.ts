// Registers, shared and local memory, read from what the real NVRTC compiled, against what its own assembler reports; and
// the warning of double arithmetic by real PTX.
import { describe, expect, test } from "vitest";
import { createMagicRuntime } from "../../dist/magics/index.js";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import { createCompiler, cudaTarget } from "../../dist/runtime/device/cuda/nvrtc.js";
import * as jl from "../../dist/runtime/index.js";
import { FakeHost } from "../support/magic-host.js";

// One kernel needs little, the other keeps more values than it may have registers, and an array that all threads share.
const source = `
extern "C" __global__ void small(float* a) { a[threadIdx.x] = 1; }
extern "C" __global__ void __launch_bounds__(1024) large(float* a, int n) {
  __shared__ float shared[96];
  float v[64];
  for (int i = 0; i < 64; i++) v[i] = a[i * n + threadIdx.x];
  shared[threadIdx.x % 96] = v[3];
  __syncthreads();
  for (int k = 0; k < n; k++) for (int i = 0; i < 64; i++) v[i] = v[i] * v[(i + 7) % 64] + sinf(shared[i]);
  for (int i = 0; i < 64; i++) a[i * n + threadIdx.x] = v[i];
}`;

const architectures = ["sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"];
const needsNvrtc = test.skipIf(findNvrtc() === undefined);

describe.each(architectures)("%s (needs NVRTC)", (arch) => {
  const target = cudaTarget(arch);
  const flags = [...target.flags, "--ptxas-options=-v"];
  const compiled = async () => {
    const compiler = createCompiler(target.compiler);
    return (await compiler.compile({ source, flags, name: "x" })) as { binary: Uint8Array; log: string };
  };

  needsNvrtc.each(["small", "large"])("%s: as the assembler says", async (symbol) => {
    const { binary, log } = await compiled();
    const [, stack, registers, rest = ""] =
      new RegExp(`properties for ${symbol}\\n\\D*(\\d+) bytes stack.*\\n.*Used (\\d+) registers(.*)`).exec(
        log,
      ) ?? [];
    const shared = /(\d+) bytes smem/.exec(rest)?.[1] ?? 0;
    expect(Number(registers)).toBeGreaterThan(0);
    expect(target.resources?.(binary, symbol)).toEqual({
      registers: Number(registers),
      localBytes: Number(stack),
      sharedBytes: Number(shared),
    });
  });

  needsNvrtc("of a kernel that is not there, of other code, of damaged code", async () => {
    const { binary } = await compiled();
    expect(target.resources?.(binary, "missing")).toBe(undefined);
    expect(target.resources?.(Buffer.from(".version 9.0"), "small")).toBe(undefined);
    for (let i = 0; i < 400; i++) {
      const damaged = Uint8Array.from(binary);
      damaged[(i * 7919) % (i < 200 ? 64 : damaged.length)] = (i * 31) % 256;
      expect(() =>
        target.resources?.(damaged.subarray(0, damaged.length - (i % 3) * 500), "large"),
      ).not.toThrow();
    }
  });
});

needsNvrtc("jl.explain tells them of an operation's kernel, without a GPU", () => {
  const [kernel] = jl.explain(jl.digamma, { device: "cuda", arch: "sm_90" });
  expect(kernel?.resources?.registers).toBeGreaterThan(10);
  expect(kernel?.resources?.localBytes).toBe(0);
  expect(jl.explain(jl.add, { device: "cpu" })[0]?.resources).toBe(undefined);
});

needsNvrtc("%source warns where the PTX of a functor computes in double", () => {
  const host = new FakeHost();
  const magic = createMagicRuntime(host);
  const show = (body: string) => {
    host.locals.f = jl.functor`template <typename T> T f(T x) { ${body} }`;
    magic.show("source", { target: "f", dtypes: ["float32"], arch: "sm_90" });
    return host.text();
  };
  expect(show("return x * 0.1 + T(1);")).toMatch(
    /^Warning: This kernel computes in double \(cvt\.f64\.f32, .*Line \d+ has the double constant 0\.1: write T\(0\.1\)\.$/m,
  );
  // What the text alone suggests, the compiler has folded.
  expect(show("const T k = 0.5 * 2.0; return x * k;")).not.toContain("Warning");
  expect(show("return x * T(0.1);")).not.toContain("Warning");
});
