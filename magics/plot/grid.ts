// Several plots as one picture, in rows and columns.
import type { Figure } from "../render/figure.js";
import { figureText } from "../render/figure-text.js";
import { layoutOf } from "../render/layout.js";
import { svgToPng } from "../render/png.js";
import { figureSvg } from "../render/svg.js";
import { unplottable } from "./data.js";
import { Picture } from "./image.js";
import { Plot } from "./plot.js";

/** Options of grid(). */
export interface GridOptions {
  /** The number of plots beside each other; default 2. */
  readonly columns?: number;
}

const gap = 16;

/** Plots as one still picture, row by row; each row is as high as its highest plot. */
export function grid(plots: readonly Plot[], options: GridOptions = {}): Picture {
  const { columns = 2 } = options;
  if (!Number.isInteger(columns) || columns < 1)
    throw unplottable("grid: columns", "a whole number from 1 on", String(columns));
  if (!Array.isArray(plots) || plots.length === 0 || !plots.every((one) => one instanceof Plot && one.figure))
    throw unplottable("grid: plots", "a list of plots of line, bars, scatter, histogram or heatmap", plots);
  const figures = plots.map(({ figure }) => figure as Figure);
  return new Picture(
    () => svgToPng(gridSvg(figures, columns)),
    figures.map((figure) => figureText(figure)).join("\n\n"),
  );
}

/** The figures' documents inside one. */
function gridSvg(figures: readonly Figure[], columns: number): string {
  const sizes = figures.map((figure) => layoutOf(figure));
  const cellWidth = Math.max(...sizes.map(({ width }) => width)) + gap;
  const parts: string[] = [];
  let y = 0;
  for (let from = 0; from < figures.length; from += columns) {
    const row = figures.slice(from, from + columns);
    row.forEach((figure, i) => {
      parts.push(figureSvg(figure).replace("<svg ", `<svg x="${i * cellWidth}" y="${y}" `));
    });
    y += Math.max(...sizes.slice(from, from + columns).map(({ height }) => height)) + gap;
  }
  const width = Math.min(columns, figures.length) * cellWidth - gap;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y - gap}">${parts.join("")}</svg>`;
}
