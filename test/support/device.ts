import * as jl from "../../dist/runtime/index.js";

/** The device on which the tests of tensors run: JITLAB_TEST_DEVICE, else the cpu. */
export const device = process.env.JITLAB_TEST_DEVICE ?? "cpu";

/** False on the reference device, which runs neither what users write in C++ nor integers above 2^53. */
export const isCompiled = process.env.JITLAB_TEST_DEVICE !== undefined;

/** Makes it the default; for beforeAll. */
export function useDevice(): void {
  jl.setDevice(device);
}

/** The same, but without JITLAB_TEST_DEVICE the reference device, which needs no compiler. */
export async function useAnyDevice(): Promise<void> {
  if (!isCompiled) {
    const { useReference } = await import("./reference/device.js");
    useReference();
  }
  useDevice();
}

/** Text with the device's name replaced, so that snapshots are the same for every device. */
export function anyDevice(text: string): string {
  return text.replaceAll(jl.getDevice(), "DEVICE");
}
