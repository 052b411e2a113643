// Every functor as NVRTC compiles it, no GPU needed: all ops of a compute dtype in one source, for three generations of
// GPUs, and float32 without a single double instruction.
import { describe, expect, test } from "vitest";
import type { CompileOutput } from "../../runtime/device/device.js";
import { dtypeList, entriesOf, sourceOf } from "../support/functor-harness.js";
import { keptCompile } from "../support/kept-compile.js";

const { cudaTarget, probeNvrtc } = (await import(
  "../../dist/runtime/device/cuda/nvrtc.js"
)) as typeof import("../../runtime/device/cuda/nvrtc.js");

const found = probeNvrtc();
const computes = dtypeList.filter((dtype) => dtype.compute === dtype.name);

function compile(dtype: (typeof computes)[number], arch: string): CompileOutput {
  const target = cudaTarget(arch);
  const source = sourceOf(dtype, "cuda");
  return keptCompile(target.compiler, { name: dtype.name, source, flags: target.flags });
}

describe.skipIf(!found.path)(`functors as CUDA C++${found.path ? "" : ` (${found.reason})`}`, () => {
  test.each(computes.map((dtype) => [dtype.name, dtype] as const))("%s", (name, dtype) => {
    const { assembly } = compile(dtype, "sm_90");
    for (const entry of entriesOf(dtype)) expect(assembly).toContain(`.entry ${entry.name}_loop(`);
    if (name !== "float64" && name !== "complex128") {
      const lines = assembly.split("\n");
      // Integers that are divided or rooted compute in float32, so no other dtype has a double either.
      const doubles = lines.filter((line) => /\.f64/.test(line));
      expect(doubles.slice(0, 5)).toEqual([]);
    }
  });

  test.each(["sm_75", "sm_100"])("float32 for %s", (arch) => {
    const float32 = computes.find((dtype) => dtype.name === "float32");
    expect(float32 && compile(float32, arch).binary.length).toBeGreaterThan(1000);
  });
});
