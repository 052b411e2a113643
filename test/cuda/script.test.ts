// Functions of numbers as NVRTC compiles them, no GPU needed: float32 without a single double instruction.
import { describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { gpuTarget, requestsOnGpu } from "../support/gpu-text.js";
import { keptCompile } from "../support/kept-compile.js";
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

  test("with random numbers, alone, differentiated and in one kernel with what is around it", () => {
    const walk = jl.jit((x) => {
      let s = x;
      for (let i = 0; i < 252; i++) s *= Math.exp(jl.math.normal() * Math.random());
      return s;
    });
    const text = jl.jit(
      "template <typename T> T f(T x) { const T z = normal(); return random() < 0.5 ? x * z : x; }",
    );
    jl.setDevice("cpu");
    const requests = requestsOnGpu(() => {
      const x = jl.zeros([6]);
      jl.compile((y: jl.Tensor) => text(walk(y.add(1))).mul(2))(x);
      jl.grad((y: jl.Tensor) => text(walk(y)).sum())(x);
    });
    const kernels = requests.filter(({ source }) => source.includes("drawn::normal"));
    expect(kernels.map(({ op }) => op.replace(/_.*/, ""))).toEqual(["fused", "functor", "f", "f", "functor"]);
    for (const { source, op } of kernels) {
      const { assembly } = keptCompile(gpuTarget.compiler, { source, flags: gpuTarget.flags, name: op });
      expect(assembly).toContain(".entry");
      expect(
        assembly
          .split("\n")
          .filter((line) => /\.f64/.test(line))
          .slice(0, 5),
      ).toEqual([]);
    }
  });

  test("several of them in one kernel, with operations of the library", () => {
    jl.setDevice("cpu");
    const functors = Object.entries(corpus).map(([name, { fn }]) => {
      return {
        f: jl.jit(fn, { use, name }) as unknown as (...args: jl.Tensor[]) => jl.Tensor,
        arity: fn.length,
      };
    });
    const requests = requestsOnGpu(() => {
      const [x, y] = [jl.zeros([6]), jl.zeros([6])];
      for (let at = 0; at < functors.length; at += 4) {
        const some = functors.slice(at, at + 4);
        jl.compile((a: jl.Tensor, b: jl.Tensor) =>
          some.map(({ f, arity }) => f(...[a.exp(), b].slice(0, arity)).add(1)),
        )(x, y);
      }
    });
    const fused = requests.filter(({ op }) => op.startsWith("fused"));
    expect(fused).toHaveLength(Math.ceil(functors.length / 4));
    for (const { source } of fused) {
      const { assembly } = keptCompile(gpuTarget.compiler, { source, flags: gpuTarget.flags, name: "fused" });
      expect(
        assembly
          .split("\n")
          .filter((line) => /\.f64/.test(line))
          .slice(0, 5),
      ).toEqual([]);
    }
  });
});
