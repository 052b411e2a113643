// The kernels of reductions as NVRTC compiles them, no GPU needed: every reduction, kind and pass for three generations of
// GPUs, and float32 without arithmetic on doubles.
import { describe, expect, test } from "vitest";
import { dtypes } from "../../dist/runtime/base/dtype.js";
import { passesOf, reduceGeometry } from "../../dist/runtime/codegen/reductions/reduce-passes.js";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import { cudaTarget } from "../../dist/runtime/device/cuda/nvrtc.js";
import { type Reduction, reductions } from "../../dist/runtime/functor/reduction.js";
import type * as jl from "../../dist/runtime/index.js";
import { requestOfPass } from "../../dist/runtime/launch/reduce-launch.js";
import { reductionOf } from "../../dist/runtime/tensor/statistics/reduce.js";
import * as custom from "../support/custom-reductions.js";
import { isWhole } from "../support/draw.js";
import { keptCompile } from "../support/kept-compile.js";

const nvrtc = findNvrtc();
if (!nvrtc)
  console.warn(
    "SKIPPED: NVRTC was not found; install it with `pip install nvidia-cuda-nvrtc` in a venv and set VIRTUAL_ENV",
  );

/** Every kernel of reductions of one dtype: dense, strided and turned, in one pass and in several. */
function sources(dtype: jl.DTypeName, arch: string, reduction: Reduction): Map<string, string> {
  const target = cudaTarget(arch);
  const plan = reduction.plan(dtypes[dtype]);
  if ("refuse" in plan) return new Map();
  const shapes: [number[], number[], boolean[]][] = [
    [[2 ** 24], [1], [true]],
    [[2 ** 24], [2], [true]],
    [
      [100, 100],
      [100, 1],
      [false, true],
    ],
    [
      [1000, 8],
      [8, 1],
      [false, true],
    ],
    [
      [2 ** 20, 64],
      [64, 1],
      [true, false],
    ],
    [
      [100, 70_000, 30],
      [2_100_000, 30, 1],
      [true, false, true],
    ],
    [
      [2 ** 16, 2 ** 16],
      [1, 2 ** 16],
      [true, true],
    ],
  ];
  const found = new Map<string, string>();
  for (const [shape, strides, gone] of shapes) {
    const geometry = reduceGeometry({ shape, strides }, gone, reduction.ordered);
    const input = dtypes[dtype];
    const operands = [{ pointer: 0, bytes: input.bytes, isAddressed: false }];
    const task = { reduction, plan, prologue: undefined, epilogue: undefined, input };
    for (const { spec } of passesOf(task, geometry, operands, target.dialect)) {
      const { source, variant } = requestOfPass(spec, target);
      found.set(variant, source);
    }
  }
  return found;
}

/** One word-wise and one strided kernel are enough beside those of float32 for sm_90. */
function chosen(dtype: jl.DTypeName, arch: string, reduction: Reduction): [string, string][] {
  const all = [...sources(dtype, arch, reduction)];
  if (isWhole || (dtype === "float32" && arch === "sm_90")) return all;
  return all.filter(([variant]) => /x4 in parts|column\/8/.test(variant));
}

describe.skipIf(!nvrtc)("NVRTC compiles", () => {
  test.each(Object.values(reductions))("$name", (reduction) => {
    for (const arch of ["sm_75", "sm_90", "sm_100"]) {
      const target = cudaTarget(arch);
      const names: jl.DTypeName[] =
        arch === "sm_90"
          ? ["bool", "int8", "int64", "bfloat16", "float16", "float32", "float64", "complex64"]
          : ["float32"];
      for (const dtype of names) {
        for (const [variant, source] of chosen(dtype, arch, reduction)) {
          const { name } = reduction;
          const { assembly, binary } = keptCompile(target.compiler, { source, flags: target.flags, name });
          expect(binary.length, `${name} ${dtype} ${variant}`).toBeGreaterThan(500);
          if (dtype !== "float64") expect(doubles(assembly), `${name} ${dtype} ${variant}`).toEqual([]);
        }
      }
    }
  });
});

describe.skipIf(!nvrtc)("NVRTC compiles reductions of users", () => {
  test.each(Object.entries(custom))("%s", (name, fn) => {
    const reduction = reductionOf(fn) as Reduction;
    for (const [arch, dtype] of [
      ["sm_75", "float32"],
      ["sm_90", "float32"],
      ["sm_90", "float16"],
      ["sm_90", "int32"],
      ["sm_100", "float64"],
    ] as const) {
      // Their results have fractions, which tensors of integers refuse.
      if (dtype === "int32" && ["logSumExp", "meanSquare"].includes(name)) continue;
      const target = cudaTarget(arch);
      for (const [variant, source] of chosen(dtype, arch, reduction)) {
        const { assembly, binary } = keptCompile(target.compiler, { source, flags: target.flags, name });
        expect(binary.length, `${name} ${dtype} ${variant}`).toBeGreaterThan(500);
        if (dtype.startsWith("float") && dtype !== "float64")
          expect(doubles(assembly), `${name} ${dtype} ${variant}`).toEqual([]);
      }
    }
  });
});

function doubles(ptx: string): string[] {
  return ptx
    .split("\n")
    .filter((line) => /\.f64/.test(line) && !/^\s*\.(global|const|reg|local|param)/.test(line));
}
