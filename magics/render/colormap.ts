// Colormaps: colors of numbers between 0 and 1, from stops at equal distances. Plotly and the pictures share them.

const stops = {
  viridis:
    "440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c 1fa088 28ae80 3fbc73 5ec962 84d44b addc30 d8e219 fde725",
  magma: "000004 140e36 3b0f70 641a80 8c2981 b73779 de4968 f7705c fe9f6d fecf92 fcfdbf",
  coolwarm: "3b4cc0 7b9ff9 c0d4f5 f2cbb7 ee8468 b40426",
  gray: "000000 ffffff",
} as const;

/** The name of a colormap: `viridis` and `magma` for amounts, `coolwarm` for values around a middle, `gray`. */
export type Colormap = keyof typeof stops;

/** Every colormap's name. */
export const colormaps = Object.keys(stops) as readonly Colormap[];

/** The colors of a colormap at equal distances, as `#rrggbb`. */
export function colormapStops(name: Colormap): string[] {
  return stops[name].split(" ").map((stop) => `#${stop}`);
}

/** The colors of a colormap for numbers between `min` and `max`, as pixels of red, green, blue, opacity. */
export function painter(name: Colormap, min: number, max: number): (value: number) => number {
  const table = pixelTable(name);
  const last = table.length - 1;
  const scale = max > min ? last / (max - min) : 0;
  const only = table[last / 2] ?? 0;
  return (value) => {
    // Non-finite numbers are transparent; if both ends are equal, the middle color is used.
    if (!Number.isFinite(value)) return value > 0 ? (table[last] ?? 0) : value < 0 ? (table[0] ?? 0) : 0;
    if (scale === 0) return value === min ? only : 0;
    const place = Math.round((value - min) * scale);
    return table[Math.min(last, Math.max(0, place))] ?? 0;
  };
}

/** A pixel's color as `#rrggbb`, without its opacity. */
export function hexOf(pixel: number): string {
  const part = (shift: number) => ((pixel >> shift) & 255).toString(16).padStart(2, "0");
  return `#${part(0)}${part(8)}${part(16)}`;
}

// Fine enough that neighbours differ by less than one of 255.
const tableSize = 1025;
const tables = new Map<Colormap, Uint32Array>();

function pixelTable(name: Colormap): Uint32Array {
  const known = tables.get(name);
  if (known) return known;
  const colors = stops[name].split(" ").map((stop) => [...Buffer.from(stop, "hex")]);
  const bytes = new Uint8Array(tableSize * 4);
  for (let i = 0; i < tableSize; i++) {
    const place = (i / (tableSize - 1)) * (colors.length - 1);
    const low = Math.min(colors.length - 2, Math.floor(place));
    const [from = [], to = []] = [colors[low], colors[low + 1]];
    const mixed = from.map((part, j) => Math.round(part + (place - low) * ((to[j] ?? 0) - part)));
    bytes.set([...mixed, 255], i * 4);
  }
  const table = new Uint32Array(bytes.buffer);
  tables.set(name, table);
  return table;
}
