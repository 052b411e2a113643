// Charts with axes: lines, scattered points, histograms, bars, heat maps.
import { didYouMean, JitlabError } from "../../runtime/base/errors.js";
import { type Colormap, colormaps } from "../render/colormap.js";
import {
  type Axis,
  type BarPanel,
  curveColors,
  type Figure,
  type LinePanel,
  type Panel,
  type Tick,
  ticksOf,
} from "../render/figure.js";
import { blockOf, isNumbers, type Matrix, type Numbers, numbersOf, rangeOf, unplottable } from "./data.js";
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

/** One series of numbers, or several by name. */
export type Curves = Numbers | Readonly<Record<string, Numbers>>;

// More points than this are drawn without marks; above `mostPoints`, only the minimum and maximum of each interval.
const markedPoints = 60;
const mostPoints = 2000;
const mostScattered = 20_000;
const mostCells = 256;

/** Lines through numbers, over their indexes or over `x`: `line(x.sin())`, `line(t, { sin, cos })`. */
export function line(y: Curves, options?: ScaleOptions): Plot;
export function line(x: Numbers, y: Curves, options?: ScaleOptions): Plot;
export function line(first: Curves, second?: Curves | ScaleOptions, third?: ScaleOptions): Plot {
  const withX = isCurves(second);
  const options = withX ? third : (second as ScaleOptions | undefined);
  const xs = withX ? numbersOf("line: x", first) : undefined;
  const series = named("line", withX ? second : first).map(([name, ys], i) => {
    const points = thinned(pointsOf("line", name, xs, ys));
    const marks = points.length > markedPoints ? { marks: "line" as const } : {};
    return { name, color: colorAt(i), points, ...marks };
  });
  return curvesPlot(series, options);
}

/** Points at pairs of numbers: `scatter(x, y)`, `scatter(x, { first, second })`. */
export function scatter(x: Numbers, y: Curves, options?: ScaleOptions): Plot {
  const xs = numbersOf("scatter: x", x);
  const series = named("scatter", y).map(([name, ys], i) => {
    const points = pointsOf("scatter", name, xs, ys);
    const step = Math.ceil(points.length / mostScattered);
    const shown = points.filter((_, index) => index % step === 0);
    return { name, color: colorAt(i), points: shown, marks: "points" as const };
  });
  return curvesPlot(series, options);
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

/** Bars over labels: `bars(["cpu", "cuda"], [3, 40])`, or groups of them: `bars(names, { first, second })`. */
export function bars(labels: readonly string[], heights: Curves, options: ChartOptions = {}): Plot {
  const groups = named("bars", heights);
  const width = 0.8 / groups.length;
  const series: BarPanel["series"] = groups.map(([name, values], group) => {
    const numbers = numbersOf("bars: heights", values);
    if (numbers.length !== labels.length) {
      throw unplottable(
        "bars: heights",
        `as many as the ${labels.length} labels`,
        `${numbers.length} numbers`,
      );
    }
    const from = (i: number) => i - 0.4 + group * width;
    const standing = [...numbers].map((height, i) => [from(i), from(i) + width, height] as const);
    return { name, color: colorAt(group), bars: standing };
  });
  const ticks = labels.map((text, value) => ({ value, text }));
  return chart(options, {}, (x, y) => ({ kind: "bars", title: "", x: { ...x, ticks }, y, series }));
}

/** Options of a heat map: its colors, and the numbers of the first and the last one. */
export interface HeatmapOptions extends ChartOptions {
  readonly colormap?: Colormap;
  readonly min?: number;
  readonly max?: number;
}

/** A matrix as colors, the first row on top, with axes and a color scale; above 256 rows or columns, means of neighbors. */
export function heatmap(matrix: Matrix, options: HeatmapOptions = {}): Plot {
  const { shape, values } = blockOf("heatmap: matrix", matrix, [2]);
  const [rows = 0, columns = 0] = shape;
  if (values.length === 0)
    throw unplottable("heatmap: matrix", "of at least one element", `a shape of [${shape.join(", ")}]`);
  const colormap = checkedColormap("heatmap", options.colormap);
  const [down, across] = [Math.ceil(rows / mostCells), Math.ceil(columns / mostCells)];
  const cells = Array.from({ length: Math.ceil(rows / down) }, (_, i) =>
    Array.from({ length: Math.ceil(columns / across) }, (_, j) => {
      let [sum, count] = [0, 0];
      for (let y = i * down; y < Math.min(rows, (i + 1) * down); y++) {
        for (let x = j * across; x < Math.min(columns, (j + 1) * across); x++, count++) {
          sum += values[y * columns + x] ?? 0;
        }
      }
      return sum / count;
    }),
  );
  const [least, greatest] = rangeOf(values);
  const { min = least, max = greatest } = options;
  return chart(options, {}, (x, y) => ({
    kind: "heat",
    title: "",
    x: { ...x, ticks: positions(columns, across) },
    y: { ...y, ticks: positions(rows, down) },
    series: [],
    values: cells,
    colormap,
    min,
    max,
  }));
}

/** A colormap by name; throws for an unknown one. */
export function checkedColormap(what: string, name: Colormap = "viridis"): Colormap {
  if (colormaps.includes(name)) return name;
  throw new JitlabError(
    "bad-plot",
    `${what}: unknown colormap ${JSON.stringify(name)}.`,
    `${didYouMean(String(name), colormaps)} The colormaps are ${colormaps.join(", ")}.`.trim(),
  );
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

function chart(options: ChartOptions, usual: ChartOptions, panel: (x: Axis, y: Axis) => Panel): Plot {
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

function named(what: string, curves: unknown): [string, Numbers][] {
  if (isNumbers(curves)) return [["", curves]];
  if (isCurves(curves)) return Object.entries(curves) as [string, Numbers][];
  throw unplottable(`${what}: y`, "numbers, or an object of several rows of them by name", curves);
}

function pointsOf(what: string, name: string, xs: Float64Array | undefined, y: Numbers): [number, number][] {
  const ys = numbersOf(`${what}: y`, y);
  if (xs !== undefined && xs.length !== ys.length) {
    const row = name === "" ? "y" : `y ${JSON.stringify(name)}`;
    throw unplottable(`${what}: ${row}`, `as long as x, ${xs.length}`, `${ys.length} numbers`);
  }
  const points: [number, number][] = [];
  for (const [i, value] of ys.entries()) {
    const x = xs === undefined ? i : (xs[i] ?? 0);
    if (Number.isFinite(x) && Number.isFinite(value)) points.push([x, value]);
  }
  return points;
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

// The numbers of rows or columns at the edges of their cells.
function positions(count: number, perCell: number): Tick[] {
  const { ticks } = ticksOf({ label: "", scale: "linear", unit: "number" }, [0, count]);
  return ticks
    .filter(({ value }) => value <= count && Number.isInteger(value))
    .map(({ value, text }) => ({ value: value / perCell, text }));
}
