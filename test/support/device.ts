import * as jl from "../../dist/runtime/index.js";

/** The device on which the tests of tensors run: JITLAB_TEST_DEVICE, else the cpu. */
export const device = process.env.JITLAB_TEST_DEVICE ?? "cpu";

/** Makes it the default; for beforeAll. */
export function useDevice(): void {
  jl.setDevice(device);
}

/** Text with the device's name replaced, so that snapshots are the same for every device. */
export function anyDevice(text: string): string {
  return text.replaceAll(jl.getDevice(), "DEVICE");
}
