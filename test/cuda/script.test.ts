// Functions of numbers as NVRTC compiles them, no GPU needed: float32 without a single double instruction.
import { describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { corpus, use } from "../support/script-corpus.js";

const { probeNvrtc } = (await import(
  "../../dist/runtime/device/cuda/nvrtc.js"
)) as typeof import("../../runtime/device/cuda/nvrtc.js");

const found = probeNvrtc();

describe.skipIf(!found.path)(`functions as CUDA C++${found.path ? "" : ` (${found.reason})`}`, () => {
  test.each(Object.entries(corpus))("%s", (name, { fn }) => {
    const functor = jl.jit(fn, { use, name });
    const ptx = (dtype: jl.DTypeName) => {
      const dtypes = new Array<jl.DTypeName>(fn.length).fill(dtype);
      return jl.explain(functor as never, { device: "cuda", arch: "sm_90", dtypes })[0]?.ptx ?? "";
    };
    expect(
      ptx("float32")
        .split("\n")
        .filter((line) => /\.f64/.test(line))
        .slice(0, 5),
    ).toEqual([]);
    expect(ptx("float64")).toContain(".entry");
  });
});
