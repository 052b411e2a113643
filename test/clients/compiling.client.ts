// The line under a cell that waits for compilers, as front ends draw it: it is there, and it goes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import { privateCache } from "../support/private-cache.js";
import { slowCompiler } from "../support/slow-compiler.js";
import { classicNotebook, type FrontEnd, jupyterLab } from "./front-end.js";
import { useNotebook } from "./open-notebook.js";
import { findProgram } from "./support.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-compiling-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { path } = findCompiler();
const slow = slowCompiler(folder, 2);

Object.assign(process.env, { CXX: slow, JITLAB_CACHE_DIR: privateCache(join(folder, "cache")) });

// Two functors that no other notebook has compiled.
const cellsOf = (front: number) => [
  'import * as jl from "jitlab";\nconst x = jl.ones([4]);',
  `const f = jl.functor\`float f(float x) { return x + ${front}; }\`;\nf(x);`,
  `const g = jl.functor\`float g(float x) { return x - ${front}; }\`;\ng(x);\nconsole.log("after");`,
];
const frontEnds = [classicNotebook, jupyterLab];

describe.each(frontEnds)("$name", (frontEnd: FrontEnd) => {
  const program = findProgram(frontEnd.program);
  const missing = !program || !findProgram("chromium") || path === "";
  describe.skipIf(missing)(`${frontEnd.program}, chromium and a C++ compiler`, () => {
    const name = `${frontEnd.name}-compiling`;
    const notebook = useNotebook(frontEnd, program, {
      name,
      cells: cellsOf(frontEnds.indexOf(frontEnd)),
      width: 1280,
    });

    test("shows the line of a cell, and removes it", async () => {
      const text = (index: number) => frontEnd.cells(notebook.page).nth(index).textContent();
      await frontEnd.runAll(notebook.page);
      await expect.poll(() => text(1), { timeout: 60_000 }).toMatch(/Compiling: 0 of 1 kernel done/);
      await notebook.picture("1-line");
      await expect.poll(() => text(2), { timeout: 60_000 }).toMatch(/Compiling: 0 of 1 kernel done/);
      await notebook.picture("2-before-output");
      await expect.poll(() => text(2), { timeout: 60_000 }).toMatch(/after/);
      await frontEnd.waitIdle(notebook.page);
      await notebook.picture("3-gone");
      expect((await text(1)) ?? "").not.toContain("Compiling");
      expect((await text(2)) ?? "").not.toContain("Compiling");
    });
  });
});
