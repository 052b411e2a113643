// The only user of Plotly: a figure as a MIME bundle that every front end can show.
//
// application/vnd.plotly.v1+json   front ends with a Plotly renderer, and `jitlab run --html`
// text/html                        the PNG as an image, and a script that replaces it once Plotly is on the page
// image/png, text/plain            everything else
//
// Who brings the library? A notebook should carry it at most once, and a committed one not at all. So the first live
// figure of a session brings it inside its own HTML (classic Notebook, JupyterLab without a Plotly extension, nbconvert,
// and all of these after a reload); later figures of the session only wait for it. `jitlab run` takes it out of the
// notebook that it writes and puts it once into the page that it exports. Where the library does not arrive, because the
// notebook is not trusted or that first output was cleared, the image simply stays. When the first figure's cell runs
// again, its new output brings the library again: it replaces the one that did.
import { readFileSync } from "node:fs";
import type { MimeBundle } from "../host.js";
import { escapeHtml } from "./escape.js";
import {
  type Axis,
  type Figure,
  ink,
  isNumber,
  type LinePanel,
  type Panel,
  ticksOf,
  xValues,
} from "./figure.js";
import { figureText } from "./figure-text.js";
import { type Layout, layoutOf, shortLabel } from "./layout.js";
import { svgToPng } from "./png.js";
import { figureSvg } from "./svg.js";

/** A displayable figure. */
export interface FigureBundle {
  readonly data: MimeBundle;
  readonly metadata: MimeBundle;
}

/** The bundle of a figure; with `embed`, its HTML brings Plotly along. */
export function figureBundle(figure: Figure, options: { embed: boolean }): FigureBundle {
  const { width, height } = layoutOf(figure);
  const png = Buffer.from(svgToPng(figureSvg(figure))).toString("base64");
  const plot = plotlyFigure(figure);
  return {
    data: {
      "application/vnd.plotly.v1+json": plot,
      "text/html": figureHtml(figure, plot, png, options.embed),
      "image/png": png,
      "text/plain": figureText(figure),
    },
    metadata: { "image/png": { width, height } },
  };
}

/** The Plotly library as the build minified it, safe to stand inside a script element; it sets `window.Plotly`. */
export function plotlyScript(): string {
  const library = readFileSync(new URL("../../assets/plotly.min.js", import.meta.url), "utf8").replaceAll(
    "</script",
    "<\\/script",
  );
  // A page with RequireJS defines names that a bundle would take for a module system; here they are hidden from it.
  return `(function (define, module, exports, require) {\n${library}\n}).call(window);\nwindow.dispatchEvent(new Event("${arrival}"));`;
}

const libraryTag = '<script data-jitlab="plotly">';
// Told to the figures that wait, when the library is there.
const arrival = "jitlab-plotly";

/** The HTML of a figure without the library that it may bring, for notebooks that are written to be committed. */
export function withoutPlotly(html: string): string {
  const start = html.indexOf(libraryTag);
  if (start < 0) return html;
  return html.slice(0, start) + html.slice(html.indexOf("</script>", start) + "</script>".length);
}

function figureHtml(figure: Figure, plot: unknown, png: string, embed: boolean): string {
  const { width, height } = layoutOf(figure);
  const id = `jitlab-figure-${Math.random().toString(36).slice(2, 12)}`;
  const image = `<img alt="${escapeHtml(figure.title)}" width="${width}" style="max-width: 100%; height: auto" src="data:image/png;base64,${png}">`;
  const json = JSON.stringify(plot).replaceAll("<", "\\u003c");
  return [
    `<div id="${id}" style="max-width: ${width}px">${image}</div>`,
    embed ? `${libraryTag}${plotlyScript()}</script>` : "",
    `<script>(${drawWhenLoaded})(${JSON.stringify(id)}, ${json}, ${height});</script>`,
  ].join("\n");
}

/** The page's text color for a plot's texts, whatever theme the page takes later; `holder` is a selector. */
export function plotStyle(holder: string): string {
  return `${holder} .cartesianlayer text, ${holder} .infolayer text { fill: currentColor !important; }`;
}

