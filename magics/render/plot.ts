// A figure as Plotly's JSON: traces, axes and layout.

import { barTraces, colorScale, heatTraces } from "./area-traces.js";
import { plotlyText as plain } from "./escape.js";
import {
  type Axis,
  areaOpacity,
  type Figure,
  ink,
  isNumber,
  isOnRows,
  type LinePanel,
  legend,
  namesAtEnds,
  opacity,
  type Panel,
  type Span,
  type SpanPanel,
  ticksOf,
  xValues,
  yValues,
} from "./figure.js";
import { flowTraces, translucent } from "./flow.js";
import { inkOn } from "./ink-on.js";
import { fits, type Layout, laneOf, layoutOf, shortLabel, tickLines } from "./layout.js";
import { endNames, pointLabels } from "./point-names.js";

/** The figure as Plotly's JSON. */
export function plotlyFigure(figure: Figure): { data: object[]; layout: object; config: object } {
  const layout = layoutOf(figure);
  const axes = Object.assign({}, ...figure.panels.map((panel, i) => panelAxes(panel, i, layout)));
  if (figure.rows.length > 0) axes.yaxis = rowAxis(figure);
  return {
    data: figure.panels.flatMap((panel, i) => traces(panel, i, figure, layout)),
    layout: {
      title: { text: plain(figure.title), font: { size: 14 }, x: 0.5, y: 1 - layout.titleY / layout.height },
      height: layout.height,
      // Narrower pages scroll, because texts would collide.
      meta: { leastWidth: layout.leastWidth, width: layout.width },
      autosize: true,
      margin: { l: left(layout), r: right(layout), t: layout.frames[0]?.top ?? 0, b: below(layout) },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: ink.text, size: 11 },
      barmode: "overlay",
      // One box for all curves; where points have notes, the box of one point.
      hovermode: figure.panels.some(isCurves) ? "x unified" : "closest",
      legend: { orientation: "h", x: 0.5, xanchor: "center", y: 0, yref: "container", yanchor: "bottom" },
      showlegend: legend(figure).length > 0,
      annotations: [
        ...figure.panels.flatMap((panel, i) =>
          panel.title === ""
            ? []
            : [
                {
                  text: plain(panel.title),
                  xref: `${axisName("x", i)} domain`,
                  yref: "paper",
                  x: 0,
                  y: 1,
                  xanchor: "left",
                  yanchor: "bottom",
                  yshift: 4,
                  showarrow: false,
                  font: { size: 11.5 },
                },
              ],
        ),
        ...curveNames(figure, layout),
        ...figure.panels.flatMap((panel, i) => labels(panel, i, layout)),
      ],
      ...axes,
    },
    // Many notebook pages have MathJax, which would read the text between two `$` of a template as a formula.
    config: { displaylogo: false, responsive: true, typesetMath: false },
  };
}

/** True for curves without notes of their own. */
function isCurves(panel: Panel): boolean {
  return (
    panel.kind === "lines" &&
    panel.series.every(({ notes, marks }) => notes === undefined && marks !== "points" && marks !== "area")
  );
}

/** The names of points. */
function labels(panel: Panel, index: number, { frames }: Layout): object[] {
  const frame = frames[index];
  if (panel.kind !== "lines" || frame === undefined) return [];
  const place = ({ scale }: Axis, value: number) => (scale === "log" ? Math.log10(value) : value);
  return pointLabels(panel, frame).map(({ text, point: [x, y], right, down, anchor }) => ({
    text: plain(text),
    x: place(panel.x, x),
    y: place(panel.y, y),
    xref: axisName("x", index),
    yref: axisName("y", index),
    xanchor: anchor === "end" ? "right" : "left",
    yanchor: "middle",
    xshift: right,
    yshift: -down,
    showarrow: false,
    font: { size: 11 },
  }));
}

/** The names at the ends of a few curves. */
function curveNames(figure: Figure, { frames }: Layout): object[] {
  const [panel] = figure.panels;
  const height = frames[0]?.height ?? 0;
  if (panel?.kind !== "lines" || !namesAtEnds(figure)) return [];
  return endNames(panel, height).map(({ name, color, y }) => ({
    text: `<span style="color: ${color}">●</span> ${plain(name)}`,
    xref: "paper",
    yref: "paper",
    x: 1,
    y: 1 - y / height,
    xanchor: "left",
    yanchor: "middle",
    xshift: 8,
    showarrow: false,
    font: { size: 11 },
  }));
}

function left(layout: Layout): number {
  return layout.frames[0]?.left ?? 0;
}

