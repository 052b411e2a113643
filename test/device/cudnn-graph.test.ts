// Graphs of cuDNN's operations, by a library that computes nothing: which plan is chosen, what a refused graph gives, and that
// descriptors are given back.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import koffi from "koffi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { argumentBlock } from "../../dist/runtime/device/argument-blocks.js";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import { CheckedLibrary, type LibraryHost } from "../../dist/runtime/device/cuda/checked-library.js";
import { attentionCode } from "../../dist/runtime/device/cuda/cudnn-attention.js";
import { convolutionCode } from "../../dist/runtime/device/cuda/cudnn-convolution.js";
import { buildFakeCudnn } from "../support/fake-cuda.js";

const { path: compiler, reason } = findCompiler();
const names = { title: "cuDNN", wheel: "nvidia-cudnn-cu13", noMemory: 4004, otherwise: "scores are kept" };
const sizes = { batch: 2, heads: 3, rows: 16, columns: 24, features: 8, valueFeatures: 4 };
const forms = [false, true].flatMap((isBackward) =>
  [false, true].map((isCausal) => ({
    dtype: "float16" as const,
    isBackward,
    ...sizes,
    scale: 0.5,
    isCausal,
  })),
);

describe.skipIf(compiler === "")(`a graph of cuDNN's operations${reason}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-cudnn-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  let library: CheckedLibrary;
  let live: () => number;
  let executed: () => number;
  let refuse: (kind: number) => void;
  let note: (of: number) => void;
  let noted: () => number;
  const host = { createBlock: argumentBlock, stream: () => 0 } as unknown as LibraryHost;

  beforeAll(() => {
    const path = buildFakeCudnn(folder);
    library = new CheckedLibrary(path, names);
    const raw = koffi.load(path);
    live = raw.func("int64_t fakeLive(void)");
    executed = raw.func("int64_t fakeExecuted(void)");
    refuse = raw.func("void fakeRefuse(int kind)");
    note = raw.func("void fakeNote(int of)");
    noted = raw.func("int64_t fakeNoted(void)");
    refuse(-1);
  });

  test.each(forms)("backward $isBackward, causal $isCausal: runs, and gives all back", (form) => {
    refuse(-1);
    const before = live();
    const found = attentionCode(library, 1, form, host);
    // A number for each query lies before the memory of the plan.
    expect(found?.workBytes).toBe(512 + (form.isBackward ? 512 : 0));
    const held = live();
    const ran = executed();
    const block = argumentBlock(8 * 10);
    for (let i = 0; i < 3; i++) found?.code.launch(block, { grid: [1, 1, 1] } as never);
    expect([executed() - ran, live() - held]).toEqual([3, 0]);
    found?.code.unload();
    expect(live()).toBe(before);
  });

  // A tensor, an operation, the graph, the heuristics, and every plan.
  test.each([17, 13, 15, 4, 5])("a refused descriptor of kind %i leaves attention to another way", (kind) => {
    refuse(kind);
    const before = live();
    for (const form of forms) expect(attentionCode(library, 1, form, host)).toBeUndefined();
    expect(live()).toBe(before);
  });

  const convolution = (result: "output" | "input" | "weight", dtype: "float16" | "float32" | "float64") => ({
    ...{ dtype, result, input: [2, 4, 9, 9], weight: [6, 2, 3, 3], output: [2, 6, 9, 9] },
    ...{ padding: [1, 1], stride: [1, 1], dilation: [1, 1], groups: 2 },
  });

  test.each(["output", "input", "weight"] as const)(
    "a convolution's %s: runs, and gives all back",
    (result) => {
      refuse(-1);
      const before = live();
      const found = convolutionCode(library, 1, convolution(result, "float32"), host);
      expect(found?.workBytes).toBe(512);
      const held = live();
      const ran = executed();
      for (let i = 0; i < 3; i++) found?.code.launch(argumentBlock(8 * 4), { grid: [1, 1, 1] } as never);
      expect([executed() - ran, live() - held]).toEqual([3, 0]);
      found?.code.unload();
      expect(live()).toBe(before);
    },
  );

  // Tensor units, converted operands, short sums, FFT, any order, Winograd's forms; what spreads NaN is welcome.
  test.each([
    ["float32", [0, 1, 2, 3, 4, 5, 6, 7, 8]],
    ["float64", [1, 2, 3, 4, 5, 6, 7, 8]],
    ["float16", [1, 2, 3, 4, 5, 6, 7, 8]],
  ] as const)("a convolution of %s passes over engines with the notes %j", (dtype, refused) => {
    const passed = Array.from({ length: 10 }, (_, i) => i).filter((one) => {
      note(one);
      convolutionCode(library, 1, convolution("output", dtype), host)?.code.unload();
      return noted() === 3;
    });
    note(4);
    expect(passed).toEqual(refused);
  });

  test("integers, and as many elements as engines cannot count, are left to another way", () => {
    const form = convolution("output", "float32");
    expect(convolutionCode(library, 1, { ...form, dtype: "int32" }, host)).toBeUndefined();
    expect(convolutionCode(library, 1, { ...form, input: [2 ** 16, 4, 128, 128] }, host)).toBeUndefined();
  });
});
