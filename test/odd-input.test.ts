// Input that makes no sense, in a process of its own: it never ends the process and never changes another tensor.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("./support/odd-input.mjs", import.meta.url));

interface Report {
  refused: number;
  worked: number;
  corrupted: string[];
}

test.each([1, 2, 3])("odd input of seed %i is refused or works", { timeout: 300_000 }, async (seed) => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(seed)]);
  const report = JSON.parse(stdout) as Report;
  expect(report.corrupted).toEqual([]);
  expect(report.refused).toBeGreaterThan(100);
  expect(report.worked).toBeGreaterThan(100);
});
