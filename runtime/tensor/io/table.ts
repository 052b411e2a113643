// A table that a file held: columns as tensors, with the texts and the units of their elements. It shows itself by its first rows.
import { countOf } from "../../base/arguments.js";
import type { Tensor } from "../tensor.js";

/** The unit of a column of dates: the int64 elements count it from the beginning of 1970, in UTC. */
export type TimeUnit = "days" | "ms" | "us" | "ns";

/** The rows that are shown. */
const shownRows = 5;
const nanosecondsOf: Readonly<Record<TimeUnit, bigint>> = {
  days: 86_400_000_000_000n,
  ms: 1_000_000n,
  us: 1000n,
  ns: 1n,
};

/** A table. */
export class Table {
  /**
   * @param columns Its columns by name; of texts the place of each among the distinct ones, as int32.
   * @param texts The distinct texts of each column of texts, in the order in which they occur.
   * @param units The unit of each column of dates, which is int64.
   */
  constructor(
    readonly columns: Readonly<Record<string, Tensor>>,
    readonly texts: Readonly<Record<string, readonly string[]>>,
    readonly units: Readonly<Record<string, TimeUnit>> = {},
  ) {}

  /** The number of rows. */
  get rows(): number {
    return Object.values(this.columns)[0]?.shape[0] ?? 0;
  }

  /**
   * The first rows, as a table that views the same memory.
   *
   * @example jl.readCsv("prices.csv").head(1).columns.price.toArray() // [2]
   */
  head(rows = shownRows): Table {
    const count = Math.min(countOf("head", "rows", rows), this.rows);
    const columns = Object.entries(this.columns).map(
      ([name, one]) => [name, one.narrow(0, 0, count)] as const,
    );
    return new Table(Object.fromEntries(columns), this.texts, this.units);
  }

  /** The first rows as text. */
  toString(): string {
    const cells = cellsOf(this);
    const widths = cells.head.map((name, i) =>
      Math.max(name.length, cells.dtypes[i]?.length ?? 0, ...cells.body.map((row) => row[i]?.length ?? 0)),
    );
    const line = (row: readonly string[]) => row.map((text, i) => text.padStart(widths[i] ?? 0)).join("  ");
    return [cells.title, line(cells.head), line(cells.dtypes), ...cells.body.map(line)].join("\n");
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }

  [Symbol.for("Jupyter.display")](): Record<string, string> {
    const { title, head, dtypes, body } = cellsOf(this);
    const cell = (tag: string, text: string) =>
      `<${tag} style="text-align: right; padding: 3px 8px; white-space: nowrap">${escaped(text)}</${tag}>`;
    const names = head.map((name, i) => cell("th", `${name}\n${dtypes[i]}`).replace("\n", "<br>"));
    const rows = body.map((row) => `<tr>${row.map((text) => cell("td", text)).join("")}</tr>`);
    return {
      "text/plain": this.toString(),
      "text/html": `<div style="overflow-x: auto"><div style="font-size: 85%">${escaped(title)}</div><table><thead><tr>${names.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`,
    };
  }
}

/** What is shown: the names, the dtypes and the first rows. */
function cellsOf(table: Table) {
  const { columns, texts, units, rows } = table;
  const names = Object.keys(columns);
  const first = names.map((name) => {
    const values = (columns[name] as Tensor).narrow(0, 0, Math.min(rows, shownRows)).toArray() as unknown[];
    return values.map((value) => textOf(value, texts[name], units[name]));
  });
  const shown = first[0]?.length ?? 0;
  return {
    title: `Table of ${rows} ${rows === 1 ? "row" : "rows"} and ${names.length} ${names.length === 1 ? "column" : "columns"}${shown < rows ? `; the first ${shown}` : ""}`,
    head: names,
    dtypes: names.map((name) =>
      texts[name] ? "text" : units[name] ? `date, ${units[name]}` : (columns[name] as Tensor).dtype.name,
    ),
    body: Array.from({ length: shown }, (_, row) => first.map((column) => column[row] ?? "")),
  };
}

function textOf(value: unknown, texts: readonly string[] | undefined, unit: TimeUnit | undefined): string {
  if (texts) return texts[value as number] ?? "";
  if (unit) return dateText(BigInt(value as bigint), unit);
  return typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value);
}

/** A date as ISO 8601 writes it; one that JavaScript's dates cannot hold as its number. */
function dateText(value: bigint, unit: TimeUnit): string {
  const date = new Date(Number((value * nanosecondsOf[unit]) / 1_000_000n));
  if (Number.isNaN(date.getTime())) return String(value);
  return unit === "days" ? date.toISOString().slice(0, 10) : date.toISOString();
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
