// A launch on a device without memory for what its blocks exchange: kernels are unloaded to make room, and then it is launched.
import { expect, test } from "vitest";
import { DeviceError } from "../../dist/runtime/base/errors.js";
import * as jl from "../../dist/runtime/index.js";
import { replaceDevice } from "../../dist/runtime/launch/devices.js";
import { forgetAll } from "../../dist/runtime/launch/kernel-tables.js";
import { DryDevice, dryTargets } from "../support/dry-device.js";

test("a kernel that is unloaded for its own launch is loaded again", () => {
  const device = new DryDevice(60, dryTargets["cuda together"], () => "");
  const unloaded = new Set<string>();
  const { load } = device;
  let loads = 0;
  device.load = (binary, symbol) => {
    const name = `${symbol} ${loads++}`;
    const code = load.call(device, binary, symbol);
    return {
      ...code,
      launch: (block, config) => {
        expect(unloaded).not.toContain(name);
        code.launch(block, config);
      },
      unload: () => void unloaded.add(name),
    };
  };
  Object.assign(device.services, { unload: forgetAll });
  replaceDevice(device);
  jl.setDevice(device.name);
  // Two blocks share a row.
  const x = jl.zeros([2, 300_000]);
  const { allocate } = device.allocator;
  let isFull = true;
  device.allocator.allocate = (bytes) => {
    if (isFull && bytes === 2 ** 20) {
      isFull = false;
      throw new DeviceError("out-of-memory", "The device is full.");
    }
    return allocate(bytes);
  };
  expect(jl.compile((x: jl.Tensor) => x.softmax(-1))(x).pointer).toBeGreaterThan(0);
  expect(isFull).toBe(false);
  expect(device.launches.length).toBeGreaterThan(0);
});
