// What the driver says of itself and of its devices.
import { attribute, check, driver, type Out } from "./driver.js";

/** The `sm_XY` of a CUdevice. */
export function architectureOf(device: number): string {
  const [major, minor] = [attribute.computeCapabilityMajor, attribute.computeCapabilityMinor];
  return `sm_${attributeOf(device, major)}${attributeOf(device, minor)}`;
}

/** How many multiprocessors a CUdevice has. */
export function multiprocessorsOf(device: number): number {
  return attributeOf(device, attribute.multiprocessors);
}

function attributeOf(device: number, name: number): number {
  const value: Out = [0];
  check("cuDeviceGetAttribute", driver().cuDeviceGetAttribute(value, name, device));
  return value[0];
}

/** The name of a CUdevice, such as `NVIDIA H200`. */
export function nameOf(device: number): string {
  const name = new Uint8Array(256);
  check("cuDeviceGetName", driver().cuDeviceGetName(name, name.length, device));
  return new TextDecoder().decode(name.subarray(0, name.indexOf(0)));
}

/** The CUDA major version that the driver supports. */
export function driverMajor(): number {
  return Math.floor(driverVersion() / 1000);
}

/** The CUDA version that the driver supports: 12010 is 12.1. */
export function driverVersion(): number {
  const version: Out = [0];
  check("cuDriverGetVersion", driver().cuDriverGetVersion(version));
  return version[0];
}
