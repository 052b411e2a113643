// The parts of a heat map's picture: its cells and its color bar as small PNGs that are stretched.
import { painter } from "./colormap.js";
import { type HeatPanel, type Shades, type Tick, ticksOf } from "./figure.js";
import { base64Png } from "./pixels.js";

/** One pixel for each cell, as base64 of a PNG. */
export function heatPixels({ values, colormap, min, max }: HeatPanel): string {
  const width = values[0]?.length ?? 0;
  const colors = Uint32Array.from(values.flat(), painter(colormap, min, max));
  return base64Png({ width, height: values.length, bytes: new Uint8Array(colors.buffer) });
}

/** The colors from the last to the first, and their numbers. */
export function colorBar({ colormap, min, max }: Shades): { pixels: string; ticks: Tick[] } {
  const height = 256;
  const paint = painter(colormap, 0, height - 1);
  const colors = Uint32Array.from({ length: height }, (_, y) => paint(height - 1 - y));
  const { ticks } = ticksOf({ label: "", scale: "linear", unit: "number" }, [min, max]);
  return {
    pixels: base64Png({ width: 1, height, bytes: new Uint8Array(colors.buffer) }),
    ticks: ticks.filter(({ value }) => value >= min && value <= max),
  };
}
