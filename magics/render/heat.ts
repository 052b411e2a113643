// What the picture of a heat map needs: its cells and its color bar as small PNGs that the drawer stretches.
import { colorInto, colorTable } from "./colormap.js";
import { type HeatPanel, type Tick, ticksOf } from "./figure.js";
import { encodePng } from "./pixels.js";

/** One pixel for each cell, as base64 of a PNG. */
export function heatPixels({ values, colormap, min, max }: HeatPanel): string {
  const width = values[0]?.length ?? 0;
  const bytes = new Uint8Array(width * values.length * 4);
  const table = colorTable(colormap);
  for (const [y, row] of values.entries()) {
    for (let x = 0; x < width; x++) {
      colorInto(bytes, (y * width + x) * 4, table, shareOf(row[x] ?? Number.NaN, min, max));
    }
  }
  return encodePng({ width, height: values.length, bytes }).toString("base64");
}

/** The colors from the last to the first, and their numbers. */
export function colorBar({ colormap, min, max }: HeatPanel): { pixels: string; ticks: Tick[] } {
  const height = 256;
  const bytes = new Uint8Array(height * 4);
  const table = colorTable(colormap);
  for (let y = 0; y < height; y++) colorInto(bytes, y * 4, table, 1 - y / (height - 1));
  const { ticks } = ticksOf({ label: "", scale: "linear", unit: "number" }, [min, max]);
  return {
    pixels: encodePng({ width: 1, height, bytes }).toString("base64"),
    ticks: ticks.filter(({ value }) => value >= min && value <= max),
  };
}

/** Where a number stands between the first color's and the last one's. */
export function shareOf(value: number, min: number, max: number): number {
  return max > min ? (value - min) / (max - min) : value === min ? 0.5 : Number.NaN;
}
