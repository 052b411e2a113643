// One small figure record. plot.ts turns it into Plotly's JSON, svg.ts into SVG, and figure-text.ts into text; axes, ticks
// and colors are decided here, so that all three agree.
import type { Colormap } from "./colormap.js";
import { formatCount, formatTime } from "./format.js";

/** One axis; times are in milliseconds. */
export interface Axis {
  readonly label: string;
  readonly scale: "linear" | "log";
  /** The kind of its values: times, counts and amounts begin at zero, numbers where the data begin; counts are whole. */
  readonly unit: "time" | "count" | "amount" | "number";
  /** Explicit ticks; the axis then ends with the values. */
  readonly ticks?: readonly Tick[];
}

/** A tick on an axis. */
export interface Tick {
  readonly value: number;
  readonly text: string;
}

/** A span on a row, such as one phase of a kernel's first call. */
export interface Span {
  readonly row: number;
  readonly from: number;
  readonly to: number;
  /** Its description, for the tooltip. */
  readonly note?: string;
  /** A text after it. */
  readonly text?: string;
  /** A text inside of it, where there is room. */
  readonly name?: string;
}

/** Spans on rows: stacked phases, a timeline, or bars. */
export interface SpanPanel {
  readonly kind: "spans";
  readonly title: string;
  readonly x: Axis;
  /** True for bars: the series of a row stand below each other. */
  readonly isGrouped?: boolean;
  readonly series: readonly {
    readonly name: string;
    readonly color: string;
    readonly spans: readonly Span[];
  }[];
}

/** Values on rows, joined by a line, such as a first call and a warm launch. */
export interface DotPanel {
  readonly kind: "dots";
  readonly title: string;
  readonly x: Axis;
  readonly series: readonly {
    readonly name: string;
    readonly color: string;
    /** One value per row; undefined for none. */
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
    /** Descriptions of the points, for the tooltip. */
    readonly notes?: readonly string[];
    /** Names of points, written beside them. */
    readonly labels?: readonly string[];
    /** To draw only the line, only the points, a dashed line, such as a limit, or the area within the points, strong if it has a name. */
    readonly marks?: "line" | "points" | "dashes" | "area";
    /** A number of each point, shown by its color. */
    readonly shades?: { readonly values: readonly number[] } & Shades;
    /** The radius of each point, in pixels. */
    readonly radii?: readonly number[];
  }[];
}

/** The opacity of areas, and of points of different sizes. */
export const opacity = { area: 0.1, bubble: 0.8 } as const;

/** Areas with a name are read by their color. */
export function areaOpacity(name: string): number {
  return name === "" ? opacity.area : 0.6;
}

/** How numbers become colors. */
export interface Shades {
  readonly colormap: Colormap;
  /** The numbers of the first and the last color. */
  readonly min: number;
  readonly max: number;
}

/** Bars on the x axis. */
export interface BarPanel {
  readonly kind: "bars";
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly {
    readonly name: string;
    readonly color: string;
    readonly bars: readonly (readonly [from: number, to: number, height: number])[];
  }[];
}

/** A table of numbers as colors; column j is drawn from j to j + 1, row i from the top. */
export interface HeatPanel extends Shades {
  readonly kind: "heat";
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly [];
  readonly values: readonly (readonly number[])[];
  /** True where a cell is a square. */
  readonly isSquare?: boolean;
  /** True where each cell shows its number. */
  readonly hasNumbers?: boolean;
}

/** Data flow: a box around some rows each, and arcs between boxes. */
export interface FlowPanel {
  readonly kind: "flow";
  readonly title: string;
  readonly x: Axis;
  /** The boxes, from the top; the rows of each are adjacent. */
  readonly series: readonly {
    readonly name: string;
    readonly color: string;
    readonly first: number;
    readonly last: number;
    /** Those of its rows that have a dot. */
    readonly stored: readonly number[];
  }[];
  /** Between boxes, by their numbers; `weight` is from 0 to 1. */
  readonly edges: readonly {
    readonly from: number;
    readonly to: number;
    readonly text: string;
    readonly weight: number;
  }[];
  /** Rows below which a line is drawn. */
  readonly breaks: readonly number[];
  /** One remark per row. */
  readonly notes: readonly string[];
}

