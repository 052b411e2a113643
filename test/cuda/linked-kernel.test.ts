// Line information of real compiles by NVRTC: it changes no code, and each line of a functor that computes has its instructions.
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import { createCompiler, cudaTarget } from "../../dist/runtime/device/cuda/nvrtc.js";
import * as jl from "../../dist/runtime/index.js";
import { textSections } from "../support/cubin-sections.js";

const nvrtc = findNvrtc();
if (!nvrtc) console.warn("SKIPPED: NVRTC was not found");
const hasDisassembler = spawnSync("nvdisasm", ["--version"]).status === 0;
if (!hasDisassembler) console.warn("SKIPPED: the lines of machine code need nvdisasm on the PATH");

// Ten lines; those from `T y` to `return` compute.
const text = `template <typename T>
T steps(T x, T scale) {
  T y = x * x;
  y = y + scale;
  T z = sqrt(y);
  T w = z - x;
  w = w / y;
  for (int i = 0; i < int(scale); i++)
    w = w * w;
  return w + z; }`;
const steps = jl.jit(text, { params: { scale: 2 } });
const computing = [3, 4, 5, 6, 7, 9, 10];
const softmax = jl.compile((x: jl.Tensor) => x.sub(x.amax(1, { keepdim: true })).exp());

describe.skipIf(!nvrtc)("linked kernels", () => {
  test.each(["float16", "float32", "float64"] as const)("%s: every line has PTX and SASS", (dtype) => {
    const [explanation] = jl.explain(steps, { device: "cuda", arch: "sm_90", dtypes: [dtype] });
    const { functors, source, assembly, machine, missing } = (explanation as jl.Explanation).linked;
    expect(functors).toEqual([{ name: "steps", first: expect.any(Number), last: expect.any(Number) }]);
    const [{ first, last }] = functors as [jl.FunctorLines];
    expect(source.slice(first - 1, last).join("\n")).toBe(text);
    const linesOf = (listing: jl.LinkedListing) =>
      computing.filter((line) => listing.from.some((from) => from.includes(first + line - 1)));
    expect(linesOf(assembly)).toEqual(computing);
    expect(assembly.lines.join("\n")).not.toMatch(/\.loc|\.debug/);
    if (!hasDisassembler) {
      expect(missing).toContain("nvdisasm");
      return;
    }
    expect(missing).toBe("");
    expect(linesOf(machine as jl.LinkedListing)).toEqual(computing);
  });

  test.each<[string, () => jl.Explanation[]]>([
    ["a map", () => jl.explain(steps, { device: "cuda", arch: "sm_90", dtypes: ["float32"] })],
    ["lgamma", () => jl.explain(jl.lgamma, { device: "cuda", arch: "sm_90", dtypes: ["float64"] })],
    ["a sum", () => jl.explain(jl.sum, { device: "cuda", arch: "sm_90", dtypes: ["float32"] })],
  ])("%s: equal machine code with and without line information", async (_, explain) => {
    const target = cudaTarget("sm_90");
    const compiler = createCompiler(target.compiler);
    for (const { source } of explain()) {
      const compiled = async (text: string, ...more: string[]) => {
        const request = { source: text, flags: [...target.flags, ...more], name: "x", quick: true };
        return textSections(Buffer.from((await compiler.compile(request)).binary));
      };
      const lined = source.replace(/^#line .*$/gm, "");
      expect(await compiled(lined, ...(target.lineFlags ?? []))).toEqual(await compiled(source));
    }
  });

  test("a compiled function: its operations' lines lead to code", () => {
    const x = jl.ones([8, 64], { device: "cpu" });
    const [explanation] = jl.explain(softmax, x);
    expect((explanation as jl.Explanation).places.length).toBeGreaterThan(1);
    expect((explanation as jl.Explanation).linked.assembly.from.flat().length).toBeGreaterThan(10);
  });
});
