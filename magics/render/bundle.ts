// The only user of Plotly: a plot as a MIME bundle that every front end can show.
//
// application/vnd.plotly.v1+json   front ends with a Plotly renderer, and `jitlab run --html`
// text/html                        the PNG as an image, and a script that replaces it once Plotly is on the page
// image/png, text/plain            everything else
//
// Source of the library: a page needs it once, a notebook file does not. So the script fetches the copy in the kernelspec's
// folder from the Jupyter server. Pages without such a server need it in an output: with `%config plots = html` the first
// figure of a session includes it in its HTML, and so does its cell when it runs again; later figures wait for it. `jitlab
// run` removes it from the notebook and puts it once into the exported page. Without the library (an untrusted notebook, a
// page without a server) the image stays.
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
  /** On a narrower page it scrolls, because its texts would collide. */
  readonly leastWidth: number;
  /** Plotly's form. */
  readonly plot: object;
  /** Absent if no picture can be drawn. */
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

/** The bundle of a plot; with `embed`, its HTML includes Plotly. */
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

/** The bundle of only a plot's picture and text. */
export function pictureBundle({ png, width, height, text }: PlotForms): FigureBundle {
  if (png === undefined) return { data: { "text/plain": text }, metadata: {} };
  const data = { "image/png": Buffer.from(png).toString("base64"), "text/plain": text };
  return { data, metadata: { "image/png": { width, height } } };
}

/** The minified Plotly library, safe inside a script element; it sets `window.Plotly`. */
export function plotlyScript(): string {
  const library = readFileSync(new URL("../../assets/plotly.min.js", import.meta.url), "utf8").replaceAll(
    "</script",
    "<\\/script",
  );
  // A page with RequireJS defines names that a bundle would take for a module system; here they are hidden from it.
  return `(function (define, module, exports, require) {\n${library}\n}).call(window);\nwindow.dispatchEvent(new Event("${arrival}"));`;
}

const libraryTag = '<script data-jitlab="plotly">';
// The event for waiting figures when the library is loaded.
const arrival = "jitlab-plotly";

// A still picture's texts shrink with it, unlike a drawn plot's: below this width a narrow page scrolls it.
const leastStillWidth = 620;

/** The HTML of a figure without an included library, for notebooks that are committed. */
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
      : `<img alt="${escapeHtml(labelOf(title, text))}" width="${width}" style="width: 100%; min-width: ${Math.max(leastWidth, leastStillWidth)}px; max-width: ${width}px; height: auto" src="data:image/png;base64,${Buffer.from(png).toString("base64")}">`;
  const json = JSON.stringify(plot).replaceAll("<", "\\u003c");
  return [
    `<div id="${id}" style="max-width: ${width}px; ${scrolling}">${still}</div>`,
    embed ? `${libraryTag}${plotlyScript()}</script>` : "",
    `<script>(${drawWhenLoaded})(${JSON.stringify(id)}, ${json}, ${height}, ${leastWidth});</script>`,
  ].join("\n");
}

/** What a plot is called for those who do not see it: its title, or the first line of its text. */
function labelOf(title: string, text: string): string {
  return title === "" ? (text.split("\n")[0] ?? "") : title;
}

/** The page's text color for a plot's texts, in every theme; `holder` is a selector. */
export function plotStyle(holder: string): string {
  // A text on a colored mark is black or white, for its contrast.
  const own = [0, 255].map((part) => `:not([style*='fill: rgb(${part}, ${part}, ${part})'])`).join("");
  return `${holder} .cartesianlayer text${own}, ${holder} .infolayer text { fill: currentColor !important; }`;
}

// Runs in the browser, perhaps before its output and the library are on the page: another output may add the library later.
// A front end may show one output twice: each element gets its plot.
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
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", image.alt || image.textContent);
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
