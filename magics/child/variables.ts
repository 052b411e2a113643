// %who and %whos in the child, with the texts of IPython.

import { inspect } from "node:util";
import { cut } from "../../runtime/base/cut.js";
import { tableHtml } from "../render/html.js";
import type { MagicContext } from "./context.js";

// As IPython does: a line of names, and the two ends of a long value.
const namesOnLine = 9;
const longValue = 50;
const keptEnd = 25;
const gap = 3;

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}

/** Prints the names of the variables. */
export function who(context: MagicContext, types: readonly string[]): void {
  const found = variables(context, types);
  if (found.length === 0) {
    context.line(none(types));
    return;
  }
  const lines: string[] = [];
  for (let i = 0; i < found.length; i += namesOnLine) {
    lines.push(
      found
        .slice(i, i + namesOnLine)
        .map(({ name }) => `${name}\t `)
        .join(""),
    );
  }
  context.line(lines.join("\n"));
}

/** Lists the variables with their types and values. */
export function whos(context: MagicContext, types: readonly string[]): void {
  const found = variables(context, types);
  if (found.length === 0) {
    context.line(none(types));
    return;
  }
  const titles = ["Variable", "Type", "Data/Info"] as const;
  const [label, typeLabel, dataLabel] = titles;
  const width = Math.max(label.length, ...found.map(({ name }) => name.length)) + gap;
  const typeWidth = Math.max(typeLabel.length, ...found.map(({ type }) => type.length)) + gap;
  const rows = found.map(({ name, type, value }) => ({ name, type, data: dataOf(value) }));
  const text = [
    `${label.padEnd(width)}${typeLabel.padEnd(typeWidth)} ${dataLabel}`,
    "-".repeat(width + typeWidth + dataLabel.length + 1),
    ...rows.map(({ name, type, data }) => `${name.padEnd(width)}${type.padEnd(typeWidth)} ${data}`),
  ];
  const table = {
    columns: titles.map((title) => ({ title })),
    rows: rows.map(({ name, type, data }) => [{ text: name, code: true }, type, { text: data, code: true }]),
  };
  context.host.display({ "text/html": tableHtml(table), "text/plain": text.join("\n") });
}

function variables(context: MagicContext, types: readonly string[]): Variable[] {
  const { locals } = context.host;
  return Object.keys(locals)
    .filter((name) => /^[A-Za-z_]/.test(name) && name !== "__esModule")
    .map((name) => ({ name, type: typeName(locals[name]), value: locals[name] }))
    .filter(({ type }) => types.length === 0 || types.includes(type))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  return tag === "Object" ? (value.constructor?.name ?? "Object") : tag;
}

function none(types: readonly string[]): string {
  return types.length === 0 ? "Interactive namespace is empty." : "No variables match your requested type.";
}

interface TensorLike {
  readonly shape: readonly number[];
  readonly size: number;
  readonly dtype: { readonly name: string; readonly bytes: number };
  readonly device: { readonly name: string };
}

function dataOf(value: unknown): string {
  if (isTensor(value)) {
    const { shape, size, dtype, device } = value;
    return `${shape.join("x")}: ${size} elems, type \`${dtype.name}\`, ${size * dtype.bytes} bytes on ${device.name}`;
  }
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return `n=${(value as unknown as unknown[]).length}`;
  if (value instanceof Map || value instanceof Set) return `n=${value.size}`;
  const source = typeof value === "function" ? (value as { source?: unknown }).source : undefined;
  const text =
    typeof value === "string"
      ? value
      : typeof source === "string"
        ? source
        : inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY });
  const line = text.replaceAll("\n", "\\n");
  return line.length < longValue ? line : `${cut(line, 0, keptEnd)}<...>${cut(line, -keptEnd)}`;
}

function isTensor(value: unknown): value is TensorLike {
  const tensor = value as Partial<TensorLike> | null;
  return (
    typeof value === "object" &&
    tensor !== null &&
    Array.isArray(tensor.shape) &&
    tensor.dtype?.name !== undefined
  );
}
