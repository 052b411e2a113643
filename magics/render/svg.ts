// A figure as SVG with plain shapes and text, which becomes the PNG, so that a picture needs no browser.
import { hexOf, painter } from "./colormap.js";
import { escapeHtml } from "./escape.js";
import {
  areaOpacity,
  type BarPanel,
  type DotPanel,
  type Figure,
  type HeatPanel,
  ink,
  type LinePanel,
  namesAtEnds,
  opacity,
  type Shades,
  type Span,
  type SpanPanel,
  xValues,
  yValues,
} from "./figure.js";
import { flowShapes } from "./flow.js";
import { formatValue } from "./format.js";
import { colorBar, heatPixels } from "./heat.js";
import { inkOn } from "./ink-on.js";
import {
  axisRoom,
  type Frame,
  fits,
  type Layout,
  laneOf,
  layoutOf,
  legendHeight,
  legendLines,
  legendSize,
  legendWidth,
  shortLabel,
  tickHeight,
  tickLines,
  tickSize,
} from "./layout.js";
import { endNames, pointLabels } from "./point-names.js";
import { type Position, scaleOf } from "./scale.js";

const sans = "DejaVu Sans";
const mono = "DejaVu Sans Mono";

/** The figure as a complete SVG document with a transparent background. */
export function figureSvg(figure: Figure): string {
  const layout = layoutOf(figure);
  const parts = [
    text(figure.title, layout.width / 2, layout.titleY, { size: 14, anchor: "middle", bold: true }),
    ...figure.rows.map((label, i) => {
      const first = layout.frames[0] ?? { left: 0, top: 0 };
      const y = first.top + (i + 0.5) * layout.rowHeight + 4;
      return text(shortLabel(label), first.left - 10, y, { size: 11.5, anchor: "end", font: mono });
    }),
    ...figure.panels.flatMap((panel, i) => {
      const frame = layout.frames[i];
      if (!frame) return [];
      const title = text(panel.title, frame.left, layout.panelTitleY, { size: 11.5 });
      if (panel.kind === "lines" || panel.kind === "bars") return [title, ...charted(panel, frame)];
      if (panel.kind === "heat") return [title, ...heat(panel, frame)];
      if (panel.kind === "flow") {
        const note = (content: string, x: number, y: number) => text(content, x, y, { size: 11 });
        return [title, ...flowShapes(panel, frame, layout.rowHeight, note)];
      }
      const [grid, at] = horizontalAxis(panel.x, xValues(panel), frame);
      const data = panel.kind === "spans" ? bars(panel, frame, layout, at) : dots(panel, frame, layout, at);
      return [title, ...grid, ...data];
    }),
    ...legendMarks(figure, layout),
    ...curveNames(figure, layout),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${layout.width}" height="${layout.height}" viewBox="0 0 ${layout.width} ${layout.height}">${parts.join("")}</svg>`;
}

function horizontalAxis(
  axis: SpanPanel["x"],
  values: readonly number[],
  frame: Frame,
  isGridded = true,
): readonly [string[], Position] {
  const { ticks, at } = scaleOf(axis, values, frame.left, frame.left + frame.width);
  const bottom = frame.top + frame.height;
  const parts = ticks.flatMap((tick) => [
    ...(isGridded ? [line(at(tick.value), frame.top, at(tick.value), bottom, ink.grid)] : []),
    ...tickLines(tick.text).map((own, i) =>
      text(own, at(tick.value), bottom + 16 + i * tickHeight, { size: tickSize, anchor: "middle" }),
    ),
  ]);
  const lines = Math.max(1, ...ticks.map((tick) => tickLines(tick.text).length));
  parts.push(line(frame.left, bottom, frame.left + frame.width, bottom, ink.axis));
  parts.push(
    text(axis.label, frame.left + frame.width / 2, bottom + 20 + lines * tickHeight, {
      size: 11,
      anchor: "middle",
    }),
  );
  return [parts, at];
}

function bars(panel: SpanPanel, frame: Frame, { rowHeight }: Layout, at: Position): string[] {
  return panel.series.flatMap(({ color, spans }, i) => {
    const lane = laneOf(panel, i);
    const thickness = rowHeight * lane.thickness;
    return spans.flatMap((span) => {
      const [from, to] = [at(span.from), at(span.to)];
      const [x, width] = [Math.min(from, to), Math.max(0.75, Math.abs(to - from))];
      const middle = frame.top + (span.row + 0.5 + lane.middle) * rowHeight;
      const gap = panel.isGrouped ? 1 : 0; // a pixel between neighbors
      const bar = `<rect x="${px(x)}" y="${px(middle - thickness / 2)}" width="${px(width)}" height="${px(thickness - gap)}" fill="${color}"/>`;
      if (span.text === undefined) return [bar, ...inside(span, color, x, width, middle)];
      const [side, anchor] = to < from ? ([x - 6, "end"] as const) : ([x + width + 6, "start"] as const);
      return [bar, text(span.text, side, middle + 4, { size: 11, anchor })];
    });
  });
}

/** The name of a span, if it is wide enough. */
function inside({ name }: Span, color: string, x: number, width: number, middle: number): string[] {
  if (name === undefined || !fits(name, width)) return [];
  return [text(name, x + width / 2, middle + 4, { size: 10.5, anchor: "middle", color: inkOn(color) })];
}

function dots(panel: DotPanel, frame: Frame, layout: Layout, at: Position): string[] {
  return panel.notes.flatMap((note, row) => {
    const marks = panel.series.flatMap(({ color, values }) => {
      const value = values[row];
      return value === undefined ? [] : [{ color, x: at(value) }];
    });
    const xs = marks.map((mark) => mark.x);
    if (xs.length === 0) return [];
    const y = frame.top + (row + 0.5) * layout.rowHeight;
    return [
      line(Math.min(...xs), y, Math.max(...xs), y, ink.axis, 1.5),
      ...marks.map((mark) => `<circle cx="${px(mark.x)}" cy="${px(y)}" r="5" fill="${mark.color}"/>`),
      text(note, Math.max(...xs) + 10, y + 4, { size: 11 }),
    ];
  });
}

function verticalAxis(
  axis: SpanPanel["x"],
  values: readonly number[],
  frame: Frame,
  downwards = false,
): readonly [string[], Position] {
  const ends = [frame.top + frame.height, frame.top] as const;
  const { ticks, at } = scaleOf(axis, values, ends[downwards ? 1 : 0], ends[downwards ? 0 : 1]);
  const parts = ticks.flatMap((tick) => [
    line(frame.left, at(tick.value), frame.left + frame.width, at(tick.value), ink.grid),
    text(tick.text, frame.left - 8, at(tick.value) + 4, { size: tickSize, anchor: "end" }),
  ]);
  const middle = frame.top + frame.height / 2;
  const place = frame.left - axisRoom(axis).label;
  parts.push(text(axis.label, place, middle, { size: 11, anchor: "middle", upwards: true }));
  return [parts, at];
}

function charted(panel: LinePanel | BarPanel, frame: Frame): string[] {
  // Names of bars are no positions.
  const isGridded = panel.kind === "lines" || panel.x.ticks === undefined;
  const [grid, x] = horizontalAxis(panel.x, xValues(panel), frame, isGridded);
  const [side, y] = verticalAxis(panel.y, yValues(panel), frame);
  if (panel.kind === "bars") return [...grid, ...side, ...columns(panel, x, y)];
  const shades = panel.series.find((series) => series.shades)?.shades;
  const bar = shades ? colorBarShapes(shades, frame) : [];
  return [...grid, ...side, ...curves(panel, x, y), ...labels(panel, frame, x, y), ...bar];
}

/** The names at the ends of a few curves. */
function curveNames(figure: Figure, { frames }: Layout): string[] {
  const [panel, frame] = [figure.panels[0], frames[0]];
  if (panel?.kind !== "lines" || frame === undefined || !namesAtEnds(figure)) return [];
  const right = frame.left + frame.width;
  return endNames(panel, frame.height).flatMap(({ name, color, y }) => [
    `<circle cx="${px(right + 12)}" cy="${px(frame.top + y)}" r="4" fill="${color}"/>`,
    text(name, right + 20, frame.top + y + 4, { size: legendSize }),
  ]);
}

function labels(panel: LinePanel, frame: Frame, x: Position, y: Position): string[] {
  return pointLabels(panel, frame).map(({ text: name, point, right, down, anchor }) =>
    text(name, x(point[0]) + right, y(point[1]) + down + 4, { size: legendSize, anchor }),
  );
}

function curves(panel: LinePanel, x: Position, y: Position): string[] {
  return panel.series.flatMap(({ name, points, color, marks, shades, radii }) => {
    const paint = shades && painter(shades.colormap, shades.min, shades.max);
    const places = points.map(([px_, py]) => [px(x(px_)), px(y(py))] as const);
    const dashes = marks === "dashes" ? ' stroke-dasharray="8 6"' : "";
    if (marks === "area")
      return [`<polygon points="${places.join(" ")}" fill="${color}" fill-opacity="${areaOpacity(name)}"/>`];
    const path = `<polyline points="${places.join(" ")}" fill="none" stroke="${color}" stroke-width="2"${dashes}/>`;
    const usual = marks === "points" ? 2.5 : 3.5;
    const circles = places.map(([cx, cy], i) => {
      const fill = paint ? hexOf(paint(shades.values[i] ?? Number.NaN)) : color;
      const seen = radii ? ` fill-opacity="${opacity.bubble}"` : "";
      return `<circle cx="${cx}" cy="${cy}" r="${radii?.[i] ?? usual}" fill="${fill}"${seen}/>`;
    });
    return [
      ...(marks === "points" ? [] : [path]),
      ...(marks === "line" || marks === "dashes" ? [] : circles),
    ];
  });
}

function columns(panel: BarPanel, x: Position, y: Position): string[] {
  const zero = y(0);
  return panel.series.flatMap(({ bars, color }) =>
    bars.map(([from, to, height]) => {
      const [left, right, end] = [x(from), x(to), y(height)];
      const width = Math.max(0.75, right - left - 1); // a pixel between neighbors
      return `<rect x="${px(left)}" y="${px(Math.min(zero, end))}" width="${px(width)}" height="${px(Math.abs(zero - end))}" fill="${color}"/>`;
    }),
  );
}

function heat(panel: HeatPanel, frame: Frame): string[] {
  const [grid] = horizontalAxis(panel.x, xValues(panel), frame);
  const [side] = verticalAxis(panel.y, yValues(panel), frame, true);
  return [
    ...grid,
    ...side,
    stretched(heatPixels(panel), frame),
    ...(panel.hasNumbers ? cellNumbers(panel, frame) : []),
    ...colorBarShapes(panel, frame),
  ];
}

function cellNumbers({ values, ...shades }: HeatPanel, frame: Frame): string[] {
  const paint = painter(shades.colormap, shades.min, shades.max);
  const [height, width] = [frame.height / values.length, frame.width / (values[0]?.length ?? 1)];
  return values.flatMap((row, i) =>
    row.map((value, j) => {
      const [x, y] = [frame.left + (j + 0.5) * width, frame.top + (i + 0.5) * height + 4];
      const color = inkOn(hexOf(paint(value)));
      return text(formatValue(value), x, y, { size: 10.5, anchor: "middle", color });
    }),
  );
}

/** The color scale beside a panel. */
function colorBarShapes(shades: Shades, frame: Frame): string[] {
  const bar = { left: frame.left + frame.width + 14, width: 12, top: frame.top, height: frame.height };
  const { pixels, ticks: numbers } = colorBar(shades);
  const axis = { label: "", scale: "linear", unit: "number", ticks: numbers } as const;
  const { ticks, at } = scaleOf(axis, [shades.min, shades.max], bar.top + bar.height, bar.top);
  return [
    stretched(pixels, bar),
    ...ticks.map((tick) => text(tick.text, bar.left + 18, at(tick.value) + 4, { size: tickSize })),
  ];
}

function stretched(pixels: string, { left, top, width, height }: Frame): string {
  return `<image href="data:image/png;base64,${pixels}" x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(height)}" preserveAspectRatio="none" image-rendering="optimizeSpeed"/>`;
}

function legendMarks(figure: Figure, layout: Layout): string[] {
  const lines = legendLines(figure);
  return lines.flatMap(({ entries, width }, i) => {
    const y = layout.legendY - (lines.length - 1 - i) * legendHeight;
    let left = Math.max(10, (layout.width - width) / 2);
    return entries.flatMap((entry) => {
      const x = left;
      left += legendWidth(entry);
      return [
        `<rect x="${px(x)}" y="${y - 9}" width="11" height="11" rx="2" fill="${entry.color}"/>`,
        text(entry.name, x + 17, y, { size: legendSize }),
      ];
    });
  });
}

interface TextStyle {
  readonly size: number;
  readonly anchor?: "start" | "middle" | "end";
  readonly bold?: boolean;
  readonly font?: string;
  readonly color?: string;
  /** Rotated by 90 degrees, to read upwards. */
  readonly upwards?: boolean;
}

function text(content: string, x: number, y: number, style: TextStyle): string {
  const anchor = style.anchor === undefined ? "" : ` text-anchor="${style.anchor}"`;
  const weight = style.bold === true ? ' font-weight="bold"' : "";
  const fill = ` fill="${style.color ?? ink.text}"${style.upwards ? ` transform="rotate(-90 ${px(x)} ${px(y)})"` : ""}`;
  return `<text x="${px(x)}" y="${px(y)}" font-family="${style.font ?? sans}" font-size="${style.size}"${anchor}${weight}${fill}>${escapeHtml(content)}</text>`;
}

function line(x1: number, y1: number, x2: number, y2: number, stroke: string, width = 1): string {
  return `<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}" stroke="${stroke}" stroke-width="${width}"/>`;
}

function px(value: number): string {
  return `${Math.round(value * 10) / 10}`;
}
