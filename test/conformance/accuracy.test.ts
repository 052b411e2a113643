// The points of test/data/accuracy through the library itself, on the device of JITLAB_TEST_DEVICE: no error may exceed the
// bound that the operation's record states. JITLAB_ACCURACY_SUMMARY names a file for the largest errors, which
// docs/accuracy.md shows.
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import {
  errorOf,
  type Point,
  pointsOf,
  readTable,
  tableNames,
  type Width,
  widths,
} from "../support/accuracy-table.js";
import { device } from "../support/device.js";
import { ops } from "../support/functor-harness.js";
import { type Call, compileCalls } from "./kernels.js";

const tables = tableNames.map(readTable);
const summary: Record<string, { points: number } & Partial<Record<Width, number>>> = {};

/** The call of a table's points, and the points. */
function callOf(table: (typeof tables)[number], width: Width): Call & { points: Point[] } {
  const op = ops[table.op];
  if (!op) throw new Error(`no op ${table.op}`);
  const points = pointsOf(table, width, op);
  const operands = Array.from({ length: op.arity }, (_, i) => {
    const dtype = op.operands?.[i] === "int32" ? "int32" : width;
    return jl.tensor(
      points.map(({ args }) => args[i] ?? 0),
      { dtype, device },
    );
  });
  return { name: table.op, operands, out: jl.empty([points.length], { dtype: width, device }), points };
}

beforeAll(() => {
  jl.setDevice(device);
  compileCalls(tables.flatMap((table) => widths.map((width) => callOf(table, width))));
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
  const row: (typeof summary)[string] = { points: table.float32.length + table.float64.length };
  summary[name] = row;
  for (const width of widths) {
    const { operands, out, points } = callOf(table, width);
    (jl as unknown as Record<string, (...args: unknown[]) => jl.Tensor>)[name]?.(...operands, { out });
    const got = out.toArray() as number[];
    const errors = points.map((point, i) => errorOf(got[i] ?? Number.NaN, point, width, table.floor));
    const stated = ops[name]?.ulp[width] ?? 0;
    for (const [i, { args }] of points.entries()) {
      const error = errors[i] ?? Number.NaN;
      if (!(error <= stated))
        failures.push(
          `${name}(${args.join(", ")}) in ${width} is off by ${error.toFixed(2)}, stated ${stated}`,
        );
    }
    row[width] = Math.round(Math.max(...errors) * 100) / 100;
  }
  expect(failures).toEqual([]);
});
