// Attention as a graph of cuDNN's operations, by a library that computes nothing: which plan is chosen, what a refused graph
// gives, and that descriptors are given back.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import koffi from "koffi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { argumentBlock } from "../../dist/runtime/device/argument-blocks.js";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import { CheckedLibrary, type LibraryHost } from "../../dist/runtime/device/cuda/checked-library.js";
import { attentionCode } from "../../dist/runtime/device/cuda/cudnn-attention.js";
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
  const host = { createBlock: argumentBlock, stream: () => 0 } as unknown as LibraryHost;

  beforeAll(() => {
    const path = buildFakeCudnn(folder);
    library = new CheckedLibrary(path, names);
    const raw = koffi.load(path);
    live = raw.func("int64_t fakeLive(void)");
    executed = raw.func("int64_t fakeExecuted(void)");
    refuse = raw.func("void fakeRefuse(int kind)");
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
});