// Runs in the browser, perhaps before its output is on the page and before the library is: another output brings that,
// on a reloaded page later than this one. A front end may show one output in two places: each holder gets its plot.
const drawWhenLoaded = `function (id, figure, height) {
  var tries = 0;
  var selector = "#" + id + ":not([data-drawn])";
  function draw(Plotly, holder) {
    holder.dataset.drawn = "";
    var image = holder.firstElementChild;
    var style = document.createElement("style");
    style.textContent = "${plotStyle('#" + id + "')}";
    var plot = document.createElement("div");
    plot.style.height = height + "px";
    image.style.display = "none";
    holder.append(style, plot);
    Plotly.newPlot(plot, figure.data, figure.layout, figure.config).catch(function () {
      plot.remove();
      image.style.display = "";
    });
  }
  (function attempt() {
    var holders = document.querySelectorAll(selector);
    var required = window.requirejs && window.requirejs.defined("plotly") && window.requirejs("plotly");
    var Plotly = window.Plotly || required;
    if (Plotly) holders.forEach(function (holder) { draw(Plotly, holder); });
    if (Plotly && holders.length > 0) return;
    if (tries++ < 50) setTimeout(attempt, 200);
    else if (!Plotly) window.addEventListener("${arrival}", attempt, { once: true });
  })();
}`;

/** The figure as Plotly takes it. */
export function plotlyFigure(figure: Figure): { data: object[]; layout: object; config: object } {
  const layout = layoutOf(figure);
  const axes = Object.assign({}, ...figure.panels.map((panel, i) => panelAxes(panel, i, layout)));
  if (figure.rows.length > 0) axes.yaxis = rowAxis(figure);
  return {
    data: figure.panels.flatMap((panel, i) => traces(panel, i, figure)),
    layout: {
      title: { text: plain(figure.title), font: { size: 14 }, x: 0.5, y: 1 - layout.titleY / layout.height },
      height: layout.height,
      autosize: true,
      margin: { l: left(layout), r: right(layout), t: layout.frames[0]?.top ?? 0, b: below(layout) },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: ink.text, size: 11 },
      barmode: "overlay",
      hovermode: "closest",
      legend: { orientation: "h", x: 0.5, xanchor: "center", y: 0, yref: "container", yanchor: "bottom" },
      showlegend: true,
      annotations: figure.panels.map((panel, i) => ({
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
      })),
      ...axes,
    },
    // MathJax is on many notebooks' pages, and would take what stands between two `$` of a template for a formula.
    config: { displayModeBar: false, responsive: true, typesetMath: false },
  };
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
  const anchor = panel.kind === "lines" ? axisName("y", index) : "y";
  const axes: Record<string, object> = {
    [layoutName("x", index)]: { ...axisOf(panel.x, xValues(panel)), domain, anchor },
  };
  if (panel.kind === "lines") {
    const values = panel.series.flatMap((series) => series.points.map(([, y]) => y));
    axes[layoutName("y", index)] = { ...axisOf(panel.y, values), anchor: axisName("x", index) };
  }
  return axes;
}

function axisOf(axis: Axis, values: readonly number[]): object {
  const { min, max, ticks } = ticksOf(axis, values);
  const log = axis.scale === "log";
  return {
    title: { text: plain(axis.label) },
    type: axis.scale,
    // Logarithms are rounded: a point on the frame must not lie outside of it.
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

function traces(panel: Panel, index: number, figure: Figure): object[] {
  const axes = { xaxis: axisName("x", index), yaxis: panel.kind === "lines" ? axisName("y", index) : "y" };
  if (panel.kind === "lines") return panel.series.map((series) => ({ ...curve(series), ...axes }));
  if (panel.kind === "spans") {
    return panel.series.map(({ name, color, spans }) => ({
      type: "bar",
      orientation: "h",
      name: plain(name),
      y: spans.map((span) => span.row),
      base: spans.map((span) => span.from),
      x: spans.map((span) => span.to - span.from),
      width: 0.6,
      marker: { color },
      hovertext: spans.map((span) => plain(span.note ?? `${figure.rows[span.row]}: ${name}`)),
      hoverinfo: "text",
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

function curve({ name, color, points }: LinePanel["series"][number]): object {
  return {
    type: "scatter",
    mode: "lines+markers",
    name: plain(name),
    x: points.map(([x]) => x),
    y: points.map(([, y]) => y),
    line: { color, width: 2 },
    marker: { size: 7 },
    // A point on the frame is drawn whole.
    cliponaxis: false,
  };
}

// Plotly reads tags in text.
function plain(text: string): string {
  return escapeHtml(text).replaceAll("&#39;", "'").replaceAll("&quot;", '"');
}

function axisName(letter: "x" | "y", index: number): string {
  return index === 0 ? letter : `${letter}${index + 1}`;
}

function layoutName(letter: "x" | "y", index: number): string {
  return `${letter}axis${index === 0 ? "" : index + 1}`;
}
