// What docs/troubleshooting.md says of a GPU's driver, over libraries that stand in for it: each error is named and comes with its remedy.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import { buildFakeCuda } from "../support/fake-cuda.js";

const built = new URL("../../dist/", import.meta.url);
const place = mkdtempSync(join(tmpdir(), "jitlab-driver-"));
const driver = join(place, "driver");
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** The output of a process that finds its libcuda in a folder. */
function run(folder: string, args: readonly string[], changes: Record<string, string> = {}): string {
  const own = {
    LD_LIBRARY_PATH: folder,
    JITLAB_DEVICE: "",
    JITLAB_CACHE_DIR: join(place, "cache"),
    HOME: place,
  };
  return spawnSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, ...own, ...changes } })
    .stdout;
}

/** What doctor says of the GPU. */
function doctor(folder: string, changes: Record<string, string> = {}) {
  const report = run(folder, [new URL("kernel/main.js", built).pathname, "doctor", "--json"], changes);
  const { findings } = JSON.parse(report) as {
    findings: { name: string; status: string; detail: string; help: string }[];
  };
  return findings.find(({ name }) => name === "NVIDIA GPU");
}

/** The message of the error of an action on the device. */
function failure(folder: string, action: string, changes: Record<string, string> = {}): string {
  const program = `import { getDevice } from "${new URL("runtime/launch/devices.js", built)}";
    const device = getDevice("cuda:0");
    try { ${action} } catch (error) { console.log(error.code, error.message); }`;
  return run(folder, ["--input-type=module", "-e", program], changes);
}

test("a driver's library that cannot be loaded says how to install one", () => {
  const folder = join(place, "damaged");
  mkdirSync(folder);
  writeFileSync(join(folder, "libcuda.so.1"), "no library");
  expect(doctor(folder)).toEqual({
    name: "NVIDIA GPU",
    status: "missing",
    detail: expect.stringMatching(
      /^NVIDIA's driver library libcuda\.so\.1 cannot be loaded \(.*libcuda\.so\.1: .*\)\.$/,
    ),
    help: expect.stringMatching(/^Install NVIDIA's driver .*JITLAB_DEVICE=cpu\.$/),
  });
});

const compilerless = findCompiler().path === "" ? " (skipped: there is no C++ compiler)" : "";

describe.skipIf(compilerless)(`a driver${compilerless}`, () => {
  beforeAll(() => {
    mkdirSync(driver);
    buildFakeCuda(driver);
  });

  test.each([
    ["100", "CUDA_ERROR_NO_DEVICE", "Check CUDA_VISIBLE_DEVICES and `nvidia-smi`"],
    ["802", "CUDA_ERROR_SYSTEM_NOT_READY", "Restart the machine"],
    ["803", "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "Restart the machine"],
  ])("that starts with error %s names it, %s, and what to do", (code, name, help) => {
    const finding = doctor(driver, { FAKE_CUDA_INIT: code });
    expect(finding).toMatchObject({
      status: "missing",
      detail: expect.stringContaining(`cuInit failed: ${name}`),
    });
    expect(finding?.help).toContain(help);
  });

  test("that sees no GPU says where to look", () => {
    expect(doctor(driver, { FAKE_CUDA_DEVICES: "0" })).toMatchObject({
      detail: "The driver shows no GPU.",
      help: "Check CUDA_VISIBLE_DEVICES and `nvidia-smi`.",
    });
  });

  const nvrtc = findNvrtc();
  const without = nvrtc === undefined ? " (skipped: NVRTC is not there)" : "";

  test.skipIf(without)(`that is older than NVRTC says so, before and after it refuses code${without}`, () => {
    const changes = { FAKE_CUDA_VERSION: "11040", FAKE_CUDA_LOAD: "222" };
    const advice = `NVRTC is of CUDA ${nvrtc?.major} and the driver of CUDA 11, which may reject its code: install a newer driver, or an NVRTC of CUDA 11`;
    expect(doctor(driver, changes)?.detail).toContain(advice);
    const refused = failure(driver, `device.load(Buffer.from("PTX"), "f");`, changes);
    expect(refused).toContain("code-refused cuModuleLoadData failed: CUDA_ERROR_UNSUPPORTED_PTX_VERSION");
    expect(refused).toContain(advice);
  });

  test.skipIf(without)(`that lacks a function says from which version on there is one${without}`, () => {
    const old = join(place, "old");
    mkdirSync(old);
    buildFakeCuda(old, "-DOLD_DRIVER");
    expect(failure(old, "device.synchronize();")).toContain(
      "old-driver NVIDIA's driver has no cuStreamQuery.\nInstall a newer driver: jitlab needs one of CUDA 11.4 or later.",
    );
  });
});
