// Tensors as text and HTML, as NumPy prints them: right-aligned columns, only the ends of long dimensions, and
// one line with shape, dtype and device.
import { optionsOf } from "../base/arguments.js";
import type { DType } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import type { View } from "../geometry/view.js";
import type { Scalar } from "../ops/op.js";
import { elementReader, readElements } from "./transfer.js";

// Elements shown at either end of a long dimension, and the maximum for many dimensions.
const widestEdge = 3;
const mostShown = 20_000;

const printed = { precision: 5, threshold: 1000, width: 96 };

/** How tensors are printed. */
export interface PrintOptions {
  /** The number of significant digits; 5 by default. */
  readonly precision?: number;
  /** Tensors of more elements show only the ends of long dimensions; 1000 by default, Infinity for all. */
  readonly threshold?: number;
  /** The characters of a line; 96 by default. */
  readonly width?: number;
}

const ranges = { precision: [1, 17], threshold: [0, Number.POSITIVE_INFINITY], width: [20, 1000] } as const;

/**
 * Sets how tensors are printed; options that are left out keep their values.
 *
 * @example jl.setPrintOptions({ precision: 5, threshold: 1000, width: 96 }) // undefined
 */
export function setPrintOptions(options: PrintOptions): void {
  const names = Object.keys(ranges) as (keyof PrintOptions)[];
  const given = optionsOf("setPrintOptions", options, names);
  for (const name of names) {
    const value = given[name];
    const [least, most] = ranges[name];
    if (value === undefined || (isWhole(value) && value >= least && value <= most)) continue;
    throw new JitlabError(
      "bad-option",
      `setPrintOptions: ${name} is ${show(value)}.`,
      `Pass a whole number from ${least} to ${most}.`,
    );
  }
  for (const name of names) printed[name] = given[name] ?? printed[name];
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value) || value === Number.POSITIVE_INFINITY;
}

/** The fields that formatting needs beyond a View. */
export interface Printable extends View {
  contiguous(): View;
  select(dim: number, index: number): Printable;
}

/** `tensor([...], shape [2, 3], float32, cpu)`. */
export function formatTensor(tensor: Printable): string {
  const facts = `shape [${tensor.shape.join(", ")}], ${tensor.dtype.name}, ${tensor.device.name}`;
  if (tensor.size === 0) return `tensor([], ${facts})`;
  const body = layOut(previewOf(tensor), "       ");
  return body.includes("\n") ? `tensor(${body},\n       ${facts})` : `tensor(${body}, ${facts})`;
}

