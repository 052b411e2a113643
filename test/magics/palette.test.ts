// The colors of figures: their contrasts with a page, and their distances from each other, also for eyes that see fewer colors.
import { expect, test } from "vitest";
import { colormaps, hexOf, painter } from "../../dist/magics/render/colormap.js";
import { curveColors, ink, palette } from "../../dist/magics/render/figure.js";
import { colours } from "../../dist/magics/render/highlight.js";
import { toned } from "../../dist/magics/render/html.js";
import { inkOn } from "../../dist/magics/render/ink-on.js";
import { tints } from "../../dist/magics/render/inspector.js";

type Triple = readonly [number, number, number];

const linear = (share: number) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
const linearOf = (color: string): Triple => {
  const part = (at: number) => linear(Number.parseInt(color.slice(at, at + 2), 16) / 255);
  return [part(1), part(3), part(5)];
};
const luminance = ([r, g, b]: Triple) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/** WCAG's contrast of two colors. */
function contrast(a: string, b: string): number {
  const [x, y] = [luminance(linearOf(a)) + 0.05, luminance(linearOf(b)) + 0.05];
  return Math.max(x, y) / Math.min(x, y);
}

// Machado, Oliveira and Fernandes (2009), severity 1.
const views: Readonly<Record<string, readonly [Triple, Triple, Triple]>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
};

/** CIELAB of linear RGB, with the white of D65. */
function lab([r, g, b]: Triple): Triple {
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = f(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** The distance of two colors by CIE76 under a view. */
function distance(a: string, b: string, view: readonly [Triple, Triple, Triple]): number {
  const seen = (color: string) => {
    const from = linearOf(color);
    const mixed = view.map((row) => row.reduce((sum, part, i) => sum + part * (from[i] ?? 0), 0));
    return lab(mixed.map((one) => Math.min(1, Math.max(0, one))) as unknown as Triple);
  };
  const [one, other] = [seen(a), seen(b)];
  return Math.hypot(...one.map((part, i) => part - (other[i] ?? 0)));
}

test.each(Object.entries(palette))("%s stands out on white and on near-black", (_, color) => {
  expect(contrast(color, "#ffffff")).toBeGreaterThan(2.9);
  expect(contrast(color, "#111111")).toBeGreaterThan(2.9);
});

test.each(Object.entries(views))("colors differ: %s", (_, view) => {
  const colors = Object.values(palette);
  for (const [i, one] of colors.entries())
    for (const other of colors.slice(i + 1))
      expect(distance(one, other, view), `${one} ${other}`).toBeGreaterThan(14);
});

test("curves take their colors from the palette", () => {
  expect(new Set(curveColors).size).toBe(6);
  for (const color of curveColors) expect(Object.values(palette)).toContain(color);
});

// No color reaches 4.5 against both.
test("a still picture's text has the same contrast on both pages", () => {
  expect(contrast(ink.text, "#ffffff")).toBeGreaterThan(4.3);
  expect(contrast(ink.text, "#111111")).toBeGreaterThan(4.3);
});

test("a text on a mark or on a cell of a heat map has a contrast of 4.5", () => {
  const cells = colormaps.flatMap((name) => {
    const paint = painter(name, 0, 99);
    return Array.from({ length: 100 }, (_, i) => hexOf(paint(i)));
  });
  for (const color of [...Object.values(palette), ...cells])
    expect(contrast(color, inkOn(color)), color).toBeGreaterThan(4.5);
});

test.each([
  ["white", "#1f2328", "#ffffff"],
  ["near-black", "#e6e6e6", "#121212"],
])("a word of a listing has a contrast of 4.5 on a tinted line of a page that is %s", (_, text, page) => {
  const parts = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const hex = (parts: number[]) =>
    `#${parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
  const mixed = (one: number[], other: number[], share: number) =>
    hex(one.map((part, i) => part * share + (other[i] as number) * (1 - share)));
  for (const color of Object.values(colours)) {
    const share = Number(/currentColor (\d+)%/.exec(toned(color))?.[1]) / 100;
    for (const tint of tints) {
      const [r, g, b, opacity] = (tint.match(/[\d.]+/g) as string[]).map(Number) as [
        number,
        number,
        number,
        number,
      ];
      const line = mixed([r, g, b], parts(page), opacity);
      expect(contrast(mixed(parts(text), parts(color), share), line), `${color} on ${tint}`).toBeGreaterThan(
        4.5,
      );
    }
  }
});
