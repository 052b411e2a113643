// The kernels of scans and of sorting as NVRTC compiles them, no GPU needed: every scan with
// every dtype and every form, paired anew each day; all pairs with JITLAB_TEST_ALL=1.
import { describe, expect, test } from "vitest";
import { dtypeList, dtypes, isInteger } from "../../dist/runtime/base/dtype.js";
import { compose } from "../../dist/runtime/codegen/composition/composer.js";
import type { Composition } from "../../dist/runtime/codegen/composition/composition.js";
import { scanWalk } from "../../dist/runtime/codegen/scans/scan-kernel.js";
import { renderWalk, type Walk } from "../../dist/runtime/codegen/walk-kernel.js";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import { cudaTarget } from "../../dist/runtime/device/cuda/nvrtc.js";
import { functorOfOp } from "../../dist/runtime/functor/functor.js";
import { type Scan, type ScanPlan, scans } from "../../dist/runtime/functor/scan.js";
import { ops } from "../../dist/runtime/ops/index.js";
import { searchWalk } from "../../dist/runtime/tensor/counting/bins.js";
import { tallyWalk } from "../../dist/runtime/tensor/counting/tally.js";
import { poissonWalk } from "../../dist/runtime/tensor/distributions.js";
import { modeWalk } from "../../dist/runtime/tensor/ordering/quantiles.js";
import { elementWalk, pickDigit, selectWalks } from "../../dist/runtime/tensor/ordering/select-kernel.js";
import { blockRow, blockSort, gridSort } from "../../dist/runtime/tensor/ordering/sort-blocks.js";
import {
  atDistances,
  distances,
  keysOf,
  sortRow,
  valuesOf,
} from "../../dist/runtime/tensor/ordering/sort-kernel.js";
import { paired } from "../support/draw.js";
import { keptCompile } from "../support/kept-compile.js";

const nvrtc = findNvrtc();
if (!nvrtc)
  console.warn(
    "SKIPPED: NVRTC was not found; install it with `pip install nvidia-cuda-nvrtc` in a venv and set VIRTUAL_ENV",
  );

/** Compiles a walk as `name` for a GPU, and finds its entry in the PTX. */
function expectCompiled(walk: Walk, operands: Parameters<typeof renderWalk>[0]["operands"], name: string) {
  const { dialect, compiler, flags } = cudaTarget("sm_90");
  const { source } = renderWalk({ walk, operands, rank: 2, steps: [], isNarrow: true, dialect });
  expect(keptCompile(compiler, { source, flags, name }).assembly).toContain(`.entry ${name}_`);
}

test.skipIf(!nvrtc)("sorting", () => {
  const entry = (walk: Walk, names: readonly (keyof typeof dtypes)[]) => {
    const operands = walk.operands.map((name, i) => ({ name, dtype: dtypes[names[i] ?? "int64"] }));
    expectCompiled(walk, operands, walk.name);
  };
  for (const { name, kind, bytes } of dtypeList) {
    if (kind === "complex") continue;
    entry(keysOf(dtypes[name]), [bytes > 4 ? "uint64" : "uint32", name]);
    if (isInteger(dtypes[name])) {
      entry(distances, ["uint32", name]);
      entry(atDistances, [name, "uint32"]);
    }
    entry(valuesOf(dtypes[name]), [name, "int64", bytes > 4 ? "uint64" : "uint32", "int32", name]);
    if (name !== "bool") {
      const { digits, below, list } = selectWalks(dtypes[name], true);
      entry(elementWalk(dtypes[name]), [name, "uint64"]);
      entry(digits, ["int32", name, "int64", "uint64"]);
      entry(below, ["int32", name, "int64", "uint64"]);
      entry(list, ["int64", name, "int64", "uint64", "int64", "int32", "int64"]);
    }
    for (const length of [100, blockRow(dtypes[name])]) {
      entry(blockSort(dtypes[name], length), [name, "int64", name]);
    }
  }
  for (const name of ["bool", "int32", "uint64", "float32", "float64"] as const) {
    entry(searchWalk, ["int64", name, name]);
    entry(modeWalk, [name, "int64", name, "int64"]);
  }
  entry(pickDigit, ["uint64", "int64", "int64"]);
  entry(poissonWalk, ["float16", "float16", "int64", "int64"]);
  entry(tallyWalk("weighted", false), ["float64", "int64", "int64", "float64"]);
  for (const block of [false, true]) {
    entry(tallyWalk("whole", block), ["int64", "int64", "int32"]);
    entry(tallyWalk("range", block), ["int64", "int64", "float32", "float32"]);
  }
  for (const key of ["uint32", "uint64"] as const) {
    const { count, move } = gridSort(dtypes[key]);
    entry(count, [key, "int32", "int64"]);
    entry(move.places, [key, "int32", key, "int32", "int64", "int64"]);
    entry(move.own, [key, "int32", key, "int64", "int64"]);
    entry(move.alone, [key, key, "int64", "int64"]);
    entry(sortRow, [key, "int32"]);
  }
});

