// The families of devices, by name. Each is a folder next to this file and a line in runtime/launch/devices.ts.

/** The families of devices. The default device is the first of these that works. */
export const deviceKinds = ["cuda", "cpu", "wasm", "opencl"] as const;

/** The name of a family of devices. */
export type DeviceKind = (typeof deviceKinds)[number];

/** True for a valid device name, whether or not the device exists. */
export function isDeviceName(name: string): boolean {
  const kind = /^([a-z]+)(?::\d{1,4})?$/.exec(name)?.[1];
  return deviceKinds.some((known) => known === kind);
}
