// A program as a picture: a box around the rows of each kernel, and arcs with the bytes that a kernel leaves for another one.
// SVG, Plotly and text share this geometry.
import { plotlyText } from "./escape.js";
import { type FlowPanel, ink, opacity } from "./figure.js";
import type { Frame } from "./layout.js";

/** Positions as fractions of the panel's width: dots, remarks, and the right edge of the boxes, where arcs begin. */
const dotsAt = 0.02;
const notesAt = 0.04;
const boxesEnd = 0.72;
/** The distance of a box from its rows' edges, and of texts from each other, in rows. */
const inset = 0.08;
const apart = 0.6;
/** The number of segments of an arc. */
const pieces = 24;

type Point = readonly [x: number, y: number];

interface Arc {
  readonly points: readonly Point[];
  readonly weight: number;
  readonly text: string;
  readonly textAt: Point;
}

/** The arcs from the middle of a box to that of another one, in fractions of the width and in rows; longer arcs are wider. */
function arcsOf({ series, edges }: FlowPanel): Arc[] {
  const middle = (box: number) => ((series[box]?.first ?? 0) + (series[box]?.last ?? 0)) / 2;
  const arcs = edges.map(({ from, to, text, weight }) => {
    const [start, end] = [middle(from), middle(to)];
    const reach = 0.16 * (1 - 0.85 ** (end - start));
    const points = Array.from({ length: pieces + 1 }, (_, i): Point => {
      const angle = (Math.PI * i) / pieces;
      return [boxesEnd + reach * Math.sin(angle), (start + end) / 2 - ((end - start) / 2) * Math.cos(angle)];
    });
    return { points, weight, text, at: [boxesEnd + reach, (start + end) / 2] as Point };
  });
  const placed: Point[] = [];
  return arcs
    .sort((a, b) => a.at[1] - b.at[1])
    .map(({ at: [x, y], ...arc }) => {
      let row = y;
      for (const [left, taken] of placed)
        if (Math.abs(left - x) < 0.1 && row < taken + apart) row = taken + apart;
      placed.push([x, row]);
      return { ...arc, textAt: [x, row] };
    });
}

const widthOf = (weight: number) => 1 + 4 * weight;

/** The shapes of the panel, for an SVG; `text` writes a remark. */
export function flowShapes(
  panel: FlowPanel,
  frame: Frame,
  rowHeight: number,
  text: (content: string, x: number, y: number) => string,
): string[] {
  const x = (share: number) => Math.round(10 * (frame.left + share * frame.width)) / 10;
  const y = (row: number) => Math.round(10 * (frame.top + (row + 0.5) * rowHeight)) / 10;
  const boxes = panel.series.flatMap(({ color, first, last, stored }) => {
    const [top, bottom] = [y(first - 0.5 + inset), y(last + 0.5 - inset)];
    return [
      `<rect x="${x(0)}" y="${top}" width="${x(boxesEnd) - x(0)}" height="${bottom - top}" rx="4" fill="${color}" fill-opacity="${opacity.area}" stroke="${color}"/>`,
      ...stored.map((row) => `<circle cx="${x(dotsAt)}" cy="${y(row)}" r="4" fill="${color}"/>`),
    ];
  });
  const arcs = arcsOf(panel).flatMap(({ points, weight, text: told, textAt: [across, row] }) => [
    `<polyline points="${points.map(([share, at]) => `${x(share)},${y(at)}`).join(" ")}" fill="none" stroke="${ink.axis}" stroke-width="${widthOf(weight)}"/>`,
    text(told, x(across) + 8, y(row) + 4),
  ]);
  const breaks = panel.breaks.map((row) => {
    const at = y(row + 0.5);
    return `<line x1="${x(0)}" y1="${at}" x2="${x(1)}" y2="${at}" stroke="${ink.text}" stroke-dasharray="5 4"/>`;
  });
  const notes = panel.notes.map((note, row) => text(note, x(notesAt), y(row) + 4));
  return [...breaks, ...arcs, ...boxes, ...notes];
}

/** The traces of the panel, for Plotly; rows are its y axis, and fractions of the width its x axis. */
export function flowTraces(panel: FlowPanel): object[] {
  const { series, breaks, notes } = panel;
  const silent = { type: "scatter", hoverinfo: "skip", showlegend: false };
  const line = (points: readonly Point[], style: object) => ({
    ...silent,
    mode: "lines",
    x: points.map(([x]) => x),
    y: points.map(([, row]) => row),
    line: style,
  });
  const texts = (x: readonly number[], y: readonly number[], text: readonly string[]) => ({
    ...{ ...silent, mode: "text", x, y, text: text.map(plotlyText), textposition: "middle right" },
  });
  const arcs = arcsOf(panel);
  return [
    ...breaks.map((row) =>
      line(
        [
          [0, row + 0.5],
          [1, row + 0.5],
        ],
        { color: ink.axis, width: 1.2, dash: "dash" },
      ),
    ),
    ...arcs.map(({ points, weight }) => line(points, { color: ink.axis, width: widthOf(weight) })),
    ...series.map(({ color, first, last }) => {
      const [top, bottom] = [first - 0.5 + inset, last + 0.5 - inset];
      const corners: Point[] = [
        [0, top],
        [boxesEnd, top],
        [boxesEnd, bottom],
        [0, bottom],
        [0, top],
      ];
      return { ...line(corners, { color, width: 1 }), fill: "toself", fillcolor: translucent(color) };
    }),
    ...series.map(({ name, color, stored }) => ({
      ...{ type: "scatter", mode: "markers", name: plotlyText(name), marker: { color, size: 8 } },
      x: stored.map(() => dotsAt),
      y: stored,
      hovertext: stored.map((row) => plotlyText(`${name}: ${notes[row] ?? ""}`)),
      ...{ hoverinfo: "text", showlegend: false },
    })),
    texts(
      arcs.map(({ textAt: [x] }) => x + 0.005),
      arcs.map(({ textAt: [, row] }) => row),
      arcs.map(({ text }) => text),
    ),
    texts(
      notes.map(() => notesAt - 0.005),
      notes.map((_, row) => row),
      notes,
    ),
  ];
}

/** A color of six digits with an opacity. */
export function translucent(color: string, alpha: number = opacity.area): string {
  const part = (from: number) => Number.parseInt(color.slice(from, from + 2), 16);
  return `rgba(${part(1)}, ${part(3)}, ${part(5)}, ${alpha})`;
}

/** The panel for a terminal: each box with its rows, and what it reads of others. */
export function flowLines(
  { title, series, edges, breaks, notes }: FlowPanel,
  labels: readonly string[],
): string[] {
  const lines = labels.flatMap((label, row) => {
    const box = series.findIndex(({ first }) => first === row);
    const isInside = series.some(({ first, last }) => first < row && row <= last);
    const isStored = series.some(({ stored }) => stored.includes(row));
    const reads = edges
      .filter(({ to }) => to === box)
      .map(({ from, text }) => `${text} of ${series[from]?.name ?? ""}`.replace(/^ of /, ""));
    const from = reads.length > 0 ? ` <- ${reads.join(", ")}` : "";
    const line = `${isInside ? "  " : ""}${isStored ? "● " : isInside ? "· " : ""}${label}  ${notes[row] ?? ""}${from}`;
    return breaks.includes(row) ? [line.trimEnd(), "- - -"] : [line.trimEnd()];
  });
  return [title, ...lines].filter((line) => line !== "");
}
