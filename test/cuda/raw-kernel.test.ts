// Raw kernels as NVRTC compiles them, no GPU needed: by their names and templates, with flags, and errors at the user's lines.
import { describe, expect, test } from "vitest";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import * as jl from "../../dist/runtime/index.js";
import { entryLayout } from "../../dist/runtime/raw/entry-layout.js";
import { histogram, parameters, stencil, together, transpose, wild } from "../support/raw-kernels.js";

const nvrtc = findNvrtc();
if (!nvrtc)
  console.warn(
    "SKIPPED: NVRTC was not found; install it with `pip install nvidia-cuda-nvrtc` in a venv and set VIRTUAL_ENV",
  );

const kernels: [string, jl.RawKernel][] = [
  ["transpose of float", jl.rawKernel(transpose, "transpose", { templates: ["float", 32] })],
  ["transpose of double", jl.rawKernel(transpose, "transpose", { templates: ["double", 16] })],
  ["histogram", jl.rawKernel(histogram, "histogram")],
  ["stencil", jl.rawKernel(stencil, "stencil")],
  ["together", jl.rawKernel(together, "together")],
  ["parameters", jl.rawKernel(parameters, "shapes::parameters")],
  ["wild", jl.rawKernel(wild, "wild")],
];

describe.skipIf(!nvrtc)("NVRTC compiles", () => {
  test.each(kernels)("%s for three generations of GPUs", (_, kernel) => {
    for (const arch of ["sm_75", "sm_90", "sm_100"]) {
      kernel.check(arch);
      const [explanation] = jl.explain(kernel, { arch });
      expect(explanation?.ptx).toContain(`.target ${arch}`);
      expect(explanation?.source).toContain(kernel.source.trim());
      expect(explanation?.resources?.registers).toBeGreaterThan(0);
    }
  });

  test("a template's arguments name the kernel in the code", () => {
    const [float] = jl.explain(kernels[0]?.[1], { arch: "sm_90" });
    expect(float?.variant).toBe("<float, 32>");
    expect(float?.ptx).toContain(".entry _Z9transposeIfLi32EEvPKT_PS0_ii");
    expect(float?.resources?.sharedBytes).toBe(32 * 33 * 4);
  });

  test("the layout of the arguments is the compiler's", () => {
    const [{ ptx } = { ptx: "" }] = jl.explain(kernels[5]?.[1], { arch: "sm_90" });
    const { fields, bytes } = entryLayout(ptx);
    expect(fields.map(({ offset, bytes: size, kind }) => `${kind}${size}@${offset}`).join(" ")).toBe(
      "u1@0 u8@8 u1@16 b16@24 u2@40 f4@44 u8@48 u8@56 u4@64",
    );
    expect(bytes).toBe(68);
    expect(entryLayout(".visible .entry none()\n{\n").fields).toEqual([]);
  });

  test("flags are the caller's, in the place of the usual ones", () => {
    const text = `__global__ void scaled(float* x, float a, float b) { x[0] = x[0] * a + b + SHIFT; }`;
    const ptxOf = (flags: string[]) =>
      jl.explain(jl.rawKernel(text, "scaled", { flags }), { arch: "sm_90" })[0]?.ptx;
    expect(ptxOf(["-DSHIFT=2.5f"])).toContain("fma.rn.f32");
    expect(ptxOf(["-DSHIFT=2.5f", "--fmad=false"])).not.toContain("fma.rn.f32");
  });

  test("a mistake is told at the user's line", () => {
    const text = "__global__ void off(float* x) {\n  x[0] = 1\n}\n";
    const place = { file: "In[3]", line: 2 };
    expect(() => jl.rawKernel(text, "off", { place }).check("sm_90")).toThrowErrorMatchingInlineSnapshot(`
      [CompileError: off does not compile: 1 error.
      In[3]:4:1: error: expected a ";"
         4 | }
           | ^]
    `);
    const twice = "template <typename T> __global__ void twice(T* x) { x[0] = x.first; }";
    expect(() =>
      jl.rawKernel(twice, "twice", { templates: ["int"] }).check("sm_90"),
    ).toThrowErrorMatchingInlineSnapshot(`
      [CompileError: twice does not compile: 1 error.
      twice:1:60: error: expression must have class type but it has type "T *"
         1 | template <typename T> __global__ void twice(T* x) { x[0] = x.first; }
           |                                                            ^]
    `);
  });
});
