// Each block of code in the pages that people read from top to bottom is a cell that runs in a new notebook, as it is pasted.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { CellRunner, packageRoot } from "../support/cell-runner.js";
import { codeBlocks } from "../support/page-blocks.js";

// Below the package, which finds itself by its name from there.
mkdirSync(join(packageRoot, "build"), { recursive: true });
const folder = mkdtempSync(join(packageRoot, "build", "pasted-"));
const start = process.cwd();
afterAll(() => {
  process.chdir(start);
  rmSync(folder, { recursive: true, force: true });
});

// What the generated pages show are expressions, which other tests run.
const generated = ["library.md", "operations.md", "tensors.md", "magics.md"];
const pages = readdirSync(join(packageRoot, "docs")).filter(
  (file) => file.endsWith(".md") && !generated.includes(file),
);

// README's are one notebook (readme.test.ts).
const blocks = pages.flatMap((page) => {
  const text = readFileSync(join(packageRoot, "docs", page), "utf8");
  // A block without a language is a cell where a magic begins it, and else an output.
  const magics = codeBlocks(text, "").filter((code) => code.startsWith("%%"));
  const found = [...codeBlocks(text, "ts"), ...magics];
  return found.map((code, i) => ({ name: `${page}, block ${i + 1}`, code }));
});

beforeAll(() => {
  jl.setDevice("cpu");
  // The files of cells are beside their notebook.
  process.chdir(folder);
  vi.spyOn(console, "log").mockImplementation(() => {});
});

test("there are blocks", () => expect(blocks.length).toBeGreaterThan(35));

test.each(blocks)("$name", async ({ code }) => {
  const runner = new CellRunner(folder);
  runner.exports.display = () => {};
  if (/^%|rawKernel\(|jitlab\/widgets/.test(code)) {
    // Such a cell needs the kernel's process, or a GPU.
    expect(runner.convert(code).errors).toEqual([]);
  } else await runner.run(code);
});