/** The HTML form: one line of facts and the elements in a scrollable block, without scripts. */
export function tensorHtml(tensor: Printable): string {
  const facts = `${tensor.dtype.name} [${tensor.shape.join(" × ")}] on ${tensor.device.name}`;
  const body = tensor.size === 0 ? "empty" : layOut(previewOf(tensor), "");
  return (
    `<div><div style="font-size: 85%; opacity: 0.7">Tensor, ${escapeHtml(facts)}</div>` +
    `<pre style="margin: 0; overflow-x: auto">${escapeHtml(body)}</pre></div>`
  );
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

type Preview = string | Preview[];

/** The elements to show as strings of one width; `...` stands for omitted elements. */
function previewOf(tensor: Printable): Preview {
  const edge = edgeFor(tensor);
  const kept = tensor.shape.map((extent) => Math.min(extent, 2 * edge));
  const values: Scalar[] = [];
  collect(tensor, kept, edge, values);
  const texts = formatElements(values, tensor.dtype);
  const width = Math.max(...texts.map((text) => text.length));
  let next = 0;
  const build = (dim: number): Preview => {
    if (dim === tensor.shape.length) return (texts[next++] as string).padStart(width);
    const parts = Array.from({ length: kept[dim] as number }, () => build(dim + 1));
    if ((kept[dim] as number) < (tensor.shape[dim] as number)) parts.splice(edge, 0, "...");
    return parts;
  };
  return build(0);
}

/** How many elements are shown at either end of each dimension. */
function edgeFor({ shape, size }: Printable): number {
  if (size <= printed.threshold) return Number.POSITIVE_INFINITY;
  const shown = (edge: number) => shape.reduce((count, extent) => count * Math.min(extent, 2 * edge), 1);
  let edge = widestEdge;
  while (edge > 1 && shown(edge) > mostShown) edge--;
  return edge;
}

/** Reads only the shown elements: the ends of each long dimension. */
function collect(tensor: Printable, kept: readonly number[], edge: number, values: Scalar[]): void {
  const cut = tensor.shape.findIndex((extent, d) => extent !== kept[d]);
  if (cut < 0) {
    const view = tensor.isContiguous ? tensor : tensor.contiguous();
    const read = elementReader(readElements(view), tensor.dtype);
    for (let i = 0; i < tensor.size; i++) values.push(read(i));
    return;
  }
  // Long dimensions are cut from the first on, so that a contiguous block of rows is read at once.
  const leading = tensor.shape.slice(0, cut + 1);
  const walk = (dim: number, window: Printable): void => {
    if (dim === leading.length) {
      collect(window, kept.slice(cut + 1), edge, values);
      return;
    }
    const extent = tensor.shape[dim] as number;
    const count = kept[dim] as number;
    for (let k = 0; k < count; k++) {
      const index = k < edge || count === extent ? k : extent - count + k;
      walk(dim + 1, window.select(0, index));
    }
  };
  walk(0, tensor);
}

function layOut(preview: Preview, indent: string): string {
  if (typeof preview === "string") return preview;
  if (preview.every((part) => typeof part === "string")) return wrap(preview as string[], `${indent} `);
  const depth = depthOf(preview);
  const gap = `,${"\n".repeat(depth - 1)}${indent} `;
  return `[${preview.map((part) => layOut(part, `${indent} `)).join(gap)}]`;
}

function depthOf(preview: Preview): number {
  return typeof preview === "string" ? 0 : 1 + Math.max(...preview.map(depthOf));
}

function wrap(parts: readonly string[], indent: string): string {
  const most = printed.width - 8;
  const lines: string[] = [];
  let line = "";
  for (const part of parts) {
    const next = line === "" ? part : `${line}, ${part}`;
    if (next.length > most && line !== "") {
      lines.push(line);
      line = part;
    } else {
      line = next;
    }
  }
  return `[${[...lines, line].join(`,\n${indent}`)}]`;
}

function formatElements(values: readonly Scalar[], dtype: DType): string[] {
  if (dtype.kind === "complex") {
    const parts = values as readonly { re: number; im: number }[];
    const re = formatReals(parts.map((value) => value.re));
    const im = formatReals(parts.map((value) => Math.abs(value.im)));
    return parts.map((value, i) => `${re[i]}${value.im < 0 || Object.is(value.im, -0) ? "-" : "+"}${im[i]}i`);
  }
  if (dtype.kind === "float") return formatReals(values as readonly number[]);
  return values.map(String);
}

/** Numbers with one notation for all: whole, fixed with as few decimals as needed, or exponential. */
function formatReals(values: readonly number[]): string[] {
  const finite = values
    .filter(Number.isFinite)
    .map(Math.abs)
    .filter((value) => value !== 0);
  const largest = Math.max(0, ...finite);
  const smallest = Math.min(Number.POSITIVE_INFINITY, ...finite);
  const special = (value: number): string => (Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf");
  const sign = (value: number): string => (Object.is(value, -0) ? "-" : "");
  const exponential = largest >= 1e8 || smallest < 1e-4 || largest / smallest > 1e8;
  if (finite.length > 0 && exponential && !finite.every((value) => Number.isInteger(value) && value < 1e8)) {
    return values.map((value) =>
      Number.isFinite(value) ? sign(value) + trimExponent(value) : special(value),
    );
  }
  const decimals = Math.max(0, ...finite.map(decimalsOf));
  return values.map((value) => {
    if (!Number.isFinite(value)) return special(value);
    return sign(value) + (decimals === 0 ? `${value.toFixed(0)}.` : value.toFixed(decimals));
  });
}

function trimExponent(value: number): string {
  const [mantissa = "", exponent = ""] = value.toExponential(printed.precision - 1).split("e");
  return `${mantissa}e${exponent}`;
}

function decimalsOf(value: number): number {
  const text = value.toPrecision(printed.precision).replace(/e.*$/, "");
  const fraction = text.split(".")[1]?.replace(/0+$/, "") ?? "";
  return Math.min(fraction.length, Math.max(1, printed.precision - 1));
}
