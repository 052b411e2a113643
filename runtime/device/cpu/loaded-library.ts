// A library of the host that koffi has loaded, and how builds of it name their functions.
import type { ffi } from "../ffi.js";

/** A loaded library. */
export type Library = ReturnType<ReturnType<typeof ffi>["load"]>;

/** How a build spells the names of its functions, and its type of integers. */
export type Spelling = readonly [prefix: string, suffix: string, integer: string];

/** True if a library has a function. */
export function has(library: Library, symbol: string): boolean {
  try {
    library.func(symbol, "void", []);
    return true;
  } catch {
    return false;
  }
}
