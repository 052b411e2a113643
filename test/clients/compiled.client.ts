// The magics of compiled functions as people see them: in JupyterLab, and on an exported page. The pictures in
// build/screenshots are to be looked at.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { jupyterLab } from "./front-end.js";
import { useNotebook } from "./open-notebook.js";
import { createWorkplace, findProgram, launchBrowser, longScreenshot, root, writeCells } from "./support.js";

const cells = [
  [
    'import * as jl from "jitlab";',
    "const x = jl.rand([64, 300]);",
    "const softmax = jl.compile((a: jl.Tensor) => {",
    "  const e = a.sub(a.max(-1, { keepdim: true })).exp();",
    "  return e.div(e.sum(-1, { keepdim: true }));",
    "});",
    "const step = jl.compile((a: jl.Tensor) => (a.sum().item() > 0 ? a.sin() : a.cos()).mul(2));",
    "softmax(x);",
    "step(x).at(0, 0).item() > -2",
  ].join("\n"),
  "%program softmax(x)",
  "%guards step",
  "%%compare --backends eager,steps,fused\nconst y = x.sin().mul(2).add(x)",
  "%%compile\nconst difference = x.sub(x.mean());\nconst variance = difference.square().mean();",
];

/** What each magic shows, in any front end. */
const shown: readonly (readonly [name: string, cell: number, words: readonly RegExp[]])[] = [
  ["program", 1, [/5 operations in 1 kernel/, /rows_max_sub_exp_sum/]],
  ["guards", 2, [/step: 1 call, 1 program/, /sum/]],
  ["compare", 3, [/eager/, /steps/, /fused/]],
  ["compile", 4, [/4 operations in \d kernels?/]],
];

const lab = findProgram(jupyterLab.program);
describe.skipIf(!lab || !findProgram("chromium"))("compiled functions in JupyterLab", () => {
  const notebook = useNotebook(jupyterLab, lab, { name: "compiled", cells, width: 1280, height: 1400 });

  test("show their programs, guards, comparisons and cells", async () => {
    const { page, picture } = notebook;
    await jupyterLab.runAll(page);
    for (const [name, index, words] of shown) {
      const cell = jupyterLab.cells(page).nth(index);
      for (const word of words)
        await expect.poll(() => cell.textContent(), { timeout: 60_000 }).toMatch(word);
      await cell.scrollIntoViewIfNeeded();
      await picture(name);
    }
    await jupyterLab.waitIdle(page);
  });
});

describe.skipIf(!findProgram("chromium"))("compiled functions on an exported page", () => {
  test("show the same", async () => {
    const place = createWorkplace();
    const browser = await launchBrowser();
    try {
      const [file, html] = ["compiled.ipynb", "compiled.html"].map((name) => join(place.folder, name)) as [
        string,
        string,
      ];
      writeCells(file, cells);
      const main = join(root, "dist/kernel/main.js");
      const run = [main, "run", file, "--html", html, "--device", "cpu"];
      execFileSync(process.execPath, run, { env: place.env, stdio: "pipe" });
      for (const width of [1280, 420]) {
        const page = await browser.newPage({ viewport: { width, height: 900 } });
        await page.goto(`file://${html}`);
        const text = await page.locator("body").textContent();
        for (const word of shown.flatMap(([, , words]) => words)) expect(text).toMatch(word);
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(
          0,
        );
        await longScreenshot(page, `compiled-export-${width}`);
        await page.close();
      }
    } finally {
      await browser.close();
      place.remove();
    }
  });
});
