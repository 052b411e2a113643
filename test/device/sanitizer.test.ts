// Kernels with shared memory under compute-sanitizer: no access outside of memory, and no two threads that touch a word of shared
// memory without waiting for each other.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { loadTypeScript } from "../../dist/kernel/language/typescript.js";
import * as jl from "../../dist/runtime/index.js";

const root = join(import.meta.dirname, "..", "..");
// As deep as the files that they are made of, so that both find dist/.
const built = join(root, "build", "test");
const program = join(built, "sanitized-programs.js");
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
    const ts = loadTypeScript();
    const { ESNext } = ts.ModuleKind;
    mkdirSync(built, { recursive: true });
    for (const name of ["sanitized-programs", "custom-reductions", "raw-kernels", "row-programs"]) {
      const text = readFileSync(join(root, "test", "support", `${name}.ts`), "utf8");
      const compilerOptions = { module: ESNext, target: ts.ScriptTarget.ES2022 };
      writeFileSync(join(built, `${name}.js`), ts.transpileModule(text, { compilerOptions }).outputText);
    }
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