describe.skipIf(!nvrtc)("scans", () => {
  const all = Object.values(scans) as Scan[];
  const forms = [true, false].flatMap((first) => {
    const plain = (...all: number[]) => all.map((threads) => ({ threads, grouped: false }));
    const lists = first ? [{ threads: 0, grouped: true }] : [];
    return [
      ...[...plain(0), ...lists].map((how) => ({ ...how, first, totals: true, carried: false })),
      ...[...plain(0, 32, 256), ...lists].map((how) => ({ ...how, first, totals: false, carried: false })),
      ...[...plain(0, 256), ...lists].map((how) => ({ ...how, first, totals: false, carried: true })),
    ];
  });

  test.each(all.map((scan) => [scan.name, scan] as const))("%s", (name, scan) => {
    const accepted = dtypeList.filter((dtype) => !("refuse" in scan.plan(dtype)));
    for (const [dtype, form] of paired(accepted, forms)) {
      const { first, totals } = form;
      const plan = scan.plan(dtype) as ScanPlan;
      const walk = scanWalk(scan, plan, dtype, form);
      const kinds: Record<string, keyof typeof dtypes> = {
        out0: first && !totals ? (plan.results[0]?.name ?? "int64") : "uint8",
        out1: "int64",
        in: first ? dtype.name : "uint8",
        part: "int64",
        carry: "uint8",
        groups: "uint8",
      };
      const operands = walk.operands.map((operand) => ({
        name: operand,
        dtype: dtypes[kinds[operand] ?? "int64"],
      }));
      expectCompiled(walk, operands, name);
    }
  });

  // remainder has a form for ordinary arguments that only a processor's loops take.
  test("of what maps compute", () => {
    const target = cudaTarget("sm_90");
    const { dialect } = target;
    const { float16, float32 } = dtypes;
    const steps = (["sin", "mul", "remainder"] as const).map((name, step) => ({
      functor: functorOfOp(name, ops[name]),
      compute: float32,
      inputs:
        step === 0
          ? [{ kind: "input", index: 0 }]
          : [
              { kind: "step", step: step - 1, output: 0 },
              { kind: "scalar", index: 0 },
            ],
      parameters: [],
      stored: [float16],
      place: "",
    }));
    const composition = { inputs: [float16], scalars: 1, steps, outputs: [{ step: 2, output: 0 }] };
    const functor = compose(composition as Composition, true);
    const follows = {
      inputs: [float16, float16],
      scalars: 0,
      steps: [{ ...steps[2], inputs: [0, 1].map((index) => ({ kind: "input", index })) }],
      outputs: [{ step: 0, output: 0 }],
    };
    const after = { functor: compose(follows as unknown as Composition, true), keeps: [true] };
    const plan = scans.cumsum.plan(float16) as ScanPlan;
    for (const [threads, carried] of [
      [0, false],
      [32, false],
      [256, true],
    ] as const) {
      const form = { first: true, totals: false, carried, threads };
      const walk = scanWalk(scans.cumsum, plan, float16, form, { before: functor, after, dialect });
      const operands = walk.operands.map((name) => ({
        name,
        dtype: /^(out|in|x)\d$/.test(name) ? float16 : dtypes.int64,
      }));
      const { source } = renderWalk({ walk, operands, rank: 2, steps: [], isNarrow: true, dialect });
      const { assembly } = keptCompile(target.compiler, { source, flags: target.flags, name: "scan" });
      expect(assembly).toContain(".entry fused_sin_mul_remainder_cumsum_fused_remainder_results");
    }
  });
});
