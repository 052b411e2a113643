// jl.readCsv: the columns of a table of text as tensors.
import { optionsOf } from "../../base/arguments.js";
import { compression } from "../../base/builtins.js";
import { JitlabError, show } from "../../base/errors.js";
import { tensor } from "../create.js";
import { columnsOf } from "./csv-cells.js";
import { formatOf } from "./file-formats.js";
import { Table } from "./table.js";
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
 * and NaN, NA and null are NaN there. The file may be compressed by gzip.
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
  const columns = [...found].map(([name, { values }]) => [name, tensor(values, place)] as const);
  const texts = [...found].flatMap(([name, column]) =>
    column.kind === "texts" ? [[name, column.texts] as const] : [],
  );
  return new Table(Object.fromEntries(columns), Object.fromEntries(texts));
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