/** One part of a figure; parts are next to each other. */
export type Panel = SpanPanel | DotPanel | LinePanel | BarPanel | HeatPanel | FlowPanel;

/** True for a panel whose y axis is the figure's rows. */
export function isOnRows(panel: Panel): panel is SpanPanel | DotPanel | FlowPanel {
  return panel.kind === "spans" || panel.kind === "dots" || panel.kind === "flow";
}

/** A figure: panels that share the rows on their left. */
export interface Figure {
  readonly title: string;
  /** Labels of the rows, from the top; empty for curves. */
  readonly rows: readonly string[];
  readonly panels: readonly Panel[];
}

/**
 * Mid-tone colors: 3 to 1 against white and against near-black (within 2 %), and 14 units of CIELAB from each other,
 * also for eyes that do not tell red from green. test/magics/palette.test.ts computes both.
 */
export const palette = {
  generate: "#dc74af",
  lookup: "#61686e",
  compile: "#c58600",
  load: "#995400",
  launch: "#1563c1",
  warm: "#2aa97c",
  device: "#3c7c55",
  first: "#d964f7",
} as const;

/** Colors for curves, in order. */
export const curveColors: readonly string[] = [
  palette.launch,
  palette.compile,
  palette.warm,
  palette.generate,
  palette.load,
  palette.first,
];

/** The color of text, and of axes and grid lines. */
export const ink = {
  // Between the contrasts on white and on near-black.
  text: "#737a83",
  grid: "rgba(128,128,128,0.25)",
  axis: "rgba(128,128,128,0.6)",
} as const;

/** An axis' range and its labelled ticks. */
export interface Ticks {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly Tick[];
}

/** Range and ticks that hold all `values`: from zero with round steps, or whole decades. */
export function ticksOf(axis: Axis, values: readonly number[]): Ticks {
  const finite = values.filter((v) => Number.isFinite(v) && (axis.scale === "linear" || v > 0));
  if (axis.ticks) return { min: Math.min(...finite), max: Math.max(...finite), ticks: axis.ticks };
  const isSigned = axis.unit === "number" || (axis.unit === "amount" && finite.some((value) => value < 0));
  if (isSigned && axis.scale === "linear") return numberTicks(axis, finite);
  const least = axis.unit === "number" && finite.length > 0 ? 0 : 1e-3;
  const high = Math.max(...finite, axis.scale === "log" ? least : 0);
  const text = (value: number) => tickText(axis, value);
  if (axis.scale === "log") {
    const low = Math.log10(Math.min(...finite, high));
    // A bar of the smallest amount has a length.
    const first = axis.unit === "amount" ? Math.ceil(low - 1e-9) - 1 : Math.floor(low + 1e-9);
    const last = Math.max(first + 1, Math.ceil(Math.log10(high) - 1e-9));
    const step = Math.ceil((last - first) / 6);
    const ticks = [];
    for (let k = first; k <= last; k += step) ticks.push({ value: 10 ** k, text: text(10 ** k) });
    return { min: 10 ** first, max: 10 ** last, ticks };
  }
  const max = high > 0 ? high : 1;
  const step = axis.unit === "count" ? Math.max(1, roundStep(max / 5)) : roundStep(max / 5);
  const count = Math.ceil(max / step - 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, i) => ({ value: i * step, text: text(i * step) }));
  return { min: 0, max: count * step, ticks };
}

function roundStep(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  return power * ([1, 2, 5, 10].find((s) => s * power >= raw) ?? 10);
}

