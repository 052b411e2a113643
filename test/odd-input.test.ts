// Input that makes no sense, in a process of its own: it never ends the process, hangs it or changes another tensor, and
// every error is one of ours. Every function of the library and every method of a tensor is fed.
import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("./support/odd-input.mjs", import.meta.url));

interface Report {
  refused: number;
  worked: number;
  fed: number;
  /** Errors that are not the library's, with where they come from. */
  foreign: Record<string, string>;
  corrupted: string[];
}

test.each([1, 2, 3, 4])("odd input of seed %i is refused or works", { timeout: 300_000 }, async (seed) => {
  const cwd = mkdtempSync(join(tmpdir(), "jitlab-odd-"));
  // With three gigabytes of memory, tensors of a milliard elements are refused; no time is lost on filling them.
  const limited = `ulimit -d 3000000; exec "$0" "$@"`;
  const command = [process.execPath, script, String(seed), "1000"];
  const { stdout } = await promisify(execFile)("/bin/sh", ["-c", limited, ...command], { cwd });
  const report = JSON.parse(stdout) as Report;
  expect(report.foreign).toEqual({});
  expect(report.corrupted).toEqual([]);
  expect(report.fed).toBeGreaterThan(80);
  expect(report.refused).toBeGreaterThan(300);
  expect(report.worked).toBeGreaterThan(200);
});
