// Kernels with shared memory under compute-sanitizer: no access outside of memory, and no two threads that touch a word of shared
// memory without waiting for each other.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../dist/runtime/index.js";

const root = join(import.meta.dirname, "..");
// As deep as the file that it is made of, so that both find dist/.
const program = join(root, "build", "test", "sanitized-programs.mjs");
const hasGpu = jl.devices().some(({ kind, available }) => kind === "cuda" && available);
const hasSanitizer = hasGpu && spawnSync("compute-sanitizer", ["--version"]).status === 0;

function run(command: string, args: readonly string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  return { status, said: `${stdout}${stderr}` };
}

function sanitized(tool: string, ...args: string[]): { status: number | null; said: string } {
  const flags = ["--tool", tool, "--error-exitcode", "9", "--report-api-errors", "no"];
  return run("compute-sanitizer", [...flags, process.execPath, program, ...args]);
}

describe.skipIf(!hasSanitizer)("under compute-sanitizer (needs a GPU and the CUDA toolkit)", () => {
  beforeAll(() => {
    const entry = join(root, "test", "support", "sanitized-programs.ts");
    buildSync({
      entryPoints: [entry],
      outfile: program,
      bundle: true,
      format: "esm",
      external: ["../../dist/*"],
    });
    // Compiles the kernels, which takes longer under the sanitizer.
    expect(run(process.execPath, [program])).toMatchObject({ status: 0 });
  }, 120_000);

  test.each(["memcheck", "racecheck"])(
    "%s finds nothing",
    (tool) => {
      const { status, said } = sanitized(tool);
      console.log(said.trim());
      expect(said).toMatch(/\d{3} launches of \d+ kernels/);
      expect(status, said).toBe(0);
    },
    300_000,
  );

  test("memcheck finds a wild access", () => {
    const { status, said } = sanitized("memcheck", "wild");
    expect(said).toContain("Invalid __global__ read");
    expect(status).not.toBe(0);
  }, 120_000);
});
