// Derivatives of users' functors as NVRTC compiles them, no GPU needed: first and second order, and the value with its gradient in one
// kernel.
import { describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { functors } from "../support/derived-functors.js";
import { gpuTarget, requestsOnGpu } from "../support/gpu-text.js";
import { keptCompile } from "../support/kept-compile.js";

const { probeNvrtc } = (await import(
  "../../dist/runtime/device/cuda/nvrtc.js"
)) as typeof import("../../runtime/device/cuda/nvrtc.js");

const found = probeNvrtc();

describe.skipIf(!found.path)(`derivatives as CUDA C++${found.path ? "" : ` (${found.reason})`}`, () => {
  test.each(functors)("%s", (_, f) => {
    jl.setDevice("cpu");
    const both = jl.valueAndGrad((x: jl.Tensor, y: jl.Tensor) => f(x, y).sum(), { argnums: [0, 1] });
    const second = jl.grad((x: jl.Tensor, y: jl.Tensor) => both(x, y).grad[0].sum());
    const requests = requestsOnGpu(() => {
      const [x, y] = [jl.zeros([6]), jl.zeros([6])];
      jl.compile(both)(x, y);
      jl.compile(second)(x, y);
    });
    const derived = requests.filter(({ source }) => source.includes("namespace duals"));
    expect(derived.length).toBeGreaterThanOrEqual(2);
    for (const { source } of derived) {
      const { assembly } = keptCompile(gpuTarget.compiler, {
        source,
        flags: gpuTarget.flags,
        name: "derived",
      });
      expect(assembly).toContain(".entry");
    }
  });
});
