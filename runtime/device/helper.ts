// Code that a device itself needs, such as the cpu device's thread pool. It is compiled and cached like any kernel, by
// the layer of the cache, which stands below the devices and therefore hands its way of building in here.
import { DeviceError } from "../errors.js";
import type { Target } from "./device.js";

/** A device's own code: C++ text that exports `symbol`. */
export interface Helper {
  readonly name: string;
  readonly symbol: string;
  readonly source: string;
}

/** Gives the compiled code of a helper, from the cache where it is there. */
export type BuildHelper = (helper: Helper, target: Target) => Uint8Array;

let build: BuildHelper | undefined;

/** Called once by the cache's layer when it is loaded. */
export function provideHelpers(builder: BuildHelper): void {
  build = builder;
}

/** The compiled code of a device's helper. */
export function buildHelper(helper: Helper, target: Target): Uint8Array {
  if (build) return build(helper, target);
  throw new DeviceError(
    "no-cache",
    `The helper ${helper.name} was asked for before the kernel cache was loaded.`,
  );
}
