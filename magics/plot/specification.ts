// plot(): any Plotly specification. Front ends draw it; the picture and the text are drawn here for curves, points and bars.
import type { PlotForms } from "../render/bundle.js";
import { formsOf } from "../render/bundle.js";
import { curveColors, type Figure, type Panel } from "../render/figure.js";
import { isNumbers, numbersOf, unplottable } from "./data.js";
import { Plot } from "./plot.js";

/** Plotly's figure: its traces and its layout. */
export interface PlotlySpecification {
  readonly data: readonly object[];
  readonly layout?: object;
  readonly config?: object;
}

interface Trace {
  readonly type?: string;
  readonly mode?: string;
  readonly name?: string;
  readonly x?: unknown;
  readonly y?: unknown;
}

const [usualWidth, usualHeight] = [860, 450];

/** Shows any Plotly specification: `plot({ data: [{ type: "pie", values: [1, 2] }] })`; tensors may replace arrays. */
export function plot(specification: PlotlySpecification): Plot {
  const { data } = specification;
  if (!Array.isArray(data)) throw unplottable("plot: data", "a list of Plotly's traces", data);
  // Written once: a tensor becomes nested arrays, a typed array an array.
  const plain = JSON.parse(JSON.stringify(specification, asArray)) as PlotlySpecification;
  return new Plot(() => formsOfSpecification(plain));
}

function formsOfSpecification(specification: PlotlySpecification): PlotForms {
  const layout = (specification.layout ?? {}) as { title?: unknown; width?: unknown; height?: unknown };
  const title = textOf(layout.title);
  const traces = specification.data as readonly Trace[];
  const panel = panelOf(traces, specification.layout ?? {});
  const drawn = panel && formsOf({ title, rows: [], panels: [panel] } satisfies Figure);
  const kinds = [...new Set(traces.map(({ type = "scatter" }) => type))].join(", ");
  return {
    title,
    width: typeof layout.width === "number" ? layout.width : (drawn?.width ?? usualWidth),
    height: typeof layout.height === "number" ? layout.height : (drawn?.height ?? usualHeight),
    leastWidth: drawn?.leastWidth ?? 340,
    plot: {
      config: { responsive: true },
      ...specification,
      layout: { colorway: curveColors, ...specification.layout },
    },
    ...(drawn && { png: drawn.png }),
    text: drawn?.text ?? `${title === "" ? "A plot" : title}: ${kinds}, drawn by Plotly.`,
  };
}

function panelOf(traces: readonly Trace[], layout: object): Panel | undefined {
  const { xaxis, yaxis } = layout as { xaxis?: { title?: unknown }; yaxis?: { title?: unknown } };
  const axis = (title: unknown) => ({ label: textOf(title), scale: "linear", unit: "number" }) as const;
  const common = { title: "", x: axis(xaxis?.title), y: axis(yaxis?.title) };
  const plain = traces.every(({ x, y }) => isListOfNumbers(y) && (x === undefined || isListOfNumbers(x)));
  if (traces.length === 0 || !plain) return undefined;
  const rows = traces.map(({ x, y, name = "" }, i) => {
    const ys = [...numbersOf("plot: y", y)];
    const xs = x === undefined ? ys.map((_, at) => at) : [...numbersOf("plot: x", x)];
    return { name, color: curveColors[i % curveColors.length] ?? "", xs, ys };
  });
  if (traces.every(({ type = "scatter" }) => type === "scatter" || type === "scattergl")) {
    const series = rows.map(({ xs, ys, ...row }, i) => {
      const points = ys.map((y, at) => [xs[at] ?? at, y] as const);
      const { mode = ys.length > 20 ? "lines" : "lines+markers" } = traces[i] ?? {};
      if (mode === "markers") return { ...row, points, marks: "points" as const };
      return { ...row, points, ...(mode === "lines" && { marks: "line" as const }) };
    });
    return { kind: "lines", ...common, series };
  }
  if (traces.length > 1 || traces[0]?.type !== "bar") return undefined;
  const series = rows.map(({ xs, ys, ...row }) => ({
    ...row,
    bars: ys.map((y, at) => [(xs[at] ?? at) - 0.4, (xs[at] ?? at) + 0.4, y] as const),
  }));
  return { kind: "bars", ...common, series };
}

function isListOfNumbers(value: unknown): boolean {
  return isNumbers(value) && Array.isArray(value) && value.every((one) => typeof one === "number");
}

function textOf(title: unknown): string {
  const text = typeof title === "object" && title !== null ? (title as { text?: unknown }).text : title;
  return typeof text === "string" ? text : "";
}

function asArray(_key: string, value: unknown): unknown {
  if (!ArrayBuffer.isView(value) || value instanceof DataView) return value;
  return Array.from(value as unknown as ArrayLike<number | bigint>, Number);
}