// From the smallest to the largest with a margin, but without a margin past a zero.
function numberTicks(axis: Axis, values: readonly number[]): Ticks {
  const [low, high] = values.length === 0 ? [0, 1] : [Math.min(...values), Math.max(...values)];
  const span = high > low ? high - low : Math.abs(high) || 1;
  // The text of a bar below zero is before it.
  const before = axis.unit === "amount" ? 0.12 : 0.04;
  const [min, max] = [low === 0 ? 0 : low - before * span, high === 0 && low < 0 ? 0 : high + 0.04 * span];
  const step = roundStep(span / 7);
  const ticks = [];
  for (let i = Math.ceil(min / step - 1e-9); i * step <= max + 1e-9 * span; i++) {
    ticks.push({ value: i * step, text: tickText(axis, Number((i * step).toPrecision(12))) });
  }
  return { min, max, ticks };
}

function tickText(axis: Axis, value: number): string {
  if (value === 0) return "0";
  if (axis.unit === "time") return formatTime(value / 1e3);
  const power = Math.log10(Math.abs(value));
  const superscript = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  if (axis.scale === "log" && Number.isInteger(Math.round(power * 1e6) / 1e6) && power >= 3) {
    return `10${[...`${Math.round(power)}`].map((d) => superscript[Number(d)] ?? d).join("")}`;
  }
  if (axis.unit === "count" || (axis.unit === "amount" && Math.abs(value) >= 0.01)) return formatCount(value);
  const exponent = Math.abs(power) >= 5;
  const rounded = Number(value.toPrecision(6));
  return exponent ? rounded.toExponential().replace("e+", "e") : String(rounded);
}

/** Every x value of a panel, for its axis. */
export function xValues(panel: Panel): number[] {
  if (panel.kind === "spans")
    return panel.series.flatMap((s) => s.spans.flatMap((span) => [span.from, span.to]));
  if (panel.kind === "dots") return panel.series.flatMap((s) => s.values.filter(isNumber));
  if (panel.kind === "bars") return panel.series.flatMap((s) => s.bars.flatMap((bar) => bar.slice(0, 2)));
  if (panel.kind === "heat") return [0, panel.values[0]?.length ?? 1];
  if (panel.kind === "flow") return [0, 1];
  return panel.series.flatMap((s) => s.points.map(([x]) => x));
}

/** Every y value of a panel that has a y axis, for that axis. */
export function yValues(panel: LinePanel | BarPanel | HeatPanel): number[] {
  if (panel.kind === "bars") return [0, ...panel.series.flatMap((s) => s.bars.map(([, , height]) => height))];
  if (panel.kind === "heat") return [0, panel.values.length];
  return panel.series.flatMap((s) => s.points.map(([, y]) => y));
}

/** True for a value, false for a missing one. */
export function isNumber(value: number | undefined): value is number {
  return value !== undefined;
}

/** A name and a color that a legend explains. */
export interface LegendEntry {
  readonly name: string;
  readonly color: string;
}

const mostEndNames = 8;

/** True for a panel of a few curves, whose names are at their ends instead of in a legend. */
export function namesAtEnds(figure: Figure): boolean {
  const [panel] = figure.panels;
  if (figure.panels.length !== 1 || panel?.kind !== "lines") return false;
  const { series } = panel;
  return (
    series.length > 1 &&
    series.length <= mostEndNames &&
    series.every(
      ({ name, marks, points }) => name !== "" && marks !== "points" && marks !== "area" && points.length > 0,
    )
  );
}

/** The names and colors that a legend explains, each once. */
export function legend(figure: Figure): LegendEntry[] {
  if (namesAtEnds(figure)) return [];
  const entries = figure.panels.flatMap((panel) =>
    panel.kind === "flow" ? [] : panel.series.map(({ name, color }) => [name, color] as const),
  );
  return [...new Map(entries)].filter(([name]) => name !== "").map(([name, color]) => ({ name, color }));
}
