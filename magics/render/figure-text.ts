// A figure for a terminal: bars of block characters for spans, values for the rest.
import type { Axis, BarPanel, DotPanel, Figure, HeatPanel, LinePanel, SpanPanel } from "./figure.js";
import { xValues, yValues } from "./figure.js";
import { flowLines } from "./flow.js";
import { formatCount, formatMs, formatValue as number } from "./format.js";
import { scaleOf } from "./scale.js";

const barWidth = 40;
// The maximum number of points; more are shown as a curve.
const manyPoints = 12;
const courseWidth = 60;
const heights = [..."▁▂▃▄▅▆▇█"];
const shades = [..." ░▒▓█"];
const glyphs = ["█", "▓", "▒", "░", "▪", "·"];

/** The figure as text. */
export function figureText(figure: Figure): string {
  const width = Math.max(0, ...figure.rows.map((row) => row.length));
  const labels = figure.rows.map((row) => row.padEnd(width));
  const panels = figure.panels.map((panel) => {
    if (panel.kind === "spans") return spanLines(panel, labels);
    if (panel.kind === "dots") return dotLines(panel, labels);
    if (panel.kind === "bars") return barLines(panel);
    if (panel.kind === "flow") return flowLines(panel, labels);
    return panel.kind === "heat" ? heatLines(panel) : curveLines(panel);
  });
  return [figure.title, ...panels.flatMap((lines) => ["", ...lines])].join("\n").trim();
}

function spanLines(panel: SpanPanel, labels: readonly string[]): string[] {
  if (panel.isGrouped) return groupLines(panel, labels);
  const max = Math.max(...xValues(panel), 0);
  const names = panel.series.map((series, i) => `${glyphs[i % glyphs.length]} ${series.name}`);
  const used = panel.series.some(({ name }) => name !== "") ? names.join("  ") : "";
  const lines = labels.map((label, row) => {
    const cells = Array.from({ length: barWidth }, () => " ");
    let total = 0;
    panel.series.forEach((series, i) => {
      for (const span of series.spans.filter((one) => one.row === row)) {
        const [from, to] = [span.from, span.to].map((v) => Math.round((v / (max || 1)) * barWidth));
        cells.fill(glyphs[i % glyphs.length] ?? "█", from, to);
        total += span.to - span.from;
      }
    });
    return `${label}  ${cells.join("")}  ${panel.x.unit === "time" ? formatMs(total) : number(total)}`;
  });
  return [[panel.title, used].filter((part) => part !== "").join(": "), ...lines].filter(
    (line) => line !== "",
  );
}

/** The bars of each series, on one scale. */
function groupLines({ title, x, series }: SpanPanel, labels: readonly string[]): string[] {
  const values = series.flatMap(({ spans }) => spans.map(({ to }) => Math.abs(to)));
  const { at } = scaleOf(x.scale === "log" ? x : { ...x, ticks: [] }, [0, ...values], 0, barWidth);
  const lines = series.flatMap(({ name, spans }) => {
    const own = labels.map((label, row) => {
      const span = spans.find((one) => one.row === row);
      const bar = span ? "█".repeat(Math.round(at(Math.abs(span.to)))) : "";
      return `${label}  ${bar}${bar === "" ? "" : " "}${span ? number(span.to) : "–"}`;
    });
    return name === "" ? own : [name, ...own];
  });
  return [title, ...lines].filter((line) => line !== "");
}

function dotLines(panel: DotPanel, labels: readonly string[]): string[] {
  const lines = labels.map((label, row) => {
    const values = panel.series.map((series) => `${series.name} ${formatMs(series.values[row])}`);
    const note = panel.notes[row];
    return `${label}  ${values.join(", ")}${note ? ` (${note})` : ""}`;
  });
  return [panel.title, ...lines];
}

