// jl.readCsv: the columns of a table of text as tensors.
import { optionsOf } from "../../base/arguments.js";
import { compression } from "../../base/builtins.js";
import { JitlabError, show } from "../../base/errors.js";
import { tensor } from "../create.js";
import { type CsvColumn, columnsOf } from "./csv-cells.js";
import { datesOf } from "./csv-dates.js";
import { formatOf } from "./file-formats.js";
import { Table, type TimeUnit } from "./table.js";
import { readBytes } from "./tensor-files.js";

/** Options of readCsv. */
export interface CsvOptions {
  /** The character between cells; default a comma. */
  readonly delimiter?: string;
  /** The device of the tensors; default: the default device. */
  readonly device?: string;
}

/**
 * Reads a CSV file, whose first row names the columns. A column has numbers, as float64, unless a cell is something else; empty cells
 * and NaN, NA and null are NaN there. A column whose cells are all dates or times of ISO 8601 is int64, with a unit. The file may be
 * compressed by gzip.
 *
 * @example jl.readCsv("prices.csv").columns.price.toArray() // [2, 3]
 */
export function readCsv(path: string, options?: CsvOptions): Table {
  const { delimiter = ",", device } = optionsOf("readCsv", options, ["delimiter", "device"]);
  if (typeof delimiter !== "string" || !/^[^"\r\n\d.+-]$/.test(delimiter) || delimiter.charCodeAt(0) > 127) {
    throw new JitlabError(
      "bad-argument",
      `readCsv: the delimiter is ${show(delimiter)}.`,
      'It is one character, such as "," or ";" or "\\t".',
    );
  }
  const bytes = unpacked(path, readBytes("readCsv", path, "csv-damaged"));
  const found = columnsOf(`readCsv: ${path}`, bytes, delimiter.charCodeAt(0));
  const place = device === undefined ? {} : { device };
  const made = [...found].map(([name, column]) => ({ name, ...elementsOf(column) }));
  return new Table(
    Object.fromEntries(made.map(({ name, values }) => [name, tensor(values, place)])),
    Object.fromEntries(made.flatMap(({ name, texts }) => (texts ? [[name, texts]] : []))),
    Object.fromEntries(made.flatMap(({ name, unit }) => (unit ? [[name, unit]] : []))),
  );
}

/** The elements of a column; those of dates count their unit. */
function elementsOf(column: CsvColumn): {
  values: Float64Array | Int32Array | BigInt64Array;
  texts?: readonly string[];
  unit?: TimeUnit;
} {
  if (column.kind === "numbers") return { values: column.values };
  const { values, texts } = column;
  const dates = datesOf(texts);
  if (dates === undefined) return { values, texts };
  return { values: BigInt64Array.from(values, (place) => dates.counts[place] ?? 0n), unit: dates.unit };
}

function unpacked(path: string, file: Buffer): Buffer {
  const format = formatOf(file);
  if (format === undefined) return file;
  if (format.is !== "compressed by gzip")
    throw new JitlabError("csv-damaged", `readCsv: ${path} is ${format.is}.`, format.advice);
  try {
    return compression().gunzipSync(file);
  } catch (error) {
    throw new JitlabError(
      "csv-damaged",
      `readCsv: ${path} is compressed, and cannot be unpacked: ${(error as Error).message}.`,
      "Compress it again with gzip.",
    );
  }
}
