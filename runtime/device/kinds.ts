// The families of devices, by name. Each is a folder next to this file and a line in runtime/launch/devices.ts.

/** The families of devices. The default device is the first of these that works. */
export const deviceKinds = ["cuda", "cpu", "wasm"] as const;

/** The name of a family of devices. */
export type DeviceKind = (typeof deviceKinds)[number];
