// Calls into C go through koffi, which is loaded at the first of them.

import type koffi from "koffi";
import { requireFrom } from "../builtins.js";

/** A C type as koffi knows it. */
export type TypeObject = ReturnType<typeof koffi.proto>;

let loaded: typeof koffi | undefined;

/** The koffi library. */
export function ffi(): typeof koffi {
  loaded ??= requireFrom(import.meta.url)("koffi") as typeof koffi;
  return loaded;
}
