// An executed notebook as one HTML page that needs nothing else: styles inside, images inline, the Plotly library
// embedded once and only where a figure needs it. Markdown cells may hold no raw HTML; outputs are shown as they are,
// because the notebook's own cells made them.
import { readFileSync } from "node:fs";
import { AnsiUp } from "ansi_up";
import MarkdownIt from "markdown-it";
import { plotlyScript, plotStyle } from "../../magics/render/bundle.js";
import { escapeHtml } from "../../magics/render/escape.js";
import { highlightAs, highlightCell } from "./html-code.js";
import { latexHtml } from "./latex.js";
import type { Cell, CodeCell, Data, Notebook, Output, TextCell } from "./notebook.js";

const styles = new URL("../../assets/notebook.css", import.meta.url);
const plotlyMime = "application/vnd.plotly.v1+json";
const markdown = new MarkdownIt({ html: false, linkify: true, highlight: highlightAs });
// A data URL is safe as an image, and browsers do not follow links to data URLs.
const isLink = markdown.validateLink;
markdown.validateLink = (url) => url.startsWith("data:image/svg+xml;base64,") || isLink.call(markdown, url);

/** The page's text; `name` is its title where the notebook has no heading. */
export function exportHtml(notebook: Notebook, name: string): string {
  const cells = notebook.cells.map(renderCell).join("\n");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="jitlab">
<title>${escapeHtml(title(notebook) ?? name)}</title>
<style>
${readFileSync(styles, "utf8")}</style>
</head>
<body>
<main>
${cells}
</main>
${cells.includes(figureOpening) ? plotlyTags() : ""}</body>
</html>
`;
}

function title(notebook: Notebook): string | undefined {
  for (const cell of notebook.cells) {
    const heading = cell.cell_type === "markdown" ? /^#\s+(.+)$/m.exec(cell.source) : null;
    if (heading) return heading[1];
  }
  return undefined;
}

const cellRenderers: { readonly [T in Cell["cell_type"]]: (cell: Cell & { cell_type: T }) => string } = {
  markdown: (cell) => `<section class="cell markdown">\n${markdown.render(withAttachments(cell))}</section>`,
  raw: (cell) => `<section class="cell raw"><pre>${escapeHtml(cell.source)}</pre></section>`,
  code: renderCode,
};

function renderCell(cell: Cell): string {
  return (cellRenderers[cell.cell_type] as (cell: Cell) => string)(cell);
}

// A pasted picture lies in the cell and is named by an "attachment:" link.
function withAttachments(cell: TextCell): string {
  return cell.source.replace(/\(attachment:([^)\s]+)\)/g, (link, file: string) => {
    const [mime, base64] = Object.entries(cell.attachments?.[decodeURIComponent(file)] ?? {})[0] ?? [];
    return mime === undefined ? link : `(data:${mime};base64,${String(base64).replace(/\s/g, "")})`;
  });
}

function renderCode(cell: CodeCell): string {
  // A notebook of unknown origin may have any text here.
  const count = escapeHtml(String(cell.execution_count ?? " "));
  const outputs = cell.outputs.map(renderOutput).join("\n");
  return `<section class="cell code">
<div class="prompt">[${count}]</div>
<pre class="source"><code>${highlightCell(cell.source)}</code></pre>
${outputs === "" ? "" : `<div class="outputs">\n${outputs}\n</div>\n`}</section>`;
}

const outputRenderers: {
  readonly [T in Output["output_type"]]: (output: Output & { output_type: T }) => string;
} = {
  stream: (output) => `<pre class="output ${escapeHtml(String(output.name))}">${ansi(output.text)}</pre>`,
  error: (output) => `<pre class="output error">${ansi(output.traceback.join("\n"))}</pre>`,
  display_data: (output) => renderData(output.data),
  execute_result: (output) => renderData(output.data),
};

function renderOutput(output: Output): string {
  return (outputRenderers[output.output_type] as (output: Output) => string)(output);
}

// Richest first; every bundle should hold text/plain.
const mimeRenderers: readonly (readonly [string, (value: unknown, data: Data) => string])[] = [
  [plotlyMime, renderFigure],
  ["text/html", String],
  ["text/markdown", (value) => markdown.render(String(value))],
  ["image/svg+xml", String],
  ["image/png", (value) => renderImage("image/png", value)],
  ["image/jpeg", (value) => renderImage("image/jpeg", value)],
  ["image/gif", (value) => renderImage("image/gif", value)],
  ["application/json", (value) => `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`],
  ["application/javascript", renderScript],
  ["text/latex", (value) => `<div class="latex">${latexHtml(String(value))}</div>`],
  ["text/plain", (value) => `<pre>${ansi(String(value))}</pre>`],
];

function renderData(data: Data): string {
  const found = mimeRenderers.find(([mime]) => mime in data);
  if (!found) return "";
  const [mime, render] = found;
  return `<div class="output data">${render(data[mime], data)}</div>`;
}

function renderImage(
  mime: string,
  value: unknown,
  shown: { name?: string; width?: number | undefined } = {},
): string {
  const { name = "", width } = shown;
  const style = width === undefined ? "" : ` style="max-width: min(100%, ${width}px)"`;
  return `<img alt="${escapeHtml(name)}"${style} src="data:${mime};base64,${escapeHtml(String(value).replace(/\s/g, ""))}">`;
}

// As in front ends, `element` is where the script may draw.
function renderScript(value: unknown): string {
  const script = String(value).replaceAll("</script", "<\\/script");
  return `<div></div>
<script>(function (element) {
${script}
})(document.currentScript.previousElementSibling);</script>`;
}

const figureOpening = '<div class="figure"><script type="application/json">';

/** The width that a figure of ours is made for. */
function widthOf(figure: unknown): number | undefined {
  const { layout } = figure as { layout?: { meta?: { width?: unknown } } };
  return typeof layout?.meta?.width === "number" ? layout.meta.width : undefined;
}

// The plot replaces the picture where scripts may run.
function renderFigure(figure: unknown, data: Data): string {
  const name =
    String(data["text/plain"] ?? "")
      .trim()
      .split("\n")[0] ?? "";
  const picture =
    data["image/png"] === undefined
      ? ""
      : renderImage("image/png", data["image/png"], { name, width: widthOf(figure) });
  return `${figureOpening}${JSON.stringify(figure).replaceAll("<", "\\u003c")}</script>${picture}</div>`;
}

// Figures take the page's text color and no background of their own, so that they suit both color schemes.
function plotlyTags(): string {
  return `<style>${plotStyle(".figure")}</style>
<script>${plotlyScript()}</script>
<script>
for (const element of document.querySelectorAll(".figure")) {
  const { data, layout, config } = JSON.parse(element.firstElementChild.textContent);
  const grid = { gridcolor: "rgba(128,128,128,.25)", zerolinecolor: "rgba(128,128,128,.5)" };
  const plot = document.createElement("div");
  plot.style.minWidth = (layout?.meta?.leastWidth ?? 0) + "px";
  // As wide as the picture.
  if (layout?.meta?.width) plot.style.maxWidth = layout.meta.width + "px";
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", element.querySelector("img")?.alt ?? "");
  element.style.overflowX = "auto";
  element.replaceChildren(plot);
  Plotly.newPlot(plot, data, {
    ...layout,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    xaxis: { ...grid, ...layout?.xaxis },
    yaxis: { ...grid, ...layout?.yaxis },
  }, { ...config, responsive: true });
}
</script>
`;
}

function ansi(text: string): string {
  const converter = new AnsiUp();
  converter.use_classes = true;
  return converter.ansi_to_html(text);
}
