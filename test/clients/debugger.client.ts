// JupyterLab's own debugger in Chromium: the bug button, a breakpoint in the gutter, the stack, the variables, the buttons.
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { jupyterLab } from "./front-end.js";
import {
  createWorkplace,
  findProgram,
  launchBrowser,
  type Server,
  screenshot,
  type Workplace,
  writeCells,
} from "./support.js";

const cells = [
  'import * as jl from "jitlab";\nconst grid = jl.tensor([[1, 2], [3, 4]]);\nfunction grow(x: jl.Tensor, by: number) {\n  const sum = x.add(by);\n  return sum;\n}',
  "let total = 0;\nfor (let i = 1; i < 4; i++) {\n  const grown = grow(grid, i);\n  total += grown.sum().item() as number;\n}\ntotal",
  "for (;;) total += 1;",
];

const program = findProgram(jupyterLab.program);
describe.skipIf(!program || !findProgram("chromium"))("jupyter-lab and chromium", () => {
  let place: Workplace;
  let server: Server;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    place = createWorkplace();
    writeCells(join(place.folder, "debug.ipynb"), cells);
    server = await jupyterLab.serve(program ?? "", place);
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
    page.setDefaultTimeout(30_000);
    await jupyterLab.open(page, server, "debug.ipynb");
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await picture("failed");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    place?.remove();
  });

  const picture = (name: string) => screenshot(page, `debugger-${name}`);
  const cell = (index: number) => jupyterLab.cells(page).nth(index);
  const panel = (name: string) => page.locator(`.jp-Debugger${name}`);
  const button = (name: string) =>
    page.locator(`.jp-SidePanel [data-command="debugger:${name}"]:not([disabled])`).first();
  const highlighted = () => page.locator(".jp-NotebookPanel .jp-DebuggerEditor-highlight").allTextContents();

  async function run(index: number): Promise<void> {
    await cell(index).locator(".cm-content").click();
    await page.keyboard.press("Control+Enter");
  }

  test("the bug button starts the debugger, and the panel lists tensors while nothing is stopped", async () => {
    // The button works once the kernel has said that it has a debugger.
    await page.locator('.jp-DebuggerBugButton[aria-disabled="false"]').click();
    await page.locator('.jp-DebuggerBugButton[aria-pressed="true"]').waitFor();
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
    await page.locator('select[aria-label="Scope"]').selectOption("Locals");
    await expect
      .poll(() => panel("Variables").first().textContent())
      .toContain("Tensor float32 [2, 2] on cpu: 2, 3, ...");
    await picture("3-step");
  });

  test("without the breakpoint the cell goes on to its end", async () => {
    await cell(1).locator(".cm-breakpoint-gutter .cm-gutterElement").nth(3).click();
    await button("continue").click();
    await expect.poll(() => cell(1).textContent(), { timeout: 30_000 }).toContain("54");
    await picture("4-end");
  });

  test("an interrupt ends a stopped cell", async () => {
    await run(2);
    await jupyterLab.waitBusy(page);
    await button("continue").click();
    await expect.poll(highlighted, { timeout: 30_000 }).toEqual(["for (;;) total += 1;"]);
    await jupyterLab.interrupt(page);
    await expect.poll(() => cell(2).textContent(), { timeout: 30_000 }).toContain("Interrupted");
    await jupyterLab.waitIdle(page);
    await picture("5-interrupted");
  });
});