function right(layout: Layout): number {
  const last = layout.frames.at(-1);
  return last ? layout.width - last.left - last.width : 0;
}

function below(layout: Layout): number {
  const first = layout.frames[0];
  return first ? layout.height - first.top - first.height : 0;
}

function panelAxes(panel: Panel, index: number, layout: Layout): Record<string, object> {
  const frame = layout.frames[index] ?? { left: 0, width: 0 };
  const inner = layout.width - left(layout) - right(layout);
  const from = (frame.left - left(layout)) / inner;
  const domain = [from, Math.min(1, from + frame.width / inner)];
  const own = !isOnRows(panel);
  const anchor = own ? axisName("y", index) : "y";
  const shown = panel.kind === "flow" ? { visible: false, fixedrange: true } : {};
  const axes: Record<string, object> = {
    [layoutName("x", index)]: { ...horizontalAxis(panel), domain, anchor, ...shown },
  };
  if (own) {
    const axis = axisOf(panel.y, yValues(panel));
    if (panel.kind === "heat") {
      axis.range = [panel.values.length, 0]; // rows go down
      if (panel.isSquare) {
        Object.assign(axis, { scaleanchor: axisName("x", index), constrain: "domain" });
        Object.assign(axes[layoutName("x", index)] ?? {}, { constrain: "domain", constraintoward: "left" });
      }
    }
    axes[layoutName("y", index)] = { ...axis, anchor: axisName("x", index) };
  }
  return axes;
}

/** With the lines of its ticks' texts, and its label below all of them. */
function horizontalAxis(panel: Panel): Record<string, unknown> {
  const axis = axisOf(panel.x, xValues(panel));
  // Names of bars are no positions.
  if (panel.kind === "bars" && panel.x.ticks) axis.showgrid = false;
  const title = { text: plain(panel.x.label), standoff: 6 };
  const lines = ticksOf(panel.x, xValues(panel)).ticks.map(({ text }) => tickLines(text));
  if (lines.every((own) => own.length === 1)) return { ...axis, title };
  return { ...axis, title, ticktext: lines.map((own) => own.map(plain).join("<br>")) };
}

function axisOf(axis: Axis, values: readonly number[]): Record<string, unknown> {
  const { min, max, ticks } = ticksOf(axis, values);
  const log = axis.scale === "log";
  return {
    title: { text: plain(axis.label) },
    type: axis.scale,
    // Logarithms are rounded, so that a point on the frame stays inside of it.
    range: log ? [Math.log10(min) - 1e-9, Math.log10(max) + 1e-9] : [min, max],
    tickvals: ticks.map((tick) => tick.value),
    ticktext: ticks.map((tick) => tick.text),
    tickangle: 0,
    gridcolor: ink.grid,
    linecolor: ink.axis,
    showline: true,
    zeroline: false,
  };
}

function rowAxis(figure: Figure): object {
  const count = Math.max(2, figure.rows.length);
  return {
    tickvals: figure.rows.map((_, i) => i),
    ticktext: figure.rows.map((label) => plain(shortLabel(label))),
    tickfont: { family: "monospace", size: 11.5 },
    ticklabelstandoff: 8,
    range: [count - 0.5, -0.5],
    fixedrange: true,
    showgrid: false,
    zeroline: false,
  };
}

function traces(panel: Panel, index: number, figure: Figure, layout: Layout): object[] {
  const axes = { xaxis: axisName("x", index), yaxis: isOnRows(panel) ? "y" : axisName("y", index) };
  if (panel.kind === "heat") return heatTraces(panel).map((trace) => ({ ...trace, ...axes }));
  if (panel.kind === "flow") return flowTraces(panel).map((trace) => ({ ...trace, ...axes }));
  if (panel.kind === "bars") return barTraces(panel).map((trace) => ({ ...trace, ...axes }));
  if (panel.kind === "lines") return panel.series.map((series) => ({ ...curve(series), ...axes }));
  if (panel.kind === "spans") {
    // Names fit into their spans on the narrowest page, too.
    const narrowing = layout.width - layout.leastWidth;
    return spanTraces(panel, figure.rows, (layout.frames[index]?.width ?? 0) - narrowing).map((one) => ({
      ...one,
      ...axes,
    }));
  }
  return [
    { ...connectors(panel.series, figure.rows.length), ...axes },
    ...panel.series.map(({ name, color, values }) => ({
      type: "scatter",
      mode: "markers+text",
      name: plain(name),
      x: values.map((value) => value ?? null),
      y: values.map((_, row) => row),
      marker: { color, size: 10 },
      text: values.map((value, row) =>
        value !== undefined && value === maximum(panel.series, row)
          ? plain(`  ${panel.notes[row] ?? ""}`)
          : "",
      ),
      textposition: "middle right",
      cliponaxis: false,
      hovertext: values.map((_, row) => plain(`${figure.rows[row]}: ${name}`)),
      hoverinfo: "x+text",
      ...axes,
    })),
  ];
}

