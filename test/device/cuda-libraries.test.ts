// CUDA's libraries that are damaged, or lack a function: by any library of the host, since loading one needs no GPU.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { CheckedLibrary } from "../../dist/runtime/device/cuda/checked-library.js";
import { ncclVersion } from "../../dist/runtime/device/cuda/nccl.js";
import { refusal } from "../support/refusal.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-libraries-"));
afterAll(() => rmSync(folder, { recursive: true }));
const names = { title: "cuNOTHING", wheel: "nvidia-nothing", noMemory: 2, otherwise: "the host computes" };
const remedy = "Install it again (`pip install --force-reinstall nvidia-nothing`), or remove it";

test("a file that is no library", () => {
  const path = join(folder, "libcunothing.so.1");
  writeFileSync(path, "text");
  const told = refusal(() => new CheckedLibrary(path, names));
  expect(told).toMatch(/^library-damaged: cuNOTHING cannot be loaded from .*libcunothing\.so\.1/);
  expect(told).toContain(remedy);
});

test("an NCCL that is no library, is missing, or lacks its functions", () => {
  const path = join(folder, "libnccl.so.2");
  writeFileSync(path, "text");
  const told = (chosen: string) => {
    vi.stubEnv("JITLAB_NCCL", chosen);
    try {
      return refusal(() => ncclVersion());
    } finally {
      vi.unstubAllEnvs();
    }
  };
  expect(told(path)).toMatch(/^library-damaged: NCCL cannot be loaded from .*libnccl\.so\.2/);
  expect(told(join(folder, "nowhere.so"))).toMatch(
    /^library-damaged: NCCL cannot be loaded from .*nowhere\.so/,
  );
  expect(told("libc.so.6")).toMatch(
    /^library-damaged: NCCL cannot be loaded from libc\.so\.6 .*ncclGetVersion/,
  );
});

test("a library of another version, without a function", () => {
  const library = new CheckedLibrary("libc.so.6", names);
  expect([library.has("strlen"), library.has("cuNothing")]).toEqual([true, false]);
  const told = refusal(() => library.call("cuNothing", ["int"]));
  expect(told).toMatch(/^library-damaged: cuNOTHING \(libc\.so\.6\) has no function cuNothing/);
});

test("statuses: success, no memory, and any other", () => {
  // abs(x) gives the status x.
  const call = new CheckedLibrary("libc.so.6", names).call("abs", ["int"]);
  expect(call(0)).toBeUndefined();
  expect(refusal(() => call(2))).toMatch(/^out-of-memory: cuNOTHING has no memory on the device for abs/);
  expect(refusal(() => call(6))).toMatch(/^library-damaged: cuNOTHING failed in abs with status 6/);
});
