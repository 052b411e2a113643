// Exported launches of a GPU, as far as a machine without one goes: the program compiles, NVRTC makes of the exported source the
// exported code, and the steps name every address. test/launch/export-launch.test.ts runs the same program on the processor.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import { cudaTarget } from "../../dist/runtime/device/cuda/nvrtc.js";
import * as jl from "../../dist/runtime/index.js";
import { replaceDevice } from "../../dist/runtime/launch/devices.js";
import { textSections } from "../support/cubin-sections.js";
import { DryDevice } from "../support/dry-device.js";
import { stencil } from "../support/raw-kernels.js";

const nvrtc = findNvrtc();
const headers = [process.env.CUDA_HOME, "/usr/local/cuda", "/usr/local/cuda-13.0"].find(
  (home) => home && existsSync(join(home, "include", "cuda.h")),
);
const hasHeaders =
  headers !== undefined && existsSync(join(dirname(nvrtc?.path ?? ""), "../include/nvrtc.h"));
if (!nvrtc || !hasHeaders)
  console.warn("SKIPPED: NVRTC with its header, or cuda.h of the CUDA toolkit, was not found");

const root = mkdtempSync(join(tmpdir(), "jitlab-export-cuda-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeAll(() => {
  replaceDevice(new DryDevice(60, cudaTarget("sm_90", 13000, 132), () => ""));
  jl.setDevice("cpu");
});

const raw = jl.rawKernel(stencil, "stencil");
const step = jl.compile((x: jl.Tensor) =>
  x
    .sin()
    .mul(2)
    .sub(x.mean(1, { keepdim: true }))
    .softmax(1),
);
const x = () => jl.ones([64, 96]);
const calls: Record<string, () => unknown> = {
  "a map": () => x().mul(x()),
  "a compiled function": () => step(x()),
  "a sort": () => x().sort(1),
  "a raw kernel": () => {
    raw.setConstant("weights", new Float32Array(9));
    raw({ grid: [6, 4], block: [16, 16] }, x(), x(), 64, 96);
  },
};

function tool(folder: string, name: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(name, words, { cwd: folder, encoding: "utf8" });
  return status === 0 ? "" : `${stdout}${stderr}`;
}

describe.skipIf(!nvrtc || !hasHeaders)("a folder for a GPU", () => {
  test.each(Object.entries(calls))("%s", (name, call) => {
    const folder = join(root, name.replaceAll(" ", "-"));
    const { kernels } = jl.exportLaunch(call, [], { folder });
    const flags = ["-Wall", "-Wextra", "-Werror", "-O1", "-c", `-I${headers}/include`];
    expect(tool(folder, "cc", ...flags, "main.c", "device.c")).toBe("");
    const codes = readdirSync(folder).filter((file) => file.endsWith(".cubin"));
    expect(codes).toHaveLength(kernels);
    expect(tool(folder, "make", "-s", `CUDA=${headers}`, "compile")).toBe("");
    for (const code of codes) {
      const before = readFileSync(join(folder, code));
      utimesSync(join(folder, code), 0, 0);
      expect(tool(folder, "make", "-s", code)).toBe("");
      expect(textSections(readFileSync(join(folder, code)))).toEqual(textSections(before));
    }
    const text = readFileSync(join(folder, "launch.h"), "utf8");
    // Every operand of the dry device has an address in this range.
    const addresses = [...text.matchAll(/0xb1, 0xa7, 0x03, 0x00/g)].length;
    const pointers = [...text.matchAll(/^ {4}\{\d+, \d+, \d+\},$/gm)].length;
    expect(pointers).toBe(addresses);
    expect(pointers).toBeGreaterThan(1);
  });

  test("a raw kernel's constant memory is written", () => {
    const text = readFileSync(join(root, "a-raw-kernel", "launch.h"), "utf8");
    expect(text).toContain(".kind = CONSTANT, .kernel = ");
    expect(text).toContain('.name = "weights", .bytes = 36, .file = "inputs/');
  });
});
