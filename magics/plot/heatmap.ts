// heatmap(): a matrix as colors, with axes and a color scale.
import type { Colormap } from "../render/colormap.js";
import { type Tick, ticksOf } from "../render/figure.js";
import { formatValue } from "../render/format.js";
import { type ChartOptions, chart, mostNames } from "./charts.js";
import {
  blockOf,
  checkedColormap,
  type Matrix,
  type Numbers,
  numbersOf,
  rangeOf,
  unplottable,
} from "./data.js";
import type { Plot } from "./plot.js";

// More cells are shown as means of neighbors; above the second number, without their own numbers.
const mostCells = 256;
const mostNumbers = 144;
// Cells of longer matrices are not squares, which would be too small.
const mostOblong = 4;

/** Options of a heat map: its colors, and the numbers of the first and the last one. */
export interface HeatmapOptions extends ChartOptions {
  /** The names of the columns, or their positions: numbers that ascend or descend. */
  readonly x?: Numbers | readonly string[];
  /** The same of the rows, from the top. */
  readonly y?: Numbers | readonly string[];
  readonly colormap?: Colormap;
  readonly min?: number;
  readonly max?: number;
}

/**
 * A matrix as colors, the first row on top, with axes and a color scale; above 256 rows or columns, means of neighbors. Cells are
 * squares unless `x` or `y` gives them positions, and small ones show their numbers.
 */
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
    x: { ...x, ticks: ticksAlong("x", options.x, columns, across) },
    y: { ...y, ticks: ticksAlong("y", options.y, rows, down) },
    series: [],
    values: cells,
    isSquare:
      options.x === undefined &&
      options.y === undefined &&
      Math.max(rows, columns) <= mostOblong * Math.min(rows, columns),
    hasNumbers: rows * columns <= mostNumbers && columns <= 12,
    colormap,
    min,
    max,
  }));
}

/** The ticks of rows or columns: their names in the middle of their cells, their positions, or their numbers at the edges. */
function ticksAlong(
  axis: "x" | "y",
  given: Numbers | readonly string[] | undefined,
  count: number,
  perCell: number,
): Tick[] {
  if (given === undefined) return positions(count, perCell);
  const what = `heatmap: ${axis}`;
  const names =
    Array.isArray(given) && typeof given[0] === "string" ? (given as readonly string[]) : undefined;
  const numbers = names ?? numbersOf(what, given as Numbers);
  const unit = axis === "x" ? "columns" : "rows";
  if (numbers.length !== count)
    throw unplottable(what, `as long as the ${count} ${unit}`, `${numbers.length} of them`);
  if (names === undefined) {
    const round = roundTicks(numbers as Float64Array, perCell);
    if (round) return round;
  }
  const step = Math.max(1, Math.ceil(count / (names ? mostNames : 8)));
  const shown = Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
  return shown.map((i) => ({
    value: (i + 0.5) / perCell,
    text: names?.[i] ?? formatValue(Number(numbers[i])),
  }));
}

/** Round numbers between the positions of cells; undefined unless those are at equal distances. */
function roundTicks(numbers: Float64Array, perCell: number): Tick[] | undefined {
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
  const step = (last - first) / (numbers.length - 1);
  const isEven = numbers.every((value, i) => Math.abs(value - first - i * step) <= 1e-3 * Math.abs(step));
  if (numbers.length < 8 || step === 0 || !isEven) return undefined;
  const { ticks } = ticksOf({ label: "", scale: "linear", unit: "number" }, [first, last]);
  const [least, greatest] = [Math.min(first, last), Math.max(first, last)];
  return ticks
    .filter(({ value }) => value >= least - Math.abs(step) / 2 && value <= greatest + Math.abs(step) / 2)
    .map(({ value, text }) => ({ value: ((value - first) / step + 0.5) / perCell, text }));
}

// The numbers of rows or columns at the edges of their cells.
function positions(count: number, perCell: number): Tick[] {
  const { ticks } = ticksOf({ label: "", scale: "linear", unit: "number" }, [0, count]);
  return ticks
    .filter(({ value }) => value <= count && Number.isInteger(value))
    .map(({ value, text }) => ({ value: value / perCell, text }));
}
