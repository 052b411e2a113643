// The lifetime of a loaded kernel: its owners, and its unloading.
import { expect, test } from "vitest";
import { DeviceError } from "../../dist/runtime/base/errors.js";
import type { LoadedCode } from "../../dist/runtime/device/loaded-code.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import type { LoadRequest } from "../../dist/runtime/launch/load-request.js";
import { LoadedKernel } from "../../dist/runtime/launch/loaded-kernel.js";
import { KernelClock } from "../../dist/runtime/launch/timings.js";

const device = getDevice("cpu");
const request: LoadRequest = {
  source: "",
  symbol: "f",
  op: "f",
  variant: "contiguous",
  dtypes: [],
  target: device.target,
  division: { threads: 1, perThread: 8 },
  argumentBytes: 16,
};
const phases = { generateMs: 0, lookupMs: 0, compileMs: 0, loadMs: 0 };

function kernelOf(code: Partial<LoadedCode>, key: string) {
  const told: string[] = [];
  const clock = new KernelClock(request, key, device.name, "disk", phases);
  const all: LoadedCode = { launch: () => {}, unload: () => told.push("unloaded"), ...code };
  return { kernel: new LoadedKernel(device, all, clock, request, 16, () => told.push("unused")), told };
}

test("it is unloaded once, after its last user", () => {
  const { kernel, told } = kernelOf({}, "counted");
  kernel.retain().retain();
  const release = kernel.keep();
  kernel.release();
  kernel.release();
  expect(told).toEqual([]);
  release();
  expect(told).toEqual(["unused", "unloaded"]);
  expect(jl.timings().map(({ key }) => key)).toContain("counted");
});

test("a device that is lost does not keep it from going", () => {
  const unload = () => {
    throw new DeviceError("device-lost", "The device is lost.");
  };
  const { kernel, told } = kernelOf({ unload }, "lost");
  kernel.retain().release();
  expect(told).toEqual(["unused"]);
});

test("its block is used again by the next kernel, zeroed", () => {
  const { kernel } = kernelOf({}, "first");
  kernel.block.u32[1] = 7;
  kernel.retain().release();
  const { kernel: next } = kernelOf({}, "second");
  expect([next.block.address, next.block.u32[1]]).toEqual([kernel.block.address, 0]);
});

test("a launch over elements is one range without a grid", () => {
  const { kernel } = kernelOf({}, "range");
  expect(kernel.over(100)).toEqual({ grid: [100, 1, 1], block: [8, 1, 1], sharedBytes: 0 });
});

test("a launch while the arguments of another one are written makes that one throw", () => {
  const { kernel } = kernelOf({}, "outer");
  const { kernel: other } = kernelOf({}, "inner");
  const launch = (own: LoadedKernel) => own.launch(own.over(1), [], []);
  for (const own of [kernel, other]) {
    kernel.fill();
    own.fill();
    launch(own);
    expect(() => launch(kernel)).toThrow(
      "Another kernel was launched while the arguments of f (contiguous) were written.",
    );
  }
  kernel.fill();
  launch(kernel);
});