function curveLines({ series: all, ...rest }: LinePanel): string[] {
  const panel = { ...rest, series: all.filter(({ marks }) => marks !== "area") };
  if (panel.series.some(({ points }) => points.length > manyPoints)) return courses(panel);
  const lines = panel.series.map((series) => {
    const points = series.points.map(([x, y], i) => {
      const label = series.labels?.[i] ? `${series.labels[i]} ` : "";
      return `${label}${formatted(panel.x, x)}: ${formatted(panel.y, y)}`;
    });
    return `${series.name}  ${points.join(", ")}`.trim();
  });
  return [`${panel.y.label || "y"} by ${panel.x.label || "x"}`, ...lines];
}

// One row of block characters for each curve: the mean of the points in each column, on one scale for all curves.
function courses(panel: LinePanel): string[] {
  const [from, to] = endsOf(xValues(panel));
  const [low, high] = endsOf(yValues(panel));
  const lines = panel.series.flatMap(({ name, points }) => {
    const sums = Array.from({ length: courseWidth }, () => ({ sum: 0, count: 0 }));
    for (const [x, y] of points) {
      const column =
        sums[Math.min(courseWidth - 1, Math.floor(((x - from) / (to - from || 1)) * courseWidth))];
      if (column) Object.assign(column, { sum: column.sum + y, count: column.count + 1 });
    }
    const own = endsOf(points.map(([, y]) => y));
    const course = sums.map(({ sum, count }) =>
      count === 0 ? " " : glyphAt(heights, (sum / count - low) / (high - low || 1)),
    );
    return [
      `${name === "" ? "" : `${name}: `}${number(own[0])} to ${number(own[1])}`,
      course.join("").trimEnd(),
    ];
  });
  return [
    `${panel.y.label || "y"} by ${panel.x.label || "x"} from ${number(from)} to ${number(to)}`,
    ...lines,
  ];
}

function endsOf(values: readonly number[]): [least: number, greatest: number] {
  return [Math.min(...values), Math.max(...values)];
}

function barLines(panel: BarPanel): string[] {
  const ticks = new Map((panel.x.ticks ?? []).map(({ value, text }) => [value, text]));
  const nameOf = (from: number, to: number) =>
    ticks.get(Math.round((from + to) / 2)) ?? `${number(from)} to ${number(to)}`;
  // One scale, so that series compare.
  const most = Math.max(...panel.series.flatMap(({ bars }) => bars.map(([, , height]) => Math.abs(height))));
  return panel.series.flatMap(({ name, bars }) => {
    const names = bars.map(([from, to]) => nameOf(from, to));
    const width = Math.max(0, ...names.map((one) => one.length));
    const lines = bars.map(([, , height], i) => {
      const bar = "█".repeat(Math.round((Math.abs(height) / (most || 1)) * barWidth));
      return `${names[i]?.padEnd(width)}  ${bar} ${number(height)}`;
    });
    return name === "" ? lines : [name, ...lines];
  });
}

function heatLines({ values, min, max }: HeatPanel): string[] {
  const [rows, columns] = [values.length, values[0]?.length ?? 0];
  const step = Math.max(1, Math.ceil(columns / courseWidth), Math.ceil(rows / 2 / 20));
  const lines: string[] = [];
  for (let y = 0; y < rows; y += rows > 20 ? 2 * step : 1) {
    let line = "";
    for (let x = 0; x < columns; x += step) {
      line += glyphAt(shades, ((values[y]?.[x] ?? Number.NaN) - min) / (max - min || 1));
    }
    lines.push(line);
  }
  return [`${rows} rows, ${columns} columns, ${number(min)} to ${number(max)}`, ...lines];
}

function glyphAt(glyphs: readonly string[], share: number): string {
  return glyphs[Math.min(glyphs.length - 1, Math.max(0, Math.floor(share * glyphs.length)))] ?? " ";
}

function formatted({ unit }: Axis, value: number): string {
  if (unit === "number") return number(value);
  return unit === "time" ? formatMs(value) : formatCount(value);
}
