// Errors in units of the last place, point by point, against tables computed with many digits (scripts/accuracy.py). A
// point may not exceed its record's stated bound, nor the error recorded for it by more than one unit, which leaves room
// for another C library's exp and log. UPDATE_ACCURACY=1 records the errors anew.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { Scalar } from "../runtime/ops/op.js";
import { compiler, dtypes, ops, prepare, run } from "./support/functor-harness.js";

type Width = "float32" | "float64";
interface Table {
  readonly op: string;
  /** The least magnitude whose unit in the last place counts. */
  readonly floor: number;
  readonly source: string;
  float32: string[];
  float64: string[];
}

const folder = new URL("./data/accuracy/", import.meta.url);
const update = process.env.UPDATE_ACCURACY !== undefined;

function numberOf(bits: string): number {
  const bytes = Buffer.from(bits, "hex");
  return bytes.length === 4 ? bytes.readFloatBE() : bytes.readDoubleBE();
}

/** The distance from one number of a width to the next, at a magnitude. */
function unit(width: Width, magnitude: number): number {
  const [digits, lowest] = width === "float32" ? [23, -126] : [52, -1022];
  return 2 ** (Math.max(Math.floor(Math.log2(magnitude)), lowest) - digits);
}

/** Largest errors of one table by width, and what breaks a bound. */
function measure(table: Table, width: Width): { largest: number; failures: string[]; rows: string[] } {
  const op = ops[table.op];
  if (!op) throw new Error(`no op ${table.op}`);
  const columns = op.arity + (width === "float64" ? 2 : 1);
  const cells = table[width].map((row) => row.split(" "));
  const inputs = Array.from({ length: op.arity }, (_, i) =>
    cells.map((row): Scalar => {
      const x = numberOf(row[i] as string);
      return op.operands?.[i] === "int32" ? BigInt(x) : x;
    }),
  );
  const got = run(table.op, dtypes[width], inputs).map(Number);
  let largest = 0;
  const failures: string[] = [];
  const rows = cells.map((row, i) => {
    const value = numberOf(row[op.arity] as string);
    const rest = width === "float64" ? numberOf(row[op.arity + 1] as string) : 0;
    const scale = unit(width, Math.max(Math.abs(value), table.floor));
    const g = got[i] as number;
    const error = g === value && rest === 0 ? 0 : Math.abs(g - value - rest) / scale;
    const recorded = Number(row[columns] ?? 0);
    largest = Math.max(largest, error);
    const allowed = update ? op.ulp[width] : Math.min(op.ulp[width], recorded + 1.01);
    const args = inputs.map((column) => String(column[i])).join(", ");
    if (!(error <= allowed))
      failures.push(`${table.op}(${args}) is off by ${error.toFixed(2)}, allowed ${allowed.toFixed(2)}`);
    return [...row.slice(0, columns), error.toFixed(2)].join(" ");
  });
  return { largest, failures, rows };
}

const names = readdirSync(folder).filter((file) => file.endsWith(".json"));

/** What the library promises of the functions that others get wrong: the largest error in units in the last place. */
const goals = { digamma: 4, lgamma: 4, trigamma: 8, zeta: 16, polygamma: 16 };

test.each(Object.entries(goals))(
  "%s is within %d units at every point, by its record and as measured",
  (name, goal) => {
    const table = JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) as Table;
    for (const width of ["float32", "float64"] as const) {
      expect(ops[name]?.ulp[width]).toBeLessThanOrEqual(goal);
      const errors = table[width].map((row) => Number(row.split(" ").at(-1)));
      expect(errors.length).toBeGreaterThan(50);
      expect(errors.filter((error) => !(error <= goal))).toEqual([]);
    }
    expect(table.floor).toBe(name === "digamma" || name === "lgamma" ? 0.25 : 0);
  },
);

describe.skipIf(!compiler)("accuracy", () => {
  beforeAll(prepare, 600_000);

  test.each(names)("%s", (file) => {
    const table = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Table;
    const results = (["float32", "float64"] as const).map((width) => [width, measure(table, width)] as const);
    if (update) {
      for (const [width, { rows, largest }] of results) {
        table[width] = rows;
        console.log(`${table.op} ${width} ${largest.toFixed(2)}`);
      }
      writeFileSync(
        new URL(file, folder),
        `${JSON.stringify(table, null, 0).replaceAll('","', '",\n"').replaceAll('["', '[\n"')}\n`,
      );
    }
    expect(results.flatMap(([, { failures }]) => failures)).toEqual([]);
  });

  test("every op that is not exact has a table", () => {
    // Defined by a formula of operations that have tables or are exact.
    const composed = new Set(
      "softsign hardswish hardsigmoid elu celu selu leakyRelu reciprocal deg2rad rad2deg angle lerp addcmul addcdiv ldexp floatPower logaddexp2 polar modifiedBesselI0 modifiedBesselI1".split(
        " ",
      ),
    );
    const covered = new Set(names.map((file) => file.replace(".json", "")));
    // Oscillating polynomials lose relative accuracy at their zeros, as any recurrence does.
    const polynomial = /^(shifted|chebyshev|hermite|laguerre|legendre)/;
    const missing = Object.entries(ops).filter(
      ([name, op]) =>
        op.ulp.float64 > 0 && !covered.has(name) && !composed.has(name) && !polynomial.test(name),
    );
    expect(missing.map(([name]) => name)).toEqual([]);
  });
});
