// Bars and heat maps as Plotly traces.
import { colormapStops, hexOf, painter } from "./colormap.js";
import { plotlyText } from "./escape.js";
import type { BarPanel, HeatPanel, Shades } from "./figure.js";
import { formatValue } from "./format.js";
import { inkOn } from "./ink-on.js";

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

/** The traces of a heat map: its cells, and their numbers, if it has some. */
export function heatTraces({ values, hasNumbers, ...shades }: HeatPanel): object[] {
  const cells = {
    type: "heatmap",
    z: values.map((row) => row.map((value) => (Number.isFinite(value) ? value : null))),
    // The middle of a cell, which extends from its number to the next one.
    x0: 0.5,
    dx: 1,
    y0: 0.5,
    dy: 1,
    zmin: shades.min,
    zmax: shades.max,
    ...colorScale(shades),
    hoverinfo: "z",
  };
  if (!hasNumbers) return [cells];
  const paint = painter(shades.colormap, shades.min, shades.max);
  const all = values.flatMap((row, i) => row.map((value, j) => ({ value, x: j + 0.5, y: i + 0.5 })));
  const numbers = {
    ...{ type: "scatter", mode: "text", hoverinfo: "skip", showlegend: false },
    x: all.map(({ x }) => x),
    y: all.map(({ y }) => y),
    text: all.map(({ value }) => formatValue(value)),
    textfont: { size: 10.5, color: all.map(({ value }) => inkOn(hexOf(paint(value)))) },
  };
  return [cells, numbers];
}

/** A colormap and its bar. */
export function colorScale({ colormap }: Shades): object {
  const stops = colormapStops(colormap);
  return {
    colorscale: stops.map((stop, i) => [i / (stops.length - 1), stop]),
    colorbar: { thickness: 12, len: 1, outlinewidth: 0 },
  };
}
