// How this process shows plots: which forms their bundles have, and which cell's output holds the Plotly library.
import type { CellIdentity } from "../host.js";
import { type FigureBundle, type PlotForms, pictureBundle, plotBundle } from "./bundle.js";

/** What plots are shown as: all forms, all forms with the library among the outputs, or pictures. */
export type PlotsMode = "mime" | "html" | "png";

let mode: PlotsMode = "mime";
let cell: (() => CellIdentity) | undefined;
let bringer: CellIdentity | undefined;

/** Chooses how plots are shown from now on. */
export function showPlotsAs(chosen: PlotsMode): void {
  mode = chosen;
}

/** Tells which cell runs, so that one output of a notebook brings the library. */
export function showPlotsIn(running: () => CellIdentity): void {
  cell = running;
  bringer = undefined;
}

/** The bundle of a plot as plots are shown now. */
export function shownPlot(forms: PlotForms): FigureBundle {
  return mode === "png" ? pictureBundle(forms) : plotBundle(forms, { embed: mode === "html" && brings() });
}

// The first figure of a session does, and so it does when its cell runs again.
function brings(): boolean {
  const running = cell?.();
  if (running === undefined) return false;
  if (bringer !== undefined && (bringer.name !== running.name || bringer.run === running.run)) return false;
  bringer = running;
  return true;
}
