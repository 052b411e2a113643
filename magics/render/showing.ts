// How this process shows plots: the forms of their bundles, and the cell whose output has the Plotly library.
import type { CellIdentity } from "../host.js";
import { type FigureBundle, type PlotForms, pictureBundle, plotBundle } from "./bundle.js";

/** The form of plots: all forms, all forms with the library in an output, or pictures. */
export type PlotsMode = "mime" | "html" | "png";

let mode: PlotsMode = "mime";
let cell: (() => CellIdentity) | undefined;
let bringer: CellIdentity | undefined;

/** Chooses how plots are shown from now on. */
export function showPlotsAs(chosen: PlotsMode): void {
  mode = chosen;
}

/** Sets the running cell, so that one output of a notebook includes the library. */
export function showPlotsIn(running: () => CellIdentity): void {
  cell = running;
  bringer = undefined;
}

/** The bundle of a plot in the current form. */
export function shownPlot(forms: PlotForms): FigureBundle {
  return mode === "png" ? pictureBundle(forms) : plotBundle(forms, { embed: mode === "html" && brings() });
}

// The first figure of a session does, also when its cell runs again.
function brings(): boolean {
  const running = cell?.();
  if (running === undefined) return false;
  if (bringer !== undefined && (bringer.name !== running.name || bringer.run === running.run)) return false;
  bringer = running;
  return true;
}
