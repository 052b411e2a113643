// What a notebook's language knows, as plain data: a new process goes on from it.
import type { Layers } from "./declarations.js";

/** How type errors are treated. */
export type TypeCheck = "on" | "warn" | "off";

/** Everything that must survive a process. */
export interface LanguageState {
  readonly layers: Layers;
  readonly typecheck: TypeCheck;
}

/** The state of a new notebook. */
export const initialState: LanguageState = { layers: [], typecheck: "on" };
