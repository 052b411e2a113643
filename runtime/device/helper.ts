// What a device asks of the cache and of dispatch, which stand above it and therefore hand their services in here: code of
// its own, such as the cpu device's thread pool, which is compiled and cached like any kernel; a compiler that starts while
// the device is still being opened; and a first call before the user's.
import { DeviceError } from "../errors.js";
import type { Device, Target } from "./device.js";

/** A device's own code: C++ text that exports `symbol`. */
export interface Helper {
  readonly name: string;
  readonly symbol: string;
  readonly source: string;
}

/** The services of the layers above. */
export interface Services {
  /** Gives the compiled code of a helper, from the cache where it is there. */
  build(helper: Helper, target: Target): Uint8Array;
  /** Starts the target's compiler without waiting, where kernels will have to be compiled. */
  prepare(target: Target): void;
  rehearse(device: Device): void;
  /** The user's text behind a kernel's symbol; undefined for a kernel of the library. */
  userText(symbol: string): string | undefined;
}

const services: Partial<Services> = {};

/** Called once by each layer that provides some of them, when it is loaded. */
export function provideServices(provided: Partial<Services>): void {
  Object.assign(services, provided);
}

/** The compiled code of a device's helper. */
export function buildHelper(helper: Helper, target: Target): Uint8Array {
  if (services.build) return services.build(helper, target);
  throw new DeviceError(
    "no-cache",
    `The helper ${helper.name} was asked for before the kernel cache was loaded.`,
  );
}

/** Called by a device at the start of its opening. */
export function prepareCompiler(target: Target): void {
  services.prepare?.(target);
}

/** Called by a device at the end of its opening: makes one call, so that the user's first one finds all code warm. */
export function rehearse(device: Device): void {
  services.rehearse?.(device);
}

/** The user's text behind the symbol of a kernel that failed, for the message. */
export function userTextOf(symbol: string): string | undefined {
  return services.userText?.(symbol);
}
