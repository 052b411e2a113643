// Complex functions against tables of many digits (scripts/accuracy.py): the distance of the result from the exact
// number, in units in the last place of the exact number's magnitude.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { Complex } from "../../runtime/ops/reference/scalar.js";
import { compiler, dtypes, prepare, run } from "../support/functor-harness.js";

type Width = "complex64" | "complex128";
const { source, ...tables } = JSON.parse(
  readFileSync(new URL("../data/complex.json", import.meta.url), "utf8"),
) as { source: string } & Record<string, Record<Width, string[]>>;

function numberOf(bits: string): number {
  const bytes = Buffer.from(bits, "hex");
  return bytes.length === 4 ? bytes.readFloatBE() : bytes.readDoubleBE();
}

/** The largest error of one table, and where it is. */
function worst(name: string, width: Width, rows: readonly string[]): { error: number; at: string } {
  const cells = rows.map((row) => row.split(" ").map(numberOf));
  const got = run(name, dtypes[width], [cells.map(([re = 0, im = 0]) => ({ re, im }))]) as Complex[];
  const digits = width === "complex64" ? 23 : 52;
  let largest = { error: 0, at: "" };
  for (const [i, [re = 0, im = 0, x = 0, xRest = 0, y = 0, yRest = 0]] of cells.entries()) {
    const g = got[i] ?? { re: Number.NaN, im: Number.NaN };
    const distance = Math.hypot(g.re - x - xRest, g.im - y - yRest);
    const error = distance / 2 ** (Math.floor(Math.log2(Math.hypot(x, y))) - digits);
    if (!(error <= largest.error)) largest = { error, at: `${name}(${re}, ${im}) = (${g.re}, ${g.im})` };
  }
  return largest;
}

describe.skipIf(!compiler)(`complex functions (${source})`, () => {
  beforeAll(prepare, 600_000);

  test.each(Object.keys(tables))("%s", (name) => {
    for (const width of ["complex64", "complex128"] as const) {
      const { error, at } = worst(name, width, tables[name]?.[width] ?? []);
      expect(error, at).toBeLessThan(6);
    }
  });

  test("branch cuts follow the sign of zero", () => {
    const sides = [
      { re: -4, im: 0 },
      { re: -4, im: -0 },
    ];
    expect(run("sqrt", dtypes.complex128, [sides])).toEqual([
      { re: 0, im: 2 },
      { re: 0, im: -2 },
    ]);
    const logs = run("log", dtypes.complex128, [sides]) as Complex[];
    expect(logs.map((z) => z.im)).toEqual([Math.PI, -Math.PI]);
    const arcs = run("asin", dtypes.complex128, [
      [
        { re: 2, im: 0 },
        { re: 2, im: -0 },
      ],
    ]) as Complex[];
    expect(arcs.map((z) => Math.sign(z.im))).toEqual([1, -1]);
  });
});
