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
    loaded ??= withLargeStack(requireFrom(import.meta.url)("koffi") as typeof koffi);
  } catch (error) {
    throw new DeviceError(
      "no-ffi",
      `koffi, which calls native code, cannot be loaded: ${error instanceof Error ? error.message : String(error)}.`,
      "`jitlab doctor` says what is missing. EMFILE means that the process cannot open more files: raise `ulimit -n`.",
    );
  }
  return loaded;
}

// The most that koffi takes. OpenBLAS's factorizations on several threads use half a MiB for each level of their recursion, and
// would write beyond koffi's default of 2 MiB.
const stackBytes = 2 ** 24;

function withLargeStack(library: typeof koffi): typeof koffi {
  if (library.config().sync_stack_size === stackBytes) return library;
  try {
    library.config({ sync_stack_size: stackBytes });
  } catch {
    // A user's own code has loaded a library by this copy of koffi, whose settings are fixed from then on.
  }
  return library;
}
