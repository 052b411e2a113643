// What a device out of memory may still load: unloads unused kernels and tries again.
import { DeviceError } from "../base/errors.js";
import type { Device } from "./device.js";
import { freeUnused } from "./memory.js";

/** Loads code; if the device is out of memory, retries after unloading kernels and freeing unused memory. */
export function retryAfterFreeing<T>(device: Device, load: () => T): T {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof DeviceError) || error.code !== "out-of-memory") throw error;
  }
  device.services.unload();
  freeUnused(device);
  return load();
}
