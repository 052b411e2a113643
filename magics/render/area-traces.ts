// Bars and heat maps as Plotly traces.
import { colormapStops } from "./colormap.js";
import { plotlyText } from "./escape.js";
import type { BarPanel, HeatPanel } from "./figure.js";

/** The traces of bars. */
export function barTraces(panel: BarPanel): object[] {
  return panel.series.map(({ name, color, bars }) => ({
    type: "bar",
    name: plotlyText(name),
    x: bars.map(([from, to]) => (from + to) / 2),
    width: bars.map(([from, to]) => to - from),
    y: bars.map(([, , height]) => height),
    marker: { color, line: { width: 0 } },
    hoverinfo: "y",
  }));
}

/** The trace of a heat map. */
export function heatTrace({ values, colormap, min, max }: HeatPanel): object {
  const stops = colormapStops(colormap);
  return {
    type: "heatmap",
    z: values.map((row) => row.map((value) => (Number.isFinite(value) ? value : null))),
    // The middle of a cell, which extends from its number to the next one.
    x0: 0.5,
    dx: 1,
    y0: 0.5,
    dy: 1,
    zmin: min,
    zmax: max,
    colorscale: stops.map((stop, i) => [i / (stops.length - 1), stop]),
    colorbar: { thickness: 12, len: 1, outlinewidth: 0 },
    hoverinfo: "z",
  };
}
