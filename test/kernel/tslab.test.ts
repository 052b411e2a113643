// Our converter against tslab's, whose notebooks must run here unchanged: the same cells give the same values, and the same
// errors.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notebooks } from "../support/cell-corpus.js";
import { CellRunner, packageRoot } from "../support/cell-runner.js";

interface Outcome {
  readonly value: string;
  readonly errors: readonly number[];
}

// Cells that differ, and why.
const differing: Readonly<Record<string, string>> = {
  "({ p, o })": "tslab does not find an earlier variable by its shorthand property",
  "b + n": "tslab does not declare the variable of a loop for later cells",
  short: "that cell before it failed in tslab",
  "text()": "tslab counts the detail of an error as another error",
};

// Below the package, whose types of Node both find.
mkdirSync(join(packageRoot, "build"), { recursive: true });
const folder = mkdtempSync(join(packageRoot, "build", "tslab-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let byTslab: Readonly<Record<string, readonly Outcome[]>>;
beforeAll(() => {
  const program = join(import.meta.dirname, "..", "support", "tslab-process.mjs");
  const input = JSON.stringify(notebooks);
  byTslab = JSON.parse(execFileSync(process.execPath, [program], { cwd: folder, input, encoding: "utf8" }));
}, 120_000);

/** Runs cells as the kernel does. */
async function byJitlab(cells: readonly string[]): Promise<Outcome[]> {
  const runner = new CellRunner(folder);
  const outcomes = [];
  for (const cell of cells) {
    const conversion = runner.convert(cell);
    const errors = conversion.errors.map((one) => one.code);
    const value = errors.length > 0 ? undefined : await runner.execute(conversion);
    outcomes.push({ value: inspect(value ?? undefined), errors });
  }
  return outcomes;
}

describe("cells as in tslab", () => {
  test.each(Object.entries(notebooks))("%s", async (name, cells) => {
    const theirs = byTslab[name] ?? [];
    const ours = await byJitlab(cells);
    const beside = (all: readonly Outcome[]) => cells.map((cell, i) => ({ cell, ...all[i] }));
    const same = ({ cell }: { readonly cell: string }) => !(cell in differing);
    expect(beside(ours).filter(same)).toEqual(beside(theirs).filter(same));
    for (const [i, cell] of cells.entries()) if (cell in differing) expect(ours[i]).not.toEqual(theirs[i]);
  });
});
