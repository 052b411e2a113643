// Every functor as NVRTC compiles it, no GPU needed: all ops of a compute dtype in one source, for three generations of
// GPUs, and float32 without a single double instruction.
import { describe, expect, test } from "vitest";
import type { CompileOutput } from "../../runtime/device/device.js";
import { dtypeList, entriesOf, sourceOf } from "../support/functor-harness.js";

const { cudaTarget, createCompiler, probeNvrtc } = (await import(
  "../../dist/runtime/device/cuda/nvrtc.js"
)) as typeof import("../../runtime/device/cuda/nvrtc.js");

const found = probeNvrtc();
const computes = dtypeList.filter((dtype) => dtype.compute === dtype.name);

async function compile(dtype: (typeof computes)[number], arch: string): Promise<CompileOutput> {
  const target = cudaTarget(arch);
  const source = sourceOf(dtype, "cuda");
  return (await createCompiler(target.compiler).compile({
    name: dtype.name,
    source,
    flags: target.flags,
  })) as CompileOutput;
}

describe.skipIf(!found.path)(`functors as CUDA C++${found.path ? "" : ` (${found.reason})`}`, () => {
  test.each(computes.map((dtype) => [dtype.name, dtype] as const))("%s", async (name, dtype) => {
    const { assembly } = await compile(dtype, "sm_90");
    for (const entry of entriesOf(dtype)) expect(assembly).toContain(`.entry ${entry.name}_loop(`);
    if (name !== "float64" && name !== "complex128") {
      const lines = assembly.split("\n");
      // Integers that are divided or rooted compute in float32, so no other dtype has a double either.
      const doubles = lines.filter((line) => /\.f64/.test(line));
      expect(doubles.slice(0, 5)).toEqual([]);
    }
  });

  test.each(["sm_75", "sm_100"])("float32 for %s", async (arch) => {
    const float32 = computes.find((dtype) => dtype.name === "float32");
    expect(float32 && (await compile(float32, arch)).binary.length).toBeGreaterThan(1000);
  });
});
