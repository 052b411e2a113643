// Colormaps: colors of numbers between 0 and 1, given by stops at equal distances. Plotly and the pictures share them.

const stops = {
  viridis:
    "440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c 1fa088 28ae80 3fbc73 5ec962 84d44b addc30 d8e219 fde725",
  magma: "000004 140e36 3b0f70 641a80 8c2981 b73779 de4968 f7705c fe9f6d fecf92 fcfdbf",
  coolwarm: "3b4cc0 7b9ff9 c0d4f5 f2cbb7 ee8468 b40426",
  gray: "000000 ffffff",
} as const;

/** The name of a colormap: `viridis` and `magma` for amounts, `coolwarm` for what has a middle, `gray`. */
export type Colormap = keyof typeof stops;

/** Every colormap's name. */
export const colormaps = Object.keys(stops) as readonly Colormap[];

/** The colors of a colormap at equal distances, as `#rrggbb`. */
export function colormapStops(name: Colormap): string[] {
  return stops[name].split(" ").map((stop) => `#${stop}`);
}

/** Writes the color of a number from 0 to 1 into `bytes`; one that is not finite stays transparent. */
export function colorInto(
  bytes: Uint8Array,
  offset: number,
  table: readonly number[][],
  share: number,
): void {
  if (Number.isNaN(share)) return;
  const place = Math.min(1, Math.max(0, share)) * (table.length - 1);
  const low = Math.min(table.length - 2, Math.floor(place));
  const [from = [], to = []] = [table[low], table[low + 1]];
  for (let i = 0; i < 3; i++) {
    bytes[offset + i] = Math.round((from[i] ?? 0) + (place - low) * ((to[i] ?? 0) - (from[i] ?? 0)));
  }
  bytes[offset + 3] = 255;
}

/** A colormap's stops as red, green and blue. */
export function colorTable(name: Colormap): number[][] {
  return stops[name].split(" ").map((stop) => [...Buffer.from(stop, "hex")]);
}
