// JupyterLab's own debugger in Chromium: the bug button, a breakpoint in the gutter, the stack, the variables, the buttons.
import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { jupyterLab } from "./front-end.js";
import { useNotebook } from "./open-notebook.js";
import { findProgram } from "./support.js";

const cells = [
  'import * as jl from "jitlab";\nconst grid = jl.tensor([[1, 2], [3, 4]]);\nfunction grow(x: jl.Tensor, by: number) {\n  const sum = x.add(by);\n  return sum;\n}',
  "let total = 0;\nfor (let i = 1; i < 4; i++) {\n  const grown = grow(grid, i);\n  total += grown.sum().item() as number;\n}\ntotal",
  "for (;;) total += 1;",
  'throw new RangeError("on purpose");',
];

const program = findProgram(jupyterLab.program);
describe.skipIf(!program || !findProgram("chromium"))("jupyter-lab and chromium", () => {
  const notebook = useNotebook(jupyterLab, program, { name: "debugger", cells, width: 1400 });
  const { picture } = notebook;
  const cell = (index: number) => jupyterLab.cells(notebook.page).nth(index);
  const panel = (name: string) => notebook.page.locator(`.jp-Debugger${name}`);
  const button = (name: string) =>
    notebook.page.locator(`.jp-SidePanel [data-command="debugger:${name}"]:not([disabled])`).first();
  const highlighted = () =>
    notebook.page.locator(".jp-NotebookPanel .jp-DebuggerEditor-highlight").allTextContents();

  async function run(index: number): Promise<void> {
    await cell(index).locator(".cm-content").click();
    await notebook.page.keyboard.press("Control+Enter");
  }

  /**
   * Clicks until something is there for a second: JupyterLab, which tells the kernel its breakpoints again after each step,
   * does not take every click, and takes some back.
   */
  async function clickUntil(target: Locator, taken: Locator): Promise<void> {
    await expect
      .poll(
        async () => {
          if (await taken.count()) return true;
          await target.click();
          await notebook.page.waitForTimeout(1000);
          return (await taken.count()) > 0;
        },
        { timeout: 30_000, interval: 1000 },
      )
      .toBe(true);
  }

  test("the bug button starts the debugger, and the panel lists tensors while nothing is stopped", async () => {
    // The button works once the kernel has said that it has a debugger.
    await clickUntil(
      notebook.page.locator('.jp-DebuggerBugButton[aria-disabled="false"]'),
      notebook.page.locator('.jp-DebuggerBugButton[aria-pressed="true"]'),
    );
    await run(0);
    await expect
      .poll(() => panel("Variables").first().textContent(), { timeout: 30_000 })
      .toContain("Tensor float32 [2, 2] on cpu: 1, 2, ...");
    await picture("1-variables");
  });

  test("a click in the gutter stops the loop there, with the stack and the variables", async () => {
    await cell(1).locator(".cm-gutterElement").nth(3).hover();
    await cell(1)
      .locator(".cm-breakpoint-gutter .cm-gutterElement, .cm-lineNumbers .cm-gutterElement")
      .nth(3)
      .click();
    await run(1);
    await expect.poll(highlighted, { timeout: 30_000 }).toEqual(["  const grown = grow(grid, i);"]);
    await expect.poll(() => panel("Callstack").first().textContent()).toContain("In[");
    await picture("2-stopped");
  });

  test("steps go into a function of another cell, whose tensors are shown", async () => {
    await button("stepIn").click();
    await expect.poll(highlighted).toEqual(["  const sum = x.add(by);"]);
    await button("next").click();
    await expect.poll(highlighted).toEqual(["  return sum;"]);
    await notebook.page.locator('select[aria-label="Scope"]').selectOption("Locals");
    await expect
      .poll(() => panel("Variables").first().textContent())
      .toContain("Tensor float32 [2, 2] on cpu: 2, 3, ...");
    await picture("3-step");
  });

  test("code is evaluated in the stop, and may change a variable", async () => {
    await button("evaluate").click();
    const prompt = notebook.page.locator(".jp-CodeConsole-promptCell .cm-content");
    await prompt.click();
    await notebook.page.keyboard.insertText("total = 100");
    await notebook.page.keyboard.press("Shift+Enter");
    await expect
      .poll(() => notebook.page.locator(".jp-CodeConsole-content").textContent(), { timeout: 30_000 })
      .toContain("100");
    await picture("3-evaluate");
  });

  test("without the breakpoint the cell goes on to its end", async () => {
    await clickUntil(
      cell(1).locator(".cm-breakpoint-gutter .cm-gutterElement").nth(3),
      notebook.page.locator(".jp-DebuggerBreakpoints:not(:has(.jp-DebuggerBreakpoint))"),
    );
    await button("continue").click();
    await expect.poll(() => cell(1).textContent(), { timeout: 30_000 }).toContain("154");
    await picture("4-end");
  });

  test("an interrupt ends a stopped cell", async () => {
    await run(2);
    await jupyterLab.waitBusy(notebook.page);
    await button("continue").click();
    await expect.poll(highlighted, { timeout: 30_000 }).toEqual(["for (;;) total += 1;"]);
    await jupyterLab.interrupt(notebook.page);
    await expect.poll(() => cell(2).textContent(), { timeout: 30_000 }).toContain("Interrupted");
    await jupyterLab.waitIdle(notebook.page);
    await picture("5-interrupted");
  });

  test("stops where something is thrown, when asked to", async () => {
    await notebook.page.locator(".jp-debugger-pauseOnExceptions button").click();
    await notebook.page.locator(".lm-Menu-item", { hasText: "all" }).click();
    await run(3);
    await expect.poll(highlighted, { timeout: 30_000 }).toEqual(['throw new RangeError("on purpose");']);
    await picture("6-exception");
    await button("continue").click();
    await expect.poll(() => cell(3).textContent(), { timeout: 30_000 }).toContain("RangeError: on purpose");
    await jupyterLab.waitIdle(notebook.page);
  });

  test("restarts while a cell is stopped", async () => {
    await run(3);
    await expect.poll(highlighted, { timeout: 30_000 }).toHaveLength(1);
    await jupyterLab.restart(notebook.page);
    await expect.poll(highlighted, { timeout: 30_000 }).toEqual([]);
    await run(0);
    await expect
      .poll(() => panel("Variables").first().textContent(), { timeout: 60_000 })
      .toContain("Tensor float32 [2, 2] on cpu: 1, 2, ...");
    await picture("7-restarted");
  });
});