function spanTraces(panel: SpanPanel, rows: readonly string[], width: number): object[] {
  const { min, max } = ticksOf(panel.x, xValues(panel));
  const least = panel.x.scale === "log" ? min : Number.NEGATIVE_INFINITY;
  const isLinear = panel.x.scale === "linear";
  const widthOf = ({ from, to }: Span) => (isLinear ? ((to - from) / (max - min)) * width : 0);
  return panel.series.map(({ name, color, spans }, i) => {
    const lane = laneOf(panel, i);
    const names = spans.map((span) => (span.name && fits(span.name, widthOf(span)) ? span.name : ""));
    const texts = spans.map(({ text }) => text ?? "");
    const outside = { text: texts.map(plain), textposition: "outside" };
    const within = {
      ...{ text: names.map(plain), textposition: "inside", insidetextanchor: "middle", textangle: 0 },
      constraintext: "none",
      insidetextfont: { size: 10.5, color: inkOn(color) },
    };
    return {
      type: "bar",
      orientation: "h",
      name: plain(name),
      y: spans.map((span) => span.row + lane.middle),
      base: spans.map((span) => Math.max(span.from, least)),
      x: spans.map((span) => Math.max(span.to, least) - Math.max(span.from, least)),
      width: lane.thickness,
      marker: { color, line: { width: 0 } },
      hovertext: spans.map((span) => plain(span.note ?? `${rows[span.row]}: ${name}`)),
      hoverinfo: "text",
      cliponaxis: false,
      ...(texts.some((text) => text !== "") ? outside : names.some((one) => one !== "") ? within : {}),
    };
  });
}

function maximum(series: readonly { values: readonly (number | undefined)[] }[], row: number): number {
  return Math.max(...series.map(({ values }) => values[row] ?? 0));
}

// The lines between a row's dots: one trace with gaps.
function connectors(series: readonly { values: readonly (number | undefined)[] }[], rows: number): object {
  const x: (number | null)[] = [];
  const y: (number | null)[] = [];
  for (let row = 0; row < rows; row++) {
    const values = series.map(({ values }) => values[row]).filter(isNumber);
    x.push(Math.min(...values), Math.max(...values), null);
    y.push(row, row, null);
  }
  return {
    type: "scatter",
    mode: "lines",
    x,
    y,
    line: { color: ink.axis },
    hoverinfo: "skip",
    showlegend: false,
  };
}

function curve({ name, color, points, marks, notes, shades, radii }: LinePanel["series"][number]): object {
  if (marks === "area")
    return {
      ...{
        type: "scatter",
        mode: "lines",
        fill: "toself",
        fillcolor: translucent(color, areaOpacity(name)),
        line: { width: 0 },
      },
      ...{ name: plain(name), showlegend: name !== "", hoverinfo: "skip" },
      ...{ x: points.map(([x]) => x), y: points.map(([, y]) => y) },
    };
  return {
    type: "scatter",
    mode: marks === "line" || marks === "dashes" ? "lines" : marks === "points" ? "markers" : "lines+markers",
    name: plain(name),
    showlegend: name !== "",
    x: points.map(([x]) => x),
    y: points.map(([, y]) => y),
    // Every point counts: a line is not simplified.
    line: { color, width: 2, simplify: false, ...(marks === "dashes" && { dash: "dash" }) },
    marker: {
      color: shades?.values ?? color,
      size: radii?.map((radius) => 2 * radius) ?? (marks === "points" ? 5 : 7),
      line: { width: 0 },
      opacity: radii ? opacity.bubble : 1,
      ...(shades && { cmin: shades.min, cmax: shades.max, showscale: true, ...colorScale(shades) }),
    },
    ...(notes && { hovertext: notes.map(plain), hoverinfo: "text" }),
    // A point on the frame is drawn whole.
    cliponaxis: false,
  };
}

function axisName(letter: "x" | "y", index: number): string {
  return index === 0 ? letter : `${letter}${index + 1}`;
}

function layoutName(letter: "x" | "y", index: number): string {
  return `${letter}axis${index === 0 ? "" : index + 1}`;
}
