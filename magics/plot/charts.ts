// Charts with axes: lines, scattered points, histograms, bars.
import type { Colormap } from "../render/colormap.js";
import {
  type Axis,
  type BarPanel,
  curveColors,
  type Figure,
  type LinePanel,
  type Panel,
} from "../render/figure.js";
import { formatValue } from "../render/format.js";
import {
  blockOf,
  checkedColormap,
  isNumbers,
  isTensor,
  type Matrix,
  type Numbers,
  numbersOf,
  rangeOf,
  unplottable,
} from "./data.js";
import { type Plot, plotOf } from "./plot.js";

/** Options of every chart. */
export interface ChartOptions {
  readonly title?: string;
  readonly xLabel?: string;
  readonly yLabel?: string;
}

/** The axis scales of curves and points. */
export interface ScaleOptions extends ChartOptions {
  readonly xScale?: "linear" | "log";
  readonly yScale?: "linear" | "log";
}

/** Options of lines. */
export interface LineOptions extends ScaleOptions {
  /** Names of series that are drawn as dashed lines without points, such as a limit. */
  readonly dashed?: readonly string[];
}

/** One series of numbers, several by name, or the columns of a matrix. */
export type Curves = Numbers | Matrix | Readonly<Record<string, Numbers>>;

// More points than this are drawn without marks; above `mostPoints`, only the minimum and maximum of each interval.
const markedPoints = 60;
const mostPoints = 2000;
const mostScattered = 20_000;
// More bars than this are drawn upright.
const mostRows = 30;
/** The number of names along an axis. */
export const mostNames = 24;
const mostColumns = 20;

/** Lines through numbers, over their indexes or over `x`: `line(x.sin())`, `line(t, { sin, cos })`, `line(matrix)` by columns. */
export function line(y: Curves, options?: LineOptions): Plot;
export function line(x: Numbers, y: Curves, options?: LineOptions): Plot;
export function line(first: Curves, second?: Curves | LineOptions, third?: LineOptions): Plot {
  const withX = isCurves(second);
  const options = withX ? third : (second as LineOptions | undefined);
  const xs = withX ? numbersOf("line: x", first) : undefined;
  const dashed = options?.dashed ?? [];
  const given = series("line", withX ? second : first);
  const names = given.map(([name]) => name);
  const unknown = dashed.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw unplottable("line: dashed", `names of series (${names.join(", ")})`, JSON.stringify(unknown));
  }
  const curves = given.map(([name, ys], i) => {
    const points = thinned(pointsOf("line", name, xs, ys));
    const usual = points.length > markedPoints ? ({ marks: "line" } as const) : {};
    const marks = dashed.includes(name) ? ({ marks: "dashes" } as const) : usual;
    return { name, color: colorAt(i), points, ...marks };
  });
  return curvesPlot(curves, options);
}

/** Options of scattered points. */
export interface ScatterOptions extends ScaleOptions {
  /** A number for each point, shown by its color. */
  readonly color?: Numbers;
  /** A number for each point, shown by the area of its mark. */
  readonly size?: Numbers;
  readonly colormap?: Colormap;
}

/** Points at pairs of numbers: `scatter(x, y, { color, size })`, `scatter(x, { first, second })`. */
export function scatter(x: Numbers, y: Curves, options: ScatterOptions = {}): Plot {
  const xs = numbersOf("scatter: x", x);
  const shades = numbersOfPoints("scatter: color", options.color, xs.length);
  const sizes = numbersOfPoints("scatter: size", options.size, xs.length);
  const [least, greatest] = rangeOf(shades ?? new Float64Array());
  const most = rangeOf(sizes ?? new Float64Array())[1] || 1;
  const colormap = checkedColormap("scatter", options.colormap);
  const clouds = series("scatter", y).map(([name, ys], i) => {
    const places = placesOf("scatter", name, xs, ys);
    const step = Math.ceil(places.length / mostScattered);
    const shown = places.filter((_, index) => index % step === 0);
    const of = (numbers: Float64Array) => shown.map(({ at }) => numbers[at] ?? Number.NaN);
    const points = shown.map(({ point }) => point);
    return {
      ...{ name, color: colorAt(i), points, marks: "points" as const },
      ...(shades && { shades: { values: of(shades), colormap, min: least, max: greatest } }),
      ...(sizes && { radii: of(sizes).map((size) => 2 + 10 * Math.sqrt(Math.max(0, size || 0) / most)) }),
    };
  });
  return curvesPlot(clouds, options);
}

