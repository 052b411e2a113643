// Makes the module `jitlab/widgets` of a notebook; loaded at its first import.
import type { Comms } from "../comms.js";
import type { Displays } from "../display.js";
import { Controls } from "./controls.js";
import { makeInteract } from "./interact.js";
import { WidgetTable } from "./widget.js";

/** The functions that cells import. */
export function makeWidgets(comms: Comms, displays: Displays): object {
  const controls = new Controls(new WidgetTable(comms));
  const { table: _, ...functions } = controls;
  const interact = makeInteract(controls, (value) => displays.bundleOf(value));
  return { ...functions, interact, __esModule: true };
}
