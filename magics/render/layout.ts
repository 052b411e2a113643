// The layout of a figure in pixels. The SVG and Plotly's JSON share it, so that nothing moves when the live plot replaces
// the picture.
import { cut } from "../../runtime/base/cut.js";
import {
  type Axis,
  type Figure,
  type HeatPanel,
  type LegendEntry,
  legend,
  namesAtEnds,
  type SpanPanel,
} from "./figure.js";

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

const fullWidth = 860;
const usualRow = 24;
const laneHeight = 17;
const labelSize = 11.5;
const maxLabel = 36;
// A wide legend takes two lines on a narrow page.
const narrowLegend = 340;
const chartHeight = 280;
const mostSquare = 400;
// The least width of curves beside their names.
const leastCurves = 200;
const noAxis: Axis = { label: "", scale: "linear", unit: "number" };

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
    if (line && line.width + own <= fullWidth) {
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
  return 32 + Math.ceil(Math.max(...names) * legendSize * monoWidth);
}

/** The room of a vertical axis' longest tick and of its label, left of the data. */
export function axisRoom({ ticks = [], label }: Axis): { readonly label: number; readonly all: number } {
  const longest = Math.max(0, ...ticks.map(({ text }) => text.length));
  const before = Math.max(54, Math.ceil(longest * tickSize * monoWidth) + 20);
  return { label: before, all: label === "" ? Math.max(70, before) : before + 16 };
}

/** The size of a heat map of square cells: the largest that there is room for. */
function squareSize({ values }: HeatPanel, room: number): { width: number; height: number } {
  const [rows, columns] = [values.length, values[0]?.length ?? 1];
  const cell = Math.min(room / columns, mostSquare / rows);
  return { width: Math.round(cell * columns), height: Math.round(cell * rows) };
}

/** The bars of a series on its row: their middle, from that of the row, and their thickness, as shares of a row. */
export function laneOf(panel: SpanPanel, series: number): { middle: number; thickness: number } {
  const lanes = panel.isGrouped ? panel.series.length : 1;
  if (lanes === 1) return { middle: 0, thickness: 0.6 };
  const thickness = 0.8 / lanes;
  return { middle: (series - (lanes - 1) / 2) * thickness, thickness };
}

/** True if a name fits into a span of this width. */
export function fits(name: string, width: number): boolean {
  return name.length * tickSize * monoWidth + 8 <= width;
}

/** The layout of a figure. */
export function layoutOf(figure: Figure): Layout {
  const curves = figure.rows.length === 0;
  const longest = Math.max(0, ...figure.rows.map((label) => shortLabel(label).length));
  const [first] = figure.panels;
  const left = curves
    ? axisRoom(first && "y" in first ? first.y : noAxis).all
    : Math.ceil(longest * labelSize * monoWidth) + 22;
  const lanes = Math.max(
    ...figure.panels.map((p) => (p.kind === "spans" && p.isGrouped ? p.series.length : 1)),
  );
  const rowHeight = lanes === 1 ? usualRow : Math.round((lanes * laneHeight) / 0.8);
  const panelTitleHeight = figure.panels.some(({ title }) => title !== "") ? 24 : 0;
  const top = (figure.title === "" ? 12 : 34) + panelTitleHeight;
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
  const each = (fullWidth - left - right - gap * (count - 1)) / count;
  const [only] = figure.panels;
  const square = count === 1 && only?.kind === "heat" && only.isSquare ? squareSize(only, each) : undefined;
  const width = square ? Math.max(340, left + square.width + right) : fullWidth;
  const dataHeight = square?.height ?? (curves ? chartHeight : Math.max(2, figure.rows.length) * rowHeight);
  const names = figure.panels.flatMap((panel) => (panel.kind === "bars" ? (panel.x.ticks ?? []) : []));
  const lines = names.map(({ text }) => tickLines(text));
  const more = (Math.max(1, ...lines.map((own) => own.length)) - 1) * tickHeight;
  const widest = Math.max(0, ...lines.flat().map((own) => own.length)) * tickSize * monoWidth;
  const named = Math.ceil(left + right + names.length * widest);
  // Below the data: ticks, the axes' labels and the legend, where there are some.
  const legends = legendLines(figure);
  const folded = legends.length === 1 && (legends[0]?.width ?? 0) > narrowLegend ? 1 : 0;
  const legendRoom = legends.length === 0 ? 0 : (legends.length + folded) * legendHeight + 14;
  const axes = figure.panels.every(({ kind }) => kind === "flow") ? 8 : 26;
  const below = axes + more + (figure.panels.some((panel) => panel.x.label !== "") ? 20 : 0) + legendRoom;
  const leastWidthOf = () => {
    if (count > 1) return 800;
    if (square) return width;
    const besideNames = namesAtEnds(figure) ? left + right + leastCurves : 0;
    if (curves) return Math.min(width, Math.max(340, besideNames, named));
    return only?.kind === "spans" && only.isGrouped ? Math.max(340, left + right + 180) : 520;
  };
  return {
    width,
    height: top + dataHeight + below,
    leastWidth: leastWidthOf(),
    frames: figure.panels.map((_, i) => ({
      left: left + i * (each + gap),
      top,
      width: square?.width ?? each,
      height: dataHeight,
    })),
    titleY: 20,
    panelTitleY: top - 10,
    legendY: top + dataHeight + below - 8,
    rowHeight,
  };
}