function numbersOfPoints(what: string, given: Numbers | undefined, count: number): Float64Array | undefined {
  if (given === undefined) return undefined;
  const numbers = numbersOf(what, given);
  if (numbers.length === count) return numbers;
  throw unplottable(what, `as long as x, ${count}`, `${numbers.length} numbers`);
}

/** The number of values in each of equal intervals. */
export function histogram(values: Numbers, options: ChartOptions & { readonly bins?: number } = {}): Plot {
  const numbers = numbersOf("histogram: values", values).filter(Number.isFinite);
  const [min, max] = rangeOf(numbers);
  const { bins = Math.min(50, Math.max(5, Math.ceil(Math.sqrt(numbers.length)))) } = options;
  if (!Number.isInteger(bins) || bins < 1 || bins > 10_000) {
    throw unplottable("histogram: bins", "a whole number from 1 to 10000", String(bins));
  }
  const width = (max - min) / bins || 1;
  const counts = new Array<number>(bins).fill(0);
  for (const value of numbers) {
    const bin = Math.min(bins - 1, Math.floor((value - min) / width));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const bars = counts.map((count, i) => [min + i * width, min + (i + 1) * width, count] as const);
  return chart(options, { yLabel: "count" }, (x, y) => ({
    kind: "bars",
    title: "",
    x,
    y: { ...y, unit: "count" },
    series: [{ name: "", color: colorAt(0), bars }],
  }));
}

/** Options of bars. */
export interface BarOptions extends ChartOptions {
  /** The scale of the heights. */
  readonly yScale?: "linear" | "log";
}

/** Bars on their sides with their values: `bars(["cpu", "cuda"], [3, 40])`, or groups of them: `bars(names, { first, second })`. */
export function bars(labels: readonly string[], heights: Curves, options: BarOptions = {}): Plot {
  const groups = named("bars", heights).map(([name, values]) => {
    const numbers = numbersOf("bars: heights", values);
    const { length } = labels;
    if (numbers.length !== length)
      throw unplottable("bars: heights", `as many as the ${length} labels`, `${numbers.length} numbers`);
    return [name, numbers] as const;
  });
  const { title = "", xLabel = "", yLabel = "", yScale = "linear" } = options;
  const below = groups.flatMap(([, numbers]) => [...numbers]).find((value) => value < 0);
  if (yScale === "log" && below !== undefined)
    throw unplottable("bars: heights on a logarithmic scale", "zero or more", String(below));
  if (labels.length > mostRows) return columns(labels, groups, options);
  const series = groups.map(([name, numbers], i) => {
    const spans = [...numbers].flatMap((to, row) =>
      Number.isFinite(to) ? [{ row, from: 0, to, text: formatValue(to) }] : [],
    );
    return { name, color: colorAt(i), spans };
  });
  const x: Axis = { label: yLabel, scale: yScale, unit: "amount" };
  const panel: Panel = { kind: "spans", title: xLabel, x, isGrouped: true, series };
  return plotOf({ title, rows: labels, panels: [panel] });
}

/** Many bars, upright. */
function columns(
  labels: readonly string[],
  groups: readonly (readonly [name: string, numbers: Float64Array])[],
  options: BarOptions,
): Plot {
  const width = 0.8 / groups.length;
  const series: BarPanel["series"] = groups.map(([name, numbers], group) => {
    const from = (i: number) => i - 0.4 + group * width;
    const bars = [...numbers].map((height, i) => [from(i), from(i) + width, height] as const);
    return { name, color: colorAt(group), bars };
  });
  const step = Math.ceil(labels.length / mostNames);
  const ticks = labels.map((text, value) => ({ value, text })).filter(({ value }) => value % step === 0);
  const { yScale = "linear" } = options;
  return chart(options, {}, (x, y) => ({
    ...{ kind: "bars", title: "", x: { ...x, ticks }, y: { ...y, scale: yScale, unit: "amount" }, series },
  }));
}

function curvesPlot(series: LinePanel["series"], options: ScaleOptions = {}): Plot {
  const { xScale = "linear", yScale = "linear" } = options;
  return chart(options, {}, (x, y) => ({
    kind: "lines",
    title: "",
    x: { ...x, scale: xScale },
    y: { ...y, scale: yScale },
    series,
  }));
}

/** The plot of one panel. */
export function chart(options: ChartOptions, usual: ChartOptions, panel: (x: Axis, y: Axis) => Panel): Plot {
  const { title = "", xLabel = usual.xLabel ?? "", yLabel = usual.yLabel ?? "" } = options;
  const axis = (label: string): Axis => ({ label, scale: "linear", unit: "number" });
  const figure: Figure = { title, rows: [], panels: [panel(axis(xLabel), axis(yLabel))] };
  return plotOf(figure);
}

function isCurves(value: unknown): value is Curves {
  if (isNumbers(value)) return true;
  const rows = typeof value === "object" && value !== null ? Object.values(value) : [];
  return rows.length > 0 && rows.every(isNumbers);
}

/** Named series; the columns of a matrix are series, named by their numbers. */
function series(what: string, curves: unknown): [string, Numbers][] {
  if (!isMatrix(curves)) return named(what, curves);
  const { shape, values } = blockOf(`${what}: y`, curves, [2]);
  const [rows = 0, columns = 0] = shape;
  if (rows === 1 || columns === 1) return [["", values]];
  if (columns > mostColumns) {
    throw unplottable(
      `${what}: y`,
      `of at most ${mostColumns} columns; heatmap() shows more`,
      `${columns} columns`,
    );
  }
  const column = (j: number) => Float64Array.from({ length: rows }, (_, i) => values[i * columns + j] ?? 0);
  return Array.from({ length: columns }, (_, j) => [String(j), column(j)]);
}

function isMatrix(value: unknown): boolean {
  if (isTensor(value)) return value.shape.length === 2;
  return Array.isArray(value) && (Array.isArray(value[0]) || ArrayBuffer.isView(value[0]));
}

function named(what: string, curves: unknown): [string, Numbers][] {
  if (isNumbers(curves)) return [["", curves]];
  if (isCurves(curves)) return Object.entries(curves) as [string, Numbers][];
  throw unplottable(`${what}: y`, "numbers, or an object of several rows of them by name", curves);
}

function pointsOf(what: string, name: string, xs: Float64Array | undefined, y: Numbers): [number, number][] {
  return placesOf(what, name, xs, y).map(({ point }) => point);
}

/** The points of finite numbers, and where they are in the numbers. */
function placesOf(
  what: string,
  name: string,
  xs: Float64Array | undefined,
  y: Numbers,
): { at: number; point: [number, number] }[] {
  const ys = numbersOf(`${what}: y`, y);
  if (xs !== undefined && xs.length !== ys.length) {
    const row = name === "" ? "y" : `y ${JSON.stringify(name)}`;
    throw unplottable(`${what}: ${row}`, `as long as x, ${xs.length}`, `${ys.length} numbers`);
  }
  const places: { at: number; point: [number, number] }[] = [];
  for (const [i, value] of ys.entries()) {
    const x = xs === undefined ? i : (xs[i] ?? 0);
    if (Number.isFinite(x) && Number.isFinite(value)) places.push({ at: i, point: [x, value] });
  }
  return places;
}

function thinned(points: [number, number][]): [number, number][] {
  if (points.length <= mostPoints) return points;
  const stretch = Math.ceil(points.length / (mostPoints / 2));
  const kept: [number, number][] = [];
  for (let from = 0; from < points.length; from += stretch) {
    const some = points.slice(from, from + stretch);
    const low = some.reduce((best, one) => (one[1] < best[1] ? one : best));
    const high = some.reduce((best, one) => (one[1] > best[1] ? one : best));
    kept.push(...(low[0] <= high[0] ? [low, high] : [high, low]));
  }
  return kept;
}

function colorAt(index: number): string {
  return curveColors[index % curveColors.length] ?? "";
}
