// The points of test/data/accuracy through the library itself, on the device of JITLAB_TEST_DEVICE: no error may exceed the
// bound that the operation's record states. JITLAB_ACCURACY_SUMMARY names a file for the largest errors, which
// docs/accuracy.md shows.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device } from "../support/device.js";
import { ops } from "../support/functor-harness.js";
import { type Call, compileCalls } from "./kernels.js";

type Width = "float32" | "float64";
interface Table {
  readonly op: string;
  /** The least magnitude whose unit in the last place counts. */
  readonly floor: number;
  readonly float32: readonly string[];
  readonly float64: readonly string[];
}

const widths = ["float32", "float64"] as const;
const folder = new URL("../data/accuracy/", import.meta.url);
const tables = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Table);
const summary: Record<string, { points: number } & Partial<Record<Width, number>>> = {};

function numberOf(bits: string): number {
  const bytes = Buffer.from(bits, "hex");
  return bytes.length === 4 ? bytes.readFloatBE() : bytes.readDoubleBE();
}

/** The distance from one number of a width to the next, at a magnitude. */
function unit(width: Width, magnitude: number): number {
  const [digits, lowest] = width === "float32" ? [23, -126] : [52, -1022];
  return 2 ** (Math.max(Math.floor(Math.log2(magnitude)), lowest) - digits);
}

/** How far a result is from the exact value and its rest; infinite where it is not even of the right kind. */
function errorOf(got: number, value: number, rest: number, scale: number, signed: boolean): number {
  if (!Number.isFinite(value) || (signed && value === 0 && rest === 0))
    return Object.is(got, value) ? 0 : Number.POSITIVE_INFINITY;
  const error = Math.abs(got - value - rest) / scale;
  return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
}

/** The call of a table's points, and their exact values in two parts. */
function pointsOf(table: Table, width: Width): Call & { exact: [number, number][] } {
  const { op: name, [width]: rows } = table;
  const op = ops[name];
  if (!op) throw new Error(`no op ${name}`);
  const cells = rows.map((row) =>
    row.split(" ").map((cell) => (cell.includes(".") ? Number.NaN : numberOf(cell))),
  );
  const operands = Array.from({ length: op.arity }, (_, i) => {
    const dtype = op.operands?.[i] === "int32" ? "int32" : width;
    return jl.tensor(
      cells.map((row) => row[i] as number),
      { dtype, device },
    );
  });
  const exact = cells.map((row): [number, number] => [
    row[op.arity] as number,
    width === "float64" ? (row[op.arity + 1] as number) : 0,
  ]);
  return { name, operands, out: jl.empty([rows.length], { dtype: width, device }), exact };
}

beforeAll(() => {
  jl.setDevice(device);
  compileCalls(tables.flatMap((table) => widths.map((width) => pointsOf(table, width))));
});

afterAll(() => {
  const path = process.env.JITLAB_ACCURACY_SUMMARY;
  if (path === undefined) return;
  const found = jl.devices().find((one) => one.name.startsWith(device));
  const what =
    "largest error in units in the last place over the points of test/data/accuracy, against mpmath";
  const machine = `${found?.description}`;
  writeFileSync(path, `${JSON.stringify({ what, device, machine, ops: summary }, null, 1)}\n`);
});

test.each(tables.map((table) => [table.op, table] as const))(`%s on ${device}`, (name, table) => {
  const failures: string[] = [];
  const row: (typeof summary)[string] = { points: table.float32.length };
  summary[name] = row;
  for (const width of widths) {
    const { operands, out, exact } = pointsOf(table, width);
    (jl as unknown as Record<string, (...args: unknown[]) => jl.Tensor>)[name]?.(...operands, { out });
    const got = out.toArray() as number[];
    const columns = operands.map((operand) => operand.toArray() as number[]);
    const errors = exact.map(([value, rest], i) => {
      const signed = columns.some((column) => column[i] === 0);
      const scale = unit(width, Math.max(Math.abs(value), table.floor));
      return errorOf(got[i] as number, value, rest, scale, signed);
    });
    const stated = ops[name]?.ulp[width] ?? 0;
    for (const [i, error] of errors.entries()) {
      if (error <= stated) continue;
      const args = columns.map((column) => column[i]).join(", ");
      failures.push(`${name}(${args}) in ${width} is off by ${error.toFixed(2)}, stated ${stated}`);
    }
    row[width] = Math.round(Math.max(...errors) * 100) / 100;
  }
  expect(failures).toEqual([]);
});
