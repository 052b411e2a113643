// The generated CUDA C++ of every op record and layout class, compiled by the real NVRTC; needs no GPU.
import { describe, expect, test } from "vitest";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import { cudaTarget } from "../../dist/runtime/device/cuda/nvrtc.js";
import * as jl from "../../dist/runtime/index.js";
import { keptCompile } from "../support/kept-compile.js";

const nvrtc = findNvrtc();
if (!nvrtc)
  console.warn(
    "SKIPPED: NVRTC was not found; install it with `pip install nvidia-cuda-nvrtc` in a venv and set VIRTUAL_ENV",
  );

const archs = ["sm_75", "sm_90", "sm_100"];
const dtypes: jl.DTypeName[] = ["int32", "float32", "float64", "complex64"];

/** The kernels of one op for the dtypes that it takes, rendered for CUDA. */
function kernels(name: jl.OpName): { dtype: string; source: string; wide: boolean }[] {
  const own = (jl.ops[name] as { halves?: unknown }).halves ? (["float16", "bfloat16"] as const) : [];
  return [...dtypes, ...own].flatMap((dtype) => {
    try {
      const [kernel] = jl.explain(jl[name], { device: "cuda", arch: "sm_90", dtypes: [dtype] });
      // floatPower gives float64 by definition.
      return kernel ? [{ dtype, source: kernel.source, wide: kernel.dtypes[0] === "float64" }] : [];
    } catch (error) {
      if ((error as jl.JitlabError).code === "dtype-refused") return [];
      throw error;
    }
  });
}

describe.skipIf(!nvrtc)("NVRTC compiles", () => {
  const names = Object.keys(jl.ops) as jl.OpName[];
  test("there are ops", () => expect(names.length).toBeGreaterThan(24));
  test.each(archs)("every op for %s", (arch) => {
    // The architecture decides the machine code only; one dtype of each op is enough beyond the first architecture.
    const target = cudaTarget(arch);
    for (const name of names) {
      const wanted = arch === "sm_90" ? kernels(name) : kernels(name).slice(0, 1);
      expect(wanted.length, name).toBeGreaterThan(0);
      for (const { dtype, source, wide } of wanted) {
        const { binary, assembly } = keptCompile(target.compiler, { source, flags: target.flags, name });
        expect(binary.length, `${name} ${dtype}`).toBeGreaterThan(500);
        expect(assembly).toContain(`.target ${arch}`);
        if (dtype === "float32" && !wide)
          expect(doubleArithmetic(assembly), `${name} in float32`).toEqual([]);
      }
    }
  });
  test.each(["contiguous", "strided1", "strided3", "strided16"])("the layout %s", (layout) => {
    for (const dtype of ["float16", "float32", "int8", "complex128"] as const) {
      expect(
        jl.explain(jl.add, { device: "cuda", arch: "sm_90", dtypes: [dtype], layout })[0]?.ptx,
      ).toContain(".entry");
    }
  });
});

/** Instructions on doubles; constants of other types' tables are data, not arithmetic. */
function doubleArithmetic(ptx: string): string[] {
  return ptx
    .split("\n")
    .filter((line) => /\.f64/.test(line) && !/^\s*\.(global|const|reg|local|param)/.test(line));
}
