// A program as a picture: one dot on the row of each operation, in the color of its kernel, and arcs from a value's
// operation to its readers. SVG, Plotly and text share this geometry.
import { plotlyText } from "./escape.js";
import { type FlowPanel, ink } from "./figure.js";
import type { Frame } from "./layout.js";

/** The positions of dots and of remarks, as fractions of the panel's width. */
const dotsAt = 0.03;
const notesAt = 0.3;
/** The number of segments of an arc. */
const pieces = 24;

/** The points of an arc between two rows, in fractions of the width and in rows; longer arcs are wider. */
function arc(from: number, to: number): (readonly [x: number, y: number])[] {
  const reach = (notesAt - dotsAt - 0.02) * (1 - 0.85 ** (to - from));
  return Array.from({ length: pieces + 1 }, (_, i) => {
    const angle = (Math.PI * i) / pieces;
    return [dotsAt + reach * Math.sin(angle), (from + to) / 2 - ((to - from) / 2) * Math.cos(angle)] as const;
  });
}

/** The shapes of the panel, for an SVG; `text` writes a remark. */
export function flowShapes(
  panel: FlowPanel,
  frame: Frame,
  rowHeight: number,
  text: (content: string, x: number, y: number) => string,
): string[] {
  const x = (share: number) => Math.round(10 * (frame.left + share * frame.width)) / 10;
  const y = (row: number) => Math.round(10 * (frame.top + (row + 0.5) * rowHeight)) / 10;
  const arcs = panel.edges.map(({ from, to }) => {
    const points = arc(from, to).map(([share, row]) => `${x(share)},${y(row)}`);
    return `<polyline points="${points.join(" ")}" fill="none" stroke="${ink.axis}" stroke-width="1.2"/>`;
  });
  const dots = panel.series.flatMap(({ color, dots }) =>
    dots.map(({ row, isStored }) => {
      const look = isStored ? `r="7" fill="${color}"` : `r="4" fill="${color}"`;
      return `<circle cx="${x(dotsAt)}" cy="${y(row)}" ${look}/>`;
    }),
  );
  const breaks = panel.breaks.map((row) => {
    const at = y(row + 0.5);
    return `<line x1="${x(0)}" y1="${at}" x2="${x(1)}" y2="${at}" stroke="${ink.text}" stroke-dasharray="5 4"/>`;
  });
  const notes = panel.notes.map((note, row) => text(note, x(notesAt), y(row) + 4));
  return [...breaks, ...arcs, ...dots, ...notes];
}

/** The traces of the panel, for Plotly; rows are its y axis, and fractions of the width its x axis. */
export function flowTraces({ series, edges, breaks, notes }: FlowPanel): object[] {
  const lines = (points: (readonly [number, number])[][], dash: string) => ({
    type: "scatter",
    mode: "lines",
    x: points.flatMap((one) => [...one.map(([x]) => x), null]),
    y: points.flatMap((one) => [...one.map(([, row]) => row), null]),
    line: { color: ink.axis, width: 1.2, dash },
    hoverinfo: "skip",
    showlegend: false,
  });
  const arcs = edges.map(({ from, to }) => arc(from, to));
  const cuts = breaks.map((row): (readonly [number, number])[] => [
    [0, row + 0.5],
    [1, row + 0.5],
  ]);
  return [
    lines(cuts, "dash"),
    lines(arcs, "solid"),
    ...series.map(({ name, color, dots }) => ({
      type: "scatter",
      mode: "markers",
      name: plotlyText(name),
      x: dots.map(() => dotsAt),
      y: dots.map(({ row }) => row),
      marker: { color, opacity: 1, size: dots.map(({ isStored }) => (isStored ? 14 : 8)) },
      hovertext: dots.map(({ row }) => plotlyText(`${name}: ${notes[row] ?? ""}`)),
      hoverinfo: "text",
    })),
    {
      type: "scatter",
      mode: "text",
      x: notes.map(() => notesAt),
      y: notes.map((_, row) => row),
      text: notes.map((note) => plotlyText(note)),
      textposition: "middle right",
      hoverinfo: "skip",
      showlegend: false,
    },
  ];
}

/** The panel for a terminal: each operation with its kernel, its inputs, and the remark. */
export function flowLines(
  { title, series, edges, breaks, notes }: FlowPanel,
  labels: readonly string[],
): string[] {
  const lines = labels.flatMap((label, row) => {
    const kernel = series.find(({ dots }) => dots.some((dot) => dot.row === row));
    const isStored = kernel?.dots.find((dot) => dot.row === row)?.isStored === true;
    const reads = edges.filter(({ to }) => to === row).map(({ from }) => from + 1);
    const from = reads.length > 0 ? ` <- ${reads.join(", ")}` : "";
    const line = `${isStored ? "●" : "·"} ${label}  ${kernel?.name ?? ""}  ${notes[row] ?? ""}${from}`;
    return breaks.includes(row) ? [line, "- - -"] : [line];
  });
  return [title, ...lines].filter((line) => line !== "");
}
