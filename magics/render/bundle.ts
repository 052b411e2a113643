// The only user of Plotly: a plot as a MIME bundle that every front end can show.
//
// application/vnd.plotly.v1+json   front ends with a Plotly renderer, and `jitlab run --html`
// text/html                        the PNG as an image, and a script that replaces it once Plotly is on the page
// image/png, text/plain            everything else
//
// Who brings the library? A page needs it once, and a notebook's file not at all. So the script asks the Jupyter server for
// the copy that `jitlab install` put beside the kernelspec. Pages without such a server need it in an output: with
// `%config plots = html` the first figure of a session brings it inside its own HTML, and later ones only wait for it; when
// that cell runs again, its new output brings it again. `jitlab run` takes it out of the notebook that it writes and puts it
// once into the page that it exports. Where the library does not arrive, because the notebook is not trusted or is a
// page without a server, the image simply stays.
import { readFileSync } from "node:fs";
import type { MimeBundle } from "../host.js";
import { escapeHtml } from "./escape.js";
import type { Figure } from "./figure.js";
import { figureText } from "./figure-text.js";
import { scrolling } from "./html.js";
import { layoutOf } from "./layout.js";
import { plotlyFigure } from "./plot.js";
import { svgToPng } from "./png.js";
import { figureSvg } from "./svg.js";

/** A displayable figure. */
export interface FigureBundle {
  readonly data: MimeBundle;
  readonly metadata: MimeBundle;
}

/** A plot in its forms, ready for a bundle. */
export interface PlotForms {
  readonly title: string;
  /** Its size in pixels. */
  readonly width: number;
  readonly height: number;
  /** Where the page is narrower, it scrolls: its texts would collide. */
  readonly leastWidth: number;
  /** As Plotly takes it. */
  readonly plot: object;
  /** Absent where no picture can be drawn. */
  readonly png?: Uint8Array;
  readonly text: string;
}

/** The forms of a figure. */
export function formsOf(figure: Figure): PlotForms {
  const { width, height, leastWidth } = layoutOf(figure);
  const png = svgToPng(figureSvg(figure));
  const plot = plotlyFigure(figure);
  return { title: figure.title, width, height, leastWidth, plot, png, text: figureText(figure) };
}

/** The bundle of a plot; with `embed`, its HTML brings Plotly along. */
export function plotBundle(forms: PlotForms, options: { embed: boolean }): FigureBundle {
  const { plot, text } = forms;
  const { data, metadata } = pictureBundle(forms);
  return {
    data: {
      "application/vnd.plotly.v1+json": plot,
      "text/html": plotHtml(forms, options.embed),
      ...data,
      "text/plain": text,
    },
    metadata,
  };
}

/** The bundle of a plot's picture and text alone. */
export function pictureBundle({ png, width, height, text }: PlotForms): FigureBundle {
  if (png === undefined) return { data: { "text/plain": text }, metadata: {} };
  const data = { "image/png": Buffer.from(png).toString("base64"), "text/plain": text };
  return { data, metadata: { "image/png": { width, height } } };
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

function plotHtml({ title, width, height, leastWidth, plot, png, text }: PlotForms, embed: boolean): string {
  const id = `jitlab-figure-${Math.random().toString(36).slice(2, 12)}`;
  const still =
    png === undefined
      ? `<pre>${escapeHtml(text)}</pre>`
      : `<img alt="${escapeHtml(title)}" width="${width}" style="width: 100%; min-width: ${leastWidth}px; max-width: ${width}px; height: auto" src="data:image/png;base64,${Buffer.from(png).toString("base64")}">`;
  const json = JSON.stringify(plot).replaceAll("<", "\\u003c");
  return [
    `<div id="${id}" style="max-width: ${width}px; ${scrolling}">${still}</div>`,
    embed ? `${libraryTag}${plotlyScript()}</script>` : "",
    `<script>(${drawWhenLoaded})(${JSON.stringify(id)}, ${json}, ${height}, ${leastWidth});</script>`,
  ].join("\n");
}

/** The page's text color for a plot's texts, whatever theme the page takes later; `holder` is a selector. */
export function plotStyle(holder: string): string {
  return `${holder} .cartesianlayer text, ${holder} .infolayer text { fill: currentColor !important; }`;
}

// Runs in the browser, perhaps before its output is on the page and before the library is: another output brings that,
// on a reloaded page later than this one. A front end may show one output in two places: each holder gets its plot.
const drawWhenLoaded = `function (id, figure, height, width) {
  var tries = 0;
  var selector = "#" + id + ":not([data-drawn])";
  function draw(Plotly, holder) {
    holder.dataset.drawn = "";
    var image = holder.firstElementChild;
    var style = document.createElement("style");
    style.textContent = "${plotStyle('#" + id + "')}";
    var plot = document.createElement("div");
    plot.style.height = height + "px";
    plot.style.minWidth = width + "px";
    image.style.display = "none";
    holder.append(style, plot);
    Plotly.newPlot(plot, figure.data, figure.layout, figure.config).catch(function () {
      plot.remove();
      image.style.display = "";
    });
  }
  // Once on a page: the server of JupyterLab or of the classic Notebook has it beside the kernelspec.
  function fetchLibrary() {
    if (window.jitlabPlotly) return;
    window.jitlabPlotly = true;
    var settings = document.getElementById("jupyter-config-data");
    var base = settings ? JSON.parse(settings.textContent).baseUrl : document.body.dataset.baseUrl;
    if (!base) return;
    fetch(base + "api/kernelspecs").then(function (answer) { return answer.json(); }).then(function (all) {
      var name = Object.keys(all.kernelspecs).find(function (one) {
        var spec = all.kernelspecs[one].spec;
        return spec.metadata && spec.metadata.jitlab;
      });
      var script = document.createElement("script");
      script.src = base + "kernelspecs/" + name + "/plotly.js";
      if (name) document.head.append(script);
    }).catch(function () {});
  }
  (function attempt() {
    var holders = document.querySelectorAll(selector);
    var required = window.requirejs && window.requirejs.defined("plotly") && window.requirejs("plotly");
    var Plotly = window.Plotly || required;
    if (Plotly) holders.forEach(function (holder) { draw(Plotly, holder); });
    if (Plotly && holders.length > 0) return;
    if (!Plotly && holders.length > 0) fetchLibrary();
    if (tries++ < 50) setTimeout(attempt, 200);
    else if (!Plotly) window.addEventListener("${arrival}", attempt, { once: true });
  })();
}`;
