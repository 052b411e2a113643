// The language service's state as plain data, from which a new process can continue.
import type { Layers } from "./declarations.js";

/** How type errors are treated. */
export type TypeCheck = "on" | "warn" | "off";

/** The state that must survive a process. */
export interface LanguageState {
  readonly layers: Layers;
  readonly typecheck: TypeCheck;
}

/** The state of a new notebook. */
export const initialState: LanguageState = { layers: [], typecheck: "on" };
