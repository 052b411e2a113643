// Tasks as users of NumPy and PyTorch write them, without casts and loops over elements, against those libraries' results.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import type * as jl from "../../dist/runtime/index.js";
import { useDevice } from "../support/device.js";
import { exchange } from "../tasks/exchange.js";
import { functors } from "../tasks/functors.js";
import { heat, life } from "../tasks/grids.js";
import { images } from "../tasks/images.js";
import { kMeans } from "../tasks/k-means.js";
import { logistic } from "../tasks/logistic.js";
import { mandelbrot } from "../tasks/mandelbrot.js";
import { options } from "../tasks/options.js";
import { statistics } from "../tasks/statistics.js";
import { tables } from "../tasks/tables.js";

interface Golden {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly values: readonly (number | boolean)[];
}

const data = gunzipSync(readFileSync(new URL("../data/tasks.json.gz", import.meta.url))).toString();
const { tasks: golden, npy } = JSON.parse(data) as {
  tasks: Record<string, Record<string, Golden>>;
  npy: string;
};

const tasks: Record<string, () => Readonly<Record<string, jl.Tensor>>> = {
  mandelbrot,
  options,
  heat,
  life,
  k_means: kMeans,
  tables,
  images,
  functors,
  logistic,
  statistics,
};

// Whole numbers are equal; others may differ by what the order of a sum or another library's exp gives.
const tolerance = 1e-9;

beforeAll(useDevice);

describe("tasks beside NumPy's and PyTorch's results", () => {
  test("every task has its results", () => expect(Object.keys(tasks)).toEqual(Object.keys(golden)));

  test.each(Object.keys(tasks))("%s", (name) => {
    const results = tasks[name]!();
    expect(Object.keys(results)).toEqual(Object.keys(golden[name]!));
    for (const [field, wanted] of Object.entries(golden[name]!)) {
      const result = results[field]!;
      expect(result.shape, field).toEqual(wanted.shape);
      expect(result.dtype.name, field).toBe(wanted.dtype);
      const values = Array.from(result.contiguous().data() as ArrayLike<number | bigint>, Number);
      const isWhole = !wanted.dtype.startsWith("float");
      for (const [i, value] of values.entries()) {
        const want = Number(wanted.values[i]);
        const away = Math.abs(value - want);
        if (isWhole) expect(value, `${field} at ${i}`).toBe(want);
        else
          expect(away, `${field} at ${i}: ${value} beside ${want}`).toBeLessThanOrEqual(
            tolerance * Math.max(1, Math.abs(want)),
          );
      }
    }
  });

  test("files that others wrote are read, and ours are theirs byte for byte", () => {
    const theirs = Buffer.from(npy, "base64");
    const { weight, again, equal, text } = exchange(theirs);
    expect(weight.shape).toEqual([3, 4]);
    expect(again.equals(theirs)).toBe(true);
    expect(equal).toEqual([true, true]);
    expect(JSON.parse(text)).toHaveLength(4);
  });
});
