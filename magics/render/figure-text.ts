// A figure for a terminal: bars of block characters for spans, values for the rest.
import { type DotPanel, type Figure, type LinePanel, type SpanPanel, xValues } from "./figure.js";
import { formatCount, formatMs } from "./format.js";

const barWidth = 40;
const glyphs = ["█", "▓", "▒", "░", "▪", "·"];

/** The figure as text. */
export function figureText(figure: Figure): string {
  const width = Math.max(0, ...figure.rows.map((row) => row.length));
  const labels = figure.rows.map((row) => row.padEnd(width));
  const panels = figure.panels.map((panel) => {
    if (panel.kind === "spans") return spanLines(panel, labels);
    return panel.kind === "dots" ? dotLines(panel, labels) : curveLines(panel);
  });
  return [figure.title, ...panels.flatMap((lines) => ["", ...lines])].join("\n");
}

function spanLines(panel: SpanPanel, labels: readonly string[]): string[] {
  const max = Math.max(...xValues(panel), 0);
  const used = panel.series.map((series, i) => `${glyphs[i % glyphs.length]} ${series.name}`).join("  ");
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
    return `${label}  ${cells.join("")}  ${formatMs(total)}`;
  });
  return [panel.title === "" ? used : `${panel.title}: ${used}`, ...lines];
}

function dotLines(panel: DotPanel, labels: readonly string[]): string[] {
  const lines = labels.map((label, row) => {
    const values = panel.series.map((series) => `${series.name} ${formatMs(series.values[row])}`);
    const note = panel.notes[row];
    return `${label}  ${values.join(", ")}${note ? ` (${note})` : ""}`;
  });
  return [panel.title, ...lines];
}

function curveLines(panel: LinePanel): string[] {
  const lines = panel.series.map((series) => {
    const points = series.points.map(([x, y]) => {
      const value = panel.y.unit === "time" ? formatMs(y) : formatCount(y);
      return `${panel.x.unit === "time" ? formatMs(x) : formatCount(x)}: ${value}`;
    });
    return `${series.name}  ${points.join(", ")}`;
  });
  return [`${panel.y.label} by ${panel.x.label}`, ...lines];
}
