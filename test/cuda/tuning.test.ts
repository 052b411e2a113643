// Every form of a GPU's maps and row kernels as NVRTC compiles it, no GPU needed.
import { beforeAll, describe, expect, test } from "vitest";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import * as jl from "../../dist/runtime/index.js";
import type { LoadRequest } from "../../dist/runtime/launch/load-request.js";
import { gpuTarget, requestsOnGpu } from "../support/gpu-text.js";
import { keptCompile } from "../support/kept-compile.js";
import { rowPrograms } from "../support/row-programs.js";

const nvrtc = findNvrtc();
if (!nvrtc)
  console.warn(
    "SKIPPED: NVRTC was not found; install it with `pip install nvidia-cuda-nvrtc` in a venv and set VIRTUAL_ENV",
  );

beforeAll(() => jl.setDevice("cpu"));

const zeros = (...shape: number[]) => jl.zeros(shape);
const softmax = (length: number) => () =>
  jl.compile(rowPrograms.softmax as (x: jl.Tensor) => jl.Tensor)(zeros(64, length));
const calls: Record<string, readonly [call: () => unknown, forms: number]> = {
  "a map": [() => zeros(64, 96).sin(), 9],
  "of half numbers": [() => jl.zeros([64, 96], { dtype: "float16" }).exp(), 9],
  "of misaligned memory": [() => zeros(4097).narrow(0, 1, 4096).neg(), 9],
  "a long functor": [() => zeros(64, 96).digamma(), 9],
  "of a broadcast row": [() => zeros(64, 97).add(zeros(97)), 9],
  "of whole words in rows": [() => zeros(64, 96).add(zeros(96)), 9],
  "of a transposed operand": [() => zeros(96, 96).add(zeros(96, 96).T), 3],
  "rows of 16": [softmax(16), 4],
  "rows of 64": [softmax(64), 4],
  "rows of 1024": [softmax(1024), 4],
};

describe.skipIf(!nvrtc)("NVRTC compiles every form of", () => {
  test.each(Object.entries(calls))("%s", { timeout: 120_000 }, (_, [call, count]) => {
    const { forms = [] } = requestsOnGpu(call).at(-1) as LoadRequest;
    expect(forms).toHaveLength(count);
    const sources = forms.map(({ request }) => request().source);
    expect(new Set(sources).size).toBe(count);
    for (const source of sources) {
      const { binary, log } = keptCompile(gpuTarget.compiler, {
        source,
        flags: gpuTarget.flags,
        name: "form",
      });
      expect(binary.length, source).toBeGreaterThan(500);
      expect(log, source).not.toContain("warning");
    }
  });

  test("a row of a whole block has one form", () => {
    expect((requestsOnGpu(softmax(4096)).at(-1) as LoadRequest).forms).toBeUndefined();
  });
});
