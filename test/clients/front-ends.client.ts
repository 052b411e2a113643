import { describe, expect, test } from "vitest";
import { classicNotebook, type FrontEnd, jupyterLab } from "./front-end.js";
import { useNotebook } from "./open-notebook.js";
import { findProgram } from "./support.js";

const cells = [
  'const fruit = ["apple", "pear"];\nfruit.length + 40',
  "%%kernel twice\ntemplate <typename T>\nT twice(T x) {\n  return x + x;\n}",
  'import * as jl from "jitlab";\ntwice(jl.tensor([1, 2, 3])).data().join(" ")',
  "%%timings\njl.tensor([1, 2, 3]).add(1)",
];

// What people type by habit, and what they read then.
const mistakes: readonly (readonly [string, string])[] = [
  ["import numpy as np", 'Tensors are there after import * as jl from "jitlab".'],
  ['import jl from "jitlab";\nconst x = jl.arange(5);\nx[0:3]', 'A tensor is cut with x.slice("1:3, ::2")'],
  ["%pip install numpy", "%npm install NAME installs a Node package"],
  ["%timeit", "%timeit needs an expression"],
  ["process.exit()", "The notebook continues; restart the kernel to end it."],
];

describe.each([classicNotebook, jupyterLab])("$name", (frontEnd: FrontEnd) => {
  const program = findProgram(frontEnd.program);
  describe.skipIf(!program || !findProgram("chromium"))(`${frontEnd.program} and chromium`, () => {
    const notebook = useNotebook(frontEnd, program, { name: frontEnd.name, cells, width: 1280 });
    const { picture } = notebook;
    const lastCell = () => frontEnd.cells(notebook.page).last();
    const runLast = () => notebook.page.keyboard.press("Shift+Enter");

    test("opens a notebook and runs all its cells", async () => {
      await picture("1-open");
      await frontEnd.runAll(notebook.page);
      await expect
        .poll(() => frontEnd.cells(notebook.page).nth(0).textContent(), { timeout: 60_000 })
        .toContain("42");
      await expect
        .poll(() => frontEnd.cells(notebook.page).nth(2).textContent(), { timeout: 60_000 })
        .toContain("2 4 6");
    });

    test("shows a plot", async () => {
      // The picture is there first, until the library has come.
      const plot = frontEnd.cells(notebook.page).nth(3).locator(".js-plotly-plot:visible").first();
      await plot.waitFor();
      await plot.scrollIntoViewIfNeeded();
      expect((await plot.boundingBox())?.height).toBeGreaterThan(100);
      await frontEnd.waitIdle(notebook.page);
      await picture("2-plot");
    });

    test("colors the lines of magics, and the bodies of %%kernel, %%cuda and %%reduction cells as C++", async () => {
      const { cells } = frontEnd;
      const keywords = (index: number) => frontEnd.colored(cells(notebook.page).nth(index), "keyword");
      const magics = async (index: number) =>
        (await frontEnd.colored(cells(notebook.page).nth(index), "meta")).join("");
      await expect.poll(() => magics(1)).toBe("%%kernel twice");
      await expect.poll(() => magics(3)).toBe("%%timings");
      await expect.poll(() => keywords(1)).toEqual(["template", "typename", "return"]);
      await expect.poll(() => keywords(0)).toEqual(["const"]);
      for (const magic of ["%%cuda plain", "%%reduction count --returns float32"]) {
        await frontEnd.append(notebook.page, `${magic}\nstruct Plain { unsigned value; };`);
        await expect.poll(() => keywords(-1)).toEqual(["struct"]);
      }
      await frontEnd.append(notebook.page, '%sass gcd "int64"\nconst rest = 7\n % 4;\n%%time');
      await picture("2-colors");
      await expect.poll(() => magics(-1)).toBe('%sass gcd "int64"%%time');
    });

    test("completes with Tab", async () => {
      await frontEnd.append(notebook.page, "fruit.");
      await notebook.page.keyboard.press("Tab");
      const list = frontEnd.completions(notebook.page);
      await list.first().waitFor();
      const names = await list.allInnerTexts();
      expect(names.some((name) => name.includes("concat"))).toBe(true);
      await picture("3-completion");
      await notebook.page.keyboard.press("Escape");
    });

    test("shows types with Shift-Tab", async () => {
      await frontEnd.append(notebook.page, "fruit");
      await notebook.page.keyboard.press("Shift+Tab");
      const tooltip = frontEnd.tooltip(notebook.page);
      await tooltip.waitFor();
      await expect.poll(() => tooltip.textContent()).toContain("string[]");
      await picture("4-hover");
      await notebook.page.keyboard.press("Escape");
    });

    test("asks for a line of text", async () => {
      await frontEnd.append(notebook.page, 'const name = prompt("Your name? ");\n"Hello, " + name');
      const asking = (await frontEnd.cells(notebook.page).count()) - 1;
      await runLast();
      const field = frontEnd.input(notebook.page);
      await field.waitFor();
      await field.fill("Ada");
      await picture("5-prompt");
      await field.press("Enter");
      await expect
        .poll(() => frontEnd.cells(notebook.page).nth(asking).textContent())
        .toContain("Hello, Ada");
      await frontEnd.waitIdle(notebook.page);
    });

    test("stops an endless loop and keeps the state", async () => {
      await frontEnd.append(notebook.page, "for (;;) {}");
      const loop = (await frontEnd.cells(notebook.page).count()) - 1;
      await runLast();
      await frontEnd.waitBusy(notebook.page);
      await picture("6-busy");
      await frontEnd.interrupt(notebook.page);
      await frontEnd.waitIdle(notebook.page);
      await expect.poll(() => frontEnd.cells(notebook.page).nth(loop).textContent()).toMatch(/Interrupt/i);
      await frontEnd.append(notebook.page, "fruit.length + 100");
      const next = (await frontEnd.cells(notebook.page).count()) - 1;
      await runLast();
      await expect
        .poll(() => frontEnd.cells(notebook.page).nth(next).textContent(), { timeout: 20_000 })
        .toContain("102");
      await picture("7-interrupted");
    });

    test("restarts with an empty state", async () => {
      await frontEnd.restart(notebook.page);
      await frontEnd.append(notebook.page, "fruit");
      const index = (await frontEnd.cells(notebook.page).count()) - 1;
      await runLast();
      await expect
        .poll(() => frontEnd.cells(notebook.page).nth(index).textContent(), { timeout: 30_000 })
        .toContain("Cannot find name 'fruit'");
      expect(await lastCell().isVisible()).toBe(true);
      await picture("8-restarted");
    });

    test("says what a mistake should have been", async () => {
      for (const [cell, advice] of mistakes) {
        await frontEnd.append(notebook.page, cell);
        const index = (await frontEnd.cells(notebook.page).count()) - 1;
        await runLast();
        await expect
          .poll(() => frontEnd.cells(notebook.page).nth(index).textContent(), { timeout: 30_000 })
          .toContain(advice);
      }
      await frontEnd.waitIdle(notebook.page);
      await picture("9-mistakes");
    });
  });
});
