// The kernels that reach memory by index tensors as NVRTC compiles them, no GPU needed: every way to join, dtype and rank.
import { describe, expect, test } from "vitest";
import { dtypeList, dtypes } from "../../dist/runtime/base/dtype.js";
import { renderWalk, type Walk } from "../../dist/runtime/codegen/walk-kernel.js";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import { cudaTarget } from "../../dist/runtime/device/cuda/nvrtc.js";
import { gatherBy } from "../../dist/runtime/tensor/indexing/gather-walk.js";
import { outside } from "../../dist/runtime/tensor/indexing/index-check.js";
import { accumulatorOf, scatterBy } from "../../dist/runtime/tensor/indexing/scatter-kernels.js";
import { rowWalks } from "../../dist/runtime/tensor/indexing/scatter-rows.js";
import { segmentsOf, targetsBy } from "../../dist/runtime/tensor/indexing/scatter-sorted.js";
import { amongWalk } from "../../dist/runtime/tensor/ordering/membership.js";
import { distanceWalks } from "../../dist/runtime/tensor/products/cdist.js";
import { single, tiled } from "../../dist/runtime/tensor/products/product-kernel.js";
import { rollBy } from "../../dist/runtime/tensor/rearrange.js";
import { blockCounting, counting, listed } from "../../dist/runtime/tensor/statistics/mask-places.js";
import { keptCompile } from "../support/kept-compile.js";

const nvrtc = findNvrtc();
if (!nvrtc)
  console.warn(
    "SKIPPED: NVRTC was not found; install it with `pip install nvidia-cuda-nvrtc` in a venv and set VIRTUAL_ENV",
  );

function compiled(walk: Walk, names: readonly (keyof typeof dtypes)[], rank: number): string {
  const target = cudaTarget("sm_90");
  const operands = walk.operands.map((name, k) => ({ name, dtype: dtypes[names[k] ?? "int64"] }));
  const { source } = renderWalk({ walk, operands, rank, steps: [], isNarrow: true, dialect: target.dialect });
  return keptCompile(target.compiler, { source, flags: target.flags, name: walk.name }).assembly;
}

describe.skipIf(!nvrtc)("walks", () => {
  test.each(dtypeList.map(({ name }) => name))("of %s", (name) => {
    for (const rank of [0, 3]) {
      expect(compiled(gatherBy(2), [name, "int32", name], rank)).toContain(".entry gather_");
      for (const joining of ["assign", "sum", "prod", "amax", "amin"] as const) {
        if (name.startsWith("complex") && joining.startsWith("am")) continue;
        const wide = accumulatorOf(joining, dtypes[name]).name;
        expect(compiled(scatterBy(joining, 1), [wide, "int32", name], rank)).toContain(
          `.entry scatter_${joining}`,
        );
        if (rank > 0) continue;
        const sum = dtypes[accumulatorOf(joining, dtypes[name]).compute];
        const { lay, write } = segmentsOf(joining, sum);
        expect(compiled(lay, ["uint8", "uint32", "int32", name], 1)).toContain(".entry scatterLay");
        expect(compiled(write, [name, "uint8"], 1)).toContain(".entry scatterWrite");
        const { join, ends } = rowWalks(joining, sum);
        const sums = [sum.name, sum.name] as const;
        expect(compiled(join, [name, ...sums, "uint32", "int32", name], 2)).toContain(".entry scatterRows");
        expect(compiled(ends, [name, ...sums, "uint32"], 2)).toContain(".entry scatterEnds");
      }
    }
  });
  test("of products and membership", () => {
    for (const name of ["int8", "int64", "float16", "bfloat16", "float32", "float64", "complex64"] as const) {
      for (const { walk } of [single, tiled]) {
        expect(compiled(walk, [name, name, name], 3)).toContain(".entry matmul_");
      }
      for (const walk of name.startsWith("float") ? Object.values(distanceWalks) : []) {
        const power = name === "float64" ? "float64" : "float32";
        expect(compiled(walk, [name, name, name, power], 2)).toContain(".entry cdist_");
      }
      const { compute } = dtypes[name];
      expect(compiled(amongWalk, ["bool", compute, compute], 1)).toContain(".entry isin_");
    }
  });
  test("of positions and bounds", () => {
    expect(compiled(counting, ["int64", "bool"], 1)).toContain(".entry countTrue");
    for (const end of ["host", "block"] as const) {
      const { places, elements } = listed;
      expect(compiled(places[end], ["int64", "int64", "int64", "bool"], 1)).toContain(".entry listTrue");
      const kinds = ["complex128", "int64", "int64", "bool", "complex128"] as const;
      expect(compiled(elements[end], kinds, 1)).toContain(".entry pickTrue");
    }
    expect(compiled(rollBy(2), ["uint8", "uint8"], 1)).toContain(".entry roll");
    expect(compiled(blockCounting, ["int64", "bool"], 1)).toContain(".entry countTrue_block");
    expect(compiled(targetsBy(2), ["uint32", "int64", "int64"], 2)).toContain(".entry scatterTargets");
    expect(compiled(outside, ["int32", "int64"], 2)).toContain(".entry checkIndexes");
  });
});
