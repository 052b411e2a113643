// One small figure record. plot.ts turns it into Plotly's JSON, svg.ts into an SVG of our own, and text.ts into text;
// axes, ticks and colors are decided here, so that all three agree.
import { formatCount, formatTime } from "./format.js";

/** One axis; times are in milliseconds. */
export interface Axis {
  readonly label: string;
  readonly scale: "linear" | "log";
  readonly unit: "time" | "count";
}

/** A stretch on a row, such as one phase of a kernel's first call. */
export interface Span {
  readonly row: number;
  readonly from: number;
  readonly to: number;
  /** What it is, for the tooltip. */
  readonly note?: string;
}

/** Spans on rows: stacked phases or a timeline. */
export interface SpanPanel {
  readonly kind: "spans";
  readonly title: string;
  readonly x: Axis;
  readonly series: readonly {
    readonly name: string;
    readonly color: string;
    readonly spans: readonly Span[];
  }[];
}

/** Values on rows, joined by a line: what a first call and a warm launch take. */
export interface DotPanel {
  readonly kind: "dots";
  readonly title: string;
  readonly x: Axis;
  readonly series: readonly {
    readonly name: string;
    readonly color: string;
    /** One value per row; undefined where there is none. */
    readonly values: readonly (number | undefined)[];
  }[];
  /** One remark per row, written after its last dot. */
  readonly notes: readonly string[];
}

/** Curves. */
export interface LinePanel {
  readonly kind: "lines";
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly {
    readonly name: string;
    readonly color: string;
    readonly points: readonly (readonly [x: number, y: number])[];
  }[];
}

/** One part of a figure; parts stand side by side. */
export type Panel = SpanPanel | DotPanel | LinePanel;

/** A figure: panels that share the rows on their left. */
export interface Figure {
  readonly title: string;
  /** Labels of the rows, from the top; empty for curves. */
  readonly rows: readonly string[];
  readonly panels: readonly Panel[];
}

/** Mid-tone colors, told apart on white and on near-black. */
export const palette = {
  generate: "#8f77d6",
  lookup: "#7f8c9a",
  compile: "#e07b39",
  load: "#cfa52c",
  launch: "#3f8fd9",
  warm: "#3fa565",
  device: "#c45ca0",
  first: "#d1567d",
} as const;

/** Colors for curves, in order. */
export const curveColors: readonly string[] = [
  palette.launch,
  palette.compile,
  palette.warm,
  palette.device,
  palette.generate,
  palette.load,
];

/** The color of text, and of axes and grid lines. */
export const ink = {
  text: "#808890",
  grid: "rgba(128,128,128,0.25)",
  axis: "rgba(128,128,128,0.6)",
} as const;

/** An axis' range and its labelled ticks. */
export interface Ticks {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
}

/** Range and ticks that hold all `values`: from zero with round steps, or whole decades. */
export function ticksOf(axis: Axis, values: readonly number[]): Ticks {
  const finite = values.filter((v) => Number.isFinite(v) && (axis.scale === "linear" || v > 0));
  const high = Math.max(...finite, axis.scale === "log" ? 1e-3 : 0);
  const text = (value: number) => tickText(axis, value);
  if (axis.scale === "log") {
    const first = Math.floor(Math.log10(Math.min(...finite, high)) + 1e-9);
    const last = Math.max(first + 1, Math.ceil(Math.log10(high) - 1e-9));
    const step = Math.ceil((last - first) / 6);
    const ticks = [];
    for (let k = first; k <= last; k += step) ticks.push({ value: 10 ** k, text: text(10 ** k) });
    return { min: 10 ** first, max: 10 ** last, ticks };
  }
  const max = high > 0 ? high : 1;
  const raw = max / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((s) => s * power >= raw) ?? 10);
  const count = Math.ceil(max / step - 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, i) => ({ value: i * step, text: text(i * step) }));
  return { min: 0, max: count * step, ticks };
}

function tickText(axis: Axis, value: number): string {
  if (value === 0) return "0";
  if (axis.unit === "time") return formatTime(value / 1e3);
  const power = Math.log10(value);
  const superscript = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  if (axis.scale === "log" && Number.isInteger(Math.round(power * 1e6) / 1e6) && power >= 3) {
    return `10${[...`${Math.round(power)}`].map((d) => superscript[Number(d)] ?? d).join("")}`;
  }
  return formatCount(value);
}

/** Every x value of a panel, for its axis. */
export function xValues(panel: Panel): number[] {
  if (panel.kind === "spans")
    return panel.series.flatMap((s) => s.spans.flatMap((span) => [span.from, span.to]));
  if (panel.kind === "dots") return panel.series.flatMap((s) => s.values.filter(isNumber));
  return panel.series.flatMap((s) => s.points.map(([x]) => x));
}

/** Tells a value from a missing one. */
export function isNumber(value: number | undefined): value is number {
  return value !== undefined;
}

/** The names and colors that a legend explains, each once. */
export function legend(figure: Figure): { name: string; color: string }[] {
  const entries = figure.panels.flatMap((panel) =>
    panel.series.map(({ name, color }) => [name, color] as const),
  );
  return [...new Map(entries)].map(([name, color]) => ({ name, color }));
}
