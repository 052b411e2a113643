// The kernels of scans in compiled functions as NVRTC compiles them, no GPU needed.
import { beforeAll, describe, expect, test } from "vitest";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import * as jl from "../../dist/runtime/index.js";
import { gpuTarget, requestsOnGpu } from "../support/gpu-text.js";
import { keptCompile } from "../support/kept-compile.js";

const nvrtc = findNvrtc();
if (!nvrtc)
  console.warn(
    "SKIPPED: NVRTC was not found; install it with `pip install nvidia-cuda-nvrtc` in a venv and set VIRTUAL_ENV",
  );

beforeAll(() => {
  jl.setDevice("cpu");
});

const bodies: Readonly<Record<string, (x: jl.Tensor, y: jl.Tensor) => [jl.Tensor, jl.Tensor]>> = {
  maps: (x, y) => [x.mul(0.9).add(y).tanh(), x.mul(y)],
  draws: (x, y) => [x.add(jl.randn([4, 6])).add(y), x.mul(jl.rand([4, 6]))],
  products: (x, y) => [x.matmul(x.T).matmul(y).tanh(), x.sum(1)],
};

describe.skipIf(!nvrtc)("NVRTC compiles", () => {
  for (const dtype of ["float32", "float64", "float16", "bfloat16"] as const)
    for (const [name, body] of Object.entries(bodies)) {
      test(`a scan of ${name} of ${dtype}`, () => {
        const own: typeof body = (x, y) => {
          const [next, result] = body(x, y);
          return [next.to(dtype), result.gt(0)];
        };
        const requests = requestsOnGpu(() => {
          const [x, xs] = [jl.zeros([4, 6], { dtype }), jl.zeros([5, 4, 6], { dtype })];
          jl.compile(() => jl.scan(own, x, xs))();
          // Of another order, whose elements are not adjacent.
          jl.compile(() => jl.scan(own, jl.zeros([6, 4], { dtype }).T, xs.flip(1)))();
        });
        const kernels = requests.filter(({ op }) => /^scan|tanh/.test(op));
        for (const source of new Set(kernels.map((kernel) => kernel.source))) {
          const flags = gpuTarget.flags;
          const { binary, log } = keptCompile(gpuTarget.compiler, { source, flags, name: "scan" });
          expect(binary.length, source).toBeGreaterThan(500);
          expect(log, source).not.toContain("warning");
        }
        const loops = kernels.filter(({ op }) => op.startsWith("scan"));
        expect(loops.length > 0).toBe(name !== "products");
      });
    }
});
