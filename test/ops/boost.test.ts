// The points that Boost publishes for its tests of special functions, where Python has SciPy, which ships them.
// JITLAB_ACCURACY_SUMMARY names a file that receives the errors.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useDevice } from "../support/device.js";

interface Table {
  readonly args: readonly number[][];
  readonly want: readonly number[];
}

const script = new URL("../../scripts/boost_points.py", import.meta.url).pathname;
const { status, stdout } = spawnSync("python3", [script], { encoding: "utf8", maxBuffer: 2 ** 26 });
const tables: Readonly<Record<string, Table>> = status === 0 ? JSON.parse(stdout) : {};

/** The largest relative error that is allowed, in units of 2^-52. */
const allowed = 20;

describe.skipIf(status !== 0)("at Boost's points (needs Python with SciPy)", () => {
  beforeAll(useDevice);

  const found: Record<string, number> = {};

  test.each(Object.entries(tables))("%s", (op, { args, want }) => {
    const f = jl[op as "gammainc"] as (...args: jl.Tensor[]) => jl.Tensor;
    const got = f(...args.map((one) => jl.tensor(one, { dtype: "float64" }))).toArray() as number[];
    const errors = want.map((one, i) =>
      got[i] === one ? 0 : Math.abs((got[i] as number) - one) / Math.abs(one),
    );
    found[op] = Math.max(...errors) * 2 ** 52;
    expect(found[op]).toBeLessThan(allowed);
  });

  test("all are recorded", () => {
    expect(Object.keys(found)).toHaveLength(22);
    const file = process.env.JITLAB_ACCURACY_SUMMARY;
    if (file) writeFileSync(file, `${JSON.stringify(found, null, 1)}\n`);
  });
});
