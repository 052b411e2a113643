// The tables of test/data/accuracy: points of one operation as bits of floats, the exact values there in two parts, and the
// error that a run recorded. scripts/accuracy.py writes them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Op } from "../../runtime/ops/op.js";

export type Width = "float32" | "float64";
export const widths = ["float32", "float64"] as const;

interface Table {
  readonly op: string;
  /** The least magnitude whose unit in the last place counts. */
  readonly floor: number;
  readonly source: string;
  float32: string[];
  float64: string[];
}

/** One line of a table. */
export interface Point {
  readonly args: readonly number[];
  readonly value: number;
  /** What rounding the exact value to a double took away. */
  readonly rest: number;
  /** The error recorded for it; NaN where none is yet. */
  readonly recorded: number;
}

// JITLAB_ACCURACY_TABLES names another folder, which a sweep wrote.
const sweep = process.env.JITLAB_ACCURACY_TABLES;
const folder = sweep ? pathToFileURL(`${sweep}/`) : new URL("../data/accuracy/", import.meta.url);
/** The tables' file names. */
export const tableNames = readdirSync(folder).filter((file) => file.endsWith(".json"));

export function readTable(file: string): Table {
  return JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Table;
}

/** Writes a table, a point a line. */
export function writeTable(file: string, table: Table): void {
  const text = JSON.stringify(table).replaceAll('","', '",\n"').replaceAll('["', '[\n"');
  writeFileSync(new URL(file, folder), `${text}\n`);
}

function numberOf(bits: string): number {
  const bytes = Buffer.from(bits, "hex");
  return bytes.length === 4 ? bytes.readFloatBE() : bytes.readDoubleBE();
}

/** The columns of a table of `op` but that of the recorded errors. */
export const columnsOf = (op: Op, width: Width): number => op.arity + (width === "float64" ? 2 : 1);

export function pointsOf(table: Table, width: Width, op: Op): Point[] {
  return table[width].map((row) => {
    const cells = row.split(" ");
    const numbers = cells.slice(0, columnsOf(op, width)).map(numberOf);
    return {
      args: numbers.slice(0, op.arity),
      value: numbers[op.arity] as number,
      rest: numbers[op.arity + 1] ?? 0,
      recorded: Number(cells[numbers.length] ?? Number.NaN),
    };
  });
}

/** The distance from one number of a width to the next, at a magnitude. */
function unit(width: Width, magnitude: number): number {
  const [digits, lowest] = width === "float32" ? [23, -126] : [52, -1022];
  return 2 ** (Math.max(Math.floor(Math.log2(magnitude)), lowest) - digits);
}

/** How many units a result is from the exact value; infinitely many where it is not even of the right kind. */
export function errorOf(got: number, { args, value, rest }: Point, width: Width, floor: number): number {
  // The sign of a zero has a meaning where an argument is one; elsewhere it is what underflow left.
  const signed = value === 0 && rest === 0 && args.includes(0);
  if (!Number.isFinite(value) || signed) return Object.is(got, value) ? 0 : Number.POSITIVE_INFINITY;
  const error = Math.abs(got - value - rest) / unit(width, Math.max(Math.abs(value), floor));
  return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
}
