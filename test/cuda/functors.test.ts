// Every functor as NVRTC compiles it, no GPU needed: all ops of a compute dtype in one source, for three generations of
// GPUs, and float32 without a single double instruction.
import { describe, expect, test } from "vitest";
import { renderCheck } from "../../dist/runtime/codegen/maps/render.js";
import { textFunctor } from "../../dist/runtime/functor/text-functor.js";
import { dtypes } from "../../dist/runtime/index.js";
import type { CompileOutput } from "../../runtime/device/device.js";
import { dtypeList, entriesOf, sourceOf } from "../support/functor-harness.js";
import { keptCompile } from "../support/kept-compile.js";

const { cudaTarget, probeNvrtc } = (await import(
  "../../dist/runtime/device/cuda/nvrtc.js"
)) as typeof import("../../runtime/device/cuda/nvrtc.js");

// Calls that NVRTC itself finds ambiguous, or does not know.
const ofOne = [
  "sqrt(x)",
  "floor(1)",
  "lgamma(x)",
  "isnan(x)",
  "signbit(1)",
  "abs(x)",
  "abs(3u)",
  "ldexp(x, 2)",
];
const ofTwo = ["pow(x, 2)", "fmod(x, 2.0)", "max(x, 0.0)", "min(x, 2ll)", "max<T>(x, 1)", "fma(x, 1, 2.0)"];

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

  test.each(["float32", "int32", "uint8", "uint64"] as const)(
    "C's math functions of %s in a user's text",
    (name) => {
      const calls = [...ofOne, ...ofTwo].flatMap((call) => [call, `std::${call}`]);
      const text = `template <typename T> double f(T x) { return ${calls.join(" + ")} + sqrtf(x) + powf(x, 2); }`;
      const target = cudaTarget("sm_90");
      const source = renderCheck(textFunctor("jit", text, {}), dtypes[name], target.dialect);
      const { binary } = keptCompile(target.compiler, { name: "f", source, flags: target.flags });
      expect(binary.length).toBeGreaterThan(0);
    },
  );

  test.each(["sm_75", "sm_100"])("float32 for %s", (arch) => {
    const float32 = computes.find((dtype) => dtype.name === "float32");
    expect(float32 && compile(float32, arch).binary.length).toBeGreaterThan(1000);
  });
});
