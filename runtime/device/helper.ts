// What a device asks of the compile service and the cache, which stand below it and therefore hand their services in here:
// code of its own, such as the cpu device's thread pool, which is compiled and cached like any kernel; and a compiler that
// starts while the device is still being opened.
import { DeviceError } from "../errors.js";
import type { Target } from "./device.js";

/** A device's own code: C++ text that exports `symbol`. */
export interface Helper {
  readonly name: string;
  readonly symbol: string;
  readonly source: string;
}

/** The services of the layers below. */
export interface Services {
  /** Gives the compiled code of a helper, from the cache where it is there. */
  build(helper: Helper, target: Target): Uint8Array;
  /** Starts the target's compiler without waiting, where kernels will have to be compiled. */
  prepare(target: Target): void;
}

let services: Services | undefined;

/** Called once by the cache's layer when it is loaded. */
export function provideServices(provided: Services): void {
  services = provided;
}

/** The compiled code of a device's helper. */
export function buildHelper(helper: Helper, target: Target): Uint8Array {
  if (services) return services.build(helper, target);
  throw new DeviceError(
    "no-cache",
    `The helper ${helper.name} was asked for before the kernel cache was loaded.`,
  );
}

/** Called by a device at the start of its opening. */
export function prepareCompiler(target: Target): void {
  services?.prepare(target);
}
