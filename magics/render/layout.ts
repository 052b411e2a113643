// The layout of a figure in pixels. The SVG and Plotly's JSON share it, so that nothing moves when the live plot replaces
// the picture.
import { cut } from "../../runtime/base/cut.js";
import { type Figure, type HeatPanel, type LegendEntry, legend, namesAtEnds } from "./figure.js";

/** A rectangle for one panel's data. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The figure's size and its panels' frames. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  /** The width below which its texts collide. */
  readonly leastWidth: number;
  readonly frames: readonly Frame[];
  /** Baseline of the title, of the panels' titles and of the legend. */
  readonly titleY: number;
  readonly panelTitleY: number;
  readonly legendY: number;
  readonly rowHeight: number;
}

/** The size of a tick's text, and the height of its lines. */
export const tickSize = 10.5;
export const tickHeight = 13;

/** Width of a character of the bundled fixed-width font, as a fraction of its size. */
export const monoWidth = 0.602;

const width = 860;
const rowHeight = 24;
const labelSize = 11.5;
const maxLabel = 36;

/** A row's label, abbreviated in the middle to fit. */
export function shortLabel(label: string): string {
  if (label.length <= maxLabel) return label;
  const half = Math.floor((maxLabel - 1) / 2);
  return `${cut(label, 0, maxLabel - 1 - half)}…${cut(label, label.length - half)}`;
}

/** The size of the legend's texts, and the height of its lines. */
export const legendSize = 11;
export const legendHeight = 18;

/** A line of the legend, which is centered. */
export interface LegendLine {
  readonly entries: LegendEntry[];
  width: number;
}

/** The width of an entry with its colored square and the gap behind it. */
export function legendWidth({ name }: LegendEntry): number {
  return 36 + name.length * legendSize * monoWidth;
}

/** The legend in lines that fit into the picture. */
export function legendLines(figure: Figure): LegendLine[] {
  const lines: LegendLine[] = [];
  for (const entry of legend(figure)) {
    const own = legendWidth(entry);
    const line = lines.at(-1);
    if (line && line.width + own <= width) {
      line.entries.push(entry);
      line.width += own;
    } else lines.push({ entries: [entry], width: own });
  }
  return lines;
}

/** A tick's text in lines of at most twelve characters; a longer word has its own line. */
export function tickLines(text: string): readonly string[] {
  return text.match(/\S.{0,10}\S(?!\S)|\S+/g) ?? [""];
}

/** The margin for the names at the ends of curves. */
function legendNames(figure: Figure): number {
  const names = figure.panels.flatMap((panel) => panel.series.map(({ name }) => name.length));
  return 20 + Math.ceil(Math.max(...names) * legendSize * monoWidth);
}

/** The width of a heat map of square cells, as far as there is room. */
function squareWidth({ values }: HeatPanel, room: number, height: number): number {
  return Math.min(room, (height / values.length) * (values[0]?.length ?? 1));
}

/** The layout of a figure. */
export function layoutOf(figure: Figure): Layout {
  const curves = figure.rows.length === 0;
  const longest = Math.max(0, ...figure.rows.map((label) => shortLabel(label).length));
  const left = curves ? 70 : Math.ceil(longest * labelSize * monoWidth) + 22;
  const dataHeight = curves ? 280 : Math.max(2, figure.rows.length) * rowHeight;
  const top = 58;
  const gap = curves ? 80 : 56;
  // A remark is after the last dot of its row.
  const kind = figure.panels.at(-1)?.kind;
  const notes = figure.panels.flatMap((panel) => (panel.kind === "dots" ? panel.notes : []));
  const remark = 18 + Math.max(0, ...notes.map((note) => note.length)) * legendSize * monoWidth;
  // A heat map's numbers are beside its colors, a bar's text is after it.
  const texts = figure.panels.some(
    (panel) => panel.kind === "spans" && panel.series.some((s) => s.spans.some(({ text }) => text)),
  );
  const hasColorBar = figure.panels.some(
    (panel) => panel.kind === "heat" || (panel.kind === "lines" && panel.series.some(({ shades }) => shades)),
  );
  const ends = namesAtEnds(figure) ? legendNames(figure) : 26;
  const right = kind === "dots" ? Math.max(74, Math.ceil(remark)) : hasColorBar || texts ? 74 : ends;
  const count = figure.panels.length;
  const each = (width - left - right - gap * (count - 1)) / count;
  const names = figure.panels.flatMap((panel) => (panel.kind === "bars" ? (panel.x.ticks ?? []) : []));
  const lines = names.map(({ text }) => tickLines(text));
  const more = (Math.max(1, ...lines.map((own) => own.length)) - 1) * tickHeight;
  const widest = Math.max(0, ...lines.flat().map((own) => own.length)) * tickSize * monoWidth;
  const named = Math.ceil(left + right + names.length * widest);
  // Below the data: ticks, the axes' labels where there are some, the legend, which takes two lines on a narrow page.
  const lower = Math.max(1, legendLines(figure).length) - 1;
  const below = more + lower * legendHeight + (figure.panels.some((panel) => panel.x.label !== "") ? 86 : 70);
  return {
    width,
    height: top + dataHeight + below,
    leastWidth: count > 1 ? 800 : curves ? Math.max(340, Math.min(width, named)) : 520,
    frames: figure.panels.map((panel, i) => ({
      left: left + i * (each + gap),
      top,
      width: panel.kind === "heat" && panel.isSquare ? squareWidth(panel, each, dataHeight) : each,
      height: dataHeight,
    })),
    titleY: 20,
    panelTitleY: 46,
    legendY: top + dataHeight + below - 12,
    rowHeight,
  };
}
