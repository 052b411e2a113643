// Makes the widgets of a notebook; loaded at their first use.
import type { ProgressBar } from "../../../magics/host.js";
import type { Comms } from "../comms.js";
import type { Displays } from "../display.js";
import { Controls } from "./controls.js";
import { makeInteract } from "./interact.js";
import { openProgressBar } from "./progress-bar.js";
import { WidgetTable } from "./widget.js";

/** The functions that make a notebook's widgets. */
export interface Widgets {
  /** `jitlab/widgets`, the functions that cells import. */
  readonly module: object;
  /** Opens the bar of long work. */
  progressBar(max: number): ProgressBar;
}

/** Makes the widgets of a notebook. */
export function makeWidgets(comms: Comms, displays: Displays): Widgets {
  const controls = new Controls(new WidgetTable(comms));
  const { table: _, ...functions } = controls;
  const interact = makeInteract(controls, (value) => displays.bundleOf(value));
  return {
    module: { ...functions, interact, __esModule: true },
    progressBar: (max) => openProgressBar(controls, max),
  };
}
