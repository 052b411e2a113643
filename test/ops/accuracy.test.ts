// Errors in units of the last place, point by point, against tables computed with many digits (scripts/accuracy.py). A
// point may not exceed its record's stated bound, nor the error recorded for it: at all where the C library and the registers
// are those of the record, and elsewhere by more than one unit, for exp and log are others there; a function that has another form for
// the record's registers has its stated bound alone. UPDATE_ACCURACY=1 records the errors anew.
import { beforeAll, describe, expect, test } from "vitest";
import { processorFact } from "../../dist/runtime/device/processor.js";
import type { Op, Scalar } from "../../runtime/ops/op.js";
import {
  columnsOf,
  errorOf,
  pointsOf,
  readTable,
  tableNames,
  type Width,
  widths,
  writeTable,
} from "../support/accuracy-table.js";
import { compiler, dtypes, ops, prepare, run } from "../support/functor-harness.js";

const update = process.env.UPDATE_ACCURACY !== undefined;
/** What the recorded errors stand on, since functors have other forms for registers with tables. */
const recordedOn = "x64, glibc 2.36, tables in registers";
const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
const hasTables = /\bavx512dq\b/.test(processorFact("flags") ?? "");
const here = `${process.arch}, glibc ${header.glibcVersionRuntime}${hasTables ? ", tables in registers" : ""}`;
const room = here === recordedOn ? 0.01 : 1.01;

const opOf = (name: string): Op => {
  const op = ops[name];
  if (!op) throw new Error(`no op ${name}`);
  return op;
};

/** What the library promises of the functions that others get wrong: the largest error in units in the last place. */
const goals = { digamma: 4, lgamma: 4, trigamma: 8, zeta: 16, polygamma: 16 };

test.each(Object.entries(goals))(
  "%s is within %d units at every point, by its record and as measured",
  (name, goal) => {
    const table = readTable(`${name}.json`);
    for (const width of widths) {
      expect(opOf(name).ulp[width]).toBeLessThanOrEqual(goal);
      const errors = pointsOf(table, width, opOf(name)).map(({ recorded }) => recorded);
      expect(errors.length).toBeGreaterThan(50);
      expect(errors.filter((error) => !(error <= goal))).toEqual([]);
    }
    expect(table.floor).toBe(name === "digamma" || name === "lgamma" ? 0.25 : 0);
  },
);

/** The errors of a table's points as measured now, and what breaks a bound. */
function measure(table: ReturnType<typeof readTable>, width: Width) {
  const op = opOf(table.op);
  const points = pointsOf(table, width, op);
  const inputs = Array.from({ length: op.arity }, (_, i) =>
    points.map(({ args }): Scalar => (op.operands?.[i] === "int32" ? BigInt(args[i] ?? 0) : (args[i] ?? 0))),
  );
  const got = run(table.op, dtypes[width], inputs).map(Number);
  const errors = points.map((point, i) => errorOf(got[i] ?? Number.NaN, point, width, table.floor));
  const isRecorded = !update && (hasTables || op.registers?.[width] === undefined);
  const failures = points.flatMap(({ args, recorded }, i) => {
    const error = errors[i] ?? Number.NaN;
    const allowed = isRecorded ? Math.min(op.ulp[width], recorded + room) : op.ulp[width];
    if (error <= allowed) return [];
    return [
      `${table.op}(${args.join(", ")}) in ${width} is off by ${error.toFixed(2)}, allowed ${allowed.toFixed(2)}`,
    ];
  });
  return { errors, failures };
}

describe.skipIf(!compiler)("accuracy (needs a C++ compiler)", () => {
  beforeAll(prepare, 600_000);

  test.each(tableNames)("%s", (file) => {
    const table = readTable(file);
    const failures = widths.flatMap((width) => {
      const { errors, failures } = measure(table, width);
      if (update) {
        const columns = columnsOf(opOf(table.op), width);
        table[width] = table[width].map((row, i) =>
          [...row.split(" ").slice(0, columns), errors[i]?.toFixed(2)].join(" "),
        );
      }
      return failures;
    });
    if (update) writeTable(file, table);
    expect(failures).toEqual([]);
  });

  test.each(tableNames)("%s has the points where functions go wrong", (file) => {
    const table = readTable(file);
    const op = opOf(table.op);
    if (op.arity !== 1) return;
    for (const width of widths) {
      const points = pointsOf(table, width, op).map(({ args }) => args[0] ?? 0);
      const smallest = width === "float32" ? 2 ** -149 : 2 ** -1074;
      for (const x of [0, -0, smallest, -smallest, 1, -1, 3, 1e3, Number.POSITIVE_INFINITY, Number.NaN])
        expect(
          points.some((point) => Object.is(point, x)),
          `${table.op}(${x})`,
        ).toBe(true);
      expect(points.some((x) => x > 1e30 && Number.isFinite(x))).toBe(true);
    }
  });

  test("every op that is not exact has a table", () => {
    // Defined by a formula of operations that have tables or are exact.
    const composed = new Set(
      "softsign hardswish hardsigmoid elu celu selu leakyRelu reciprocal deg2rad rad2deg angle lerp addcmul addcdiv ldexp floatPower logaddexp2 polar modifiedBesselI0 modifiedBesselI1".split(
        " ",
      ),
    );
    const covered = new Set(tableNames.map((file) => file.replace(".json", "")));
    // Oscillating polynomials lose relative accuracy at their zeros, as any recurrence does.
    const polynomial = /^(shifted|chebyshev|hermite|laguerre|legendre)/;
    const missing = Object.entries(ops).filter(
      ([name, op]) =>
        op.ulp.float64 > 0 && !covered.has(name) && !composed.has(name) && !polynomial.test(name),
    );
    expect(missing.map(([name]) => name)).toEqual([]);
  });
});
