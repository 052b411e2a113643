// Calls into C use koffi, which is loaded at the first call.

import type koffi from "koffi";
import { requireFrom } from "../base/builtins.js";
import { DeviceError } from "../base/errors.js";

/** A C type of koffi. */
export type TypeObject = ReturnType<typeof koffi.proto>;

let loaded: typeof koffi | undefined;

/** The koffi library. */
export function ffi(): typeof koffi {
  try {
    loaded ??= requireFrom(import.meta.url)("koffi") as typeof koffi;
  } catch (error) {
    throw new DeviceError(
      "no-ffi",
      `koffi, which calls native code, cannot be loaded: ${error instanceof Error ? error.message : String(error)}.`,
      "`jitlab doctor` says what is missing. EMFILE means that the process cannot open more files: raise `ulimit -n`.",
    );
  }
  return loaded;
}
