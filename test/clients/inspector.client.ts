// The inspector in a page without a kernel, in Chromium: by pointer and by keyboard, wide and narrow, light and dark. The pictures
// in build/screenshots are to be looked at.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportHtml } from "../../dist/kernel/export/html-export.js";
import { type Inspection, inspectorHtml } from "../../dist/magics/render/inspector.js";
import { jupyterLab } from "./front-end.js";
import { useNotebook } from "./open-notebook.js";
import { createWorkplace, findProgram, launchBrowser, screenshot, type Workplace } from "./support.js";

let place: Workplace;
let browser: Browser;
beforeAll(async () => {
  place = createWorkplace();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  place?.remove();
});

const source = Array.from({ length: 60 }, (_, i) => ({
  text: `line ${i + 1};`,
  number: i + 1,
  from: [i + 1],
}));
const code = (name: string) =>
  source.flatMap(({ from: [line = 0] }) => [
    { text: `${name} a${line}`, from: [line, 1] },
    { text: `${name} b${line}`, from: [line, 1] },
    { text: "label:", from: [] },
  ]);
const inspection: Inspection = {
  title: "steps",
  facts: ["float32", "sm_90", "32 registers"],
  details: [["compiled", "just now"]],
  columns: [
    { title: "your lines", language: "cpp", isSource: true, lines: source.slice(40, 50) },
    { title: "CUDA C++", language: "cpp", isSource: true, lines: source },
    { title: "SASS", language: "assembly", isSource: false, lines: code("sass") },
    { title: "PTX", language: "ptx", isSource: false, isFolded: true, lines: code("ptx") },
  ],
  summary: [],
};

async function open(width: number, colorScheme: "light" | "dark"): Promise<Page> {
  const outputs = [
    { output_type: "display_data", data: { "text/html": inspectorHtml(inspection) }, metadata: {} },
  ];
  const cells = [
    { cell_type: "code", id: "a", source: "%inspect steps", metadata: {}, execution_count: 1, outputs },
  ];
  const file = join(place.folder, "page.html");
  writeFileSync(file, exportHtml({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 } as any, "page"));
  const page = await browser.newPage({ viewport: { width, height: 1300 }, colorScheme });
  await page.goto(`file://${file}`);
  return page;
}

describe.skipIf(!findProgram("chromium"))("the inspector", () => {
  test("the line between two columns is dragged to widen one, and a double click undoes it", async () => {
    const page = await open(1280, "light");
    const columns = page.locator(".column:not(details)");
    const widths = () => columns.evaluateAll((all: any[]) => all.map((one) => Math.round(one.offsetWidth)));
    const before = await widths();
    const box = await columns.nth(1).boundingBox();
    const [x, y] = [box?.x ?? 0, (box?.y ?? 0) + 100];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 60, y);
    await page.mouse.move(x - 120, y);
    await page.mouse.up();
    const [first = 0, second = 0, third = 0] = before;
    const after = await widths();
    for (const [i, width] of [first - 120, second + 120, third].entries())
      expect(Math.abs((after[i] ?? 0) - width)).toBeLessThanOrEqual(3);
    await page.mouse.dblclick(x - 120, y);
    expect(await widths()).toEqual(before);
    await page.close();
  });

  test.each([
    [1280, "light"],
    [420, "dark"],
  ] as const)("%i pixels, %s", async (width, scheme) => {
    const page = await open(width, scheme);
    const columns = page.locator(".lines");
    await expect.poll(() => columns.count()).toBe(4);
    const lit = (column: number) => columns.nth(column).locator(".line.lit").allInnerTexts();
    const isSeen = (column: number) =>
      columns.nth(column).evaluate((element: any) => {
        const view = element.getBoundingClientRect();
        const box = element.querySelector(".lit").getBoundingClientRect();
        return box.top >= view.top - 1 && box.bottom <= view.bottom + 1;
      });
    await page.locator("summary").click();
    // A line of the user's lights its code, which scrolls into view.
    await columns.nth(0).locator(".line").nth(4).hover();
    expect((await lit(1)).map((text) => text.replace(/\s+/g, " "))).toEqual(["45 line 45;"]);
    expect(await lit(2)).toEqual(["sass a45", "sass b45"]);
    expect(await lit(3)).toEqual(["ptx a45", "ptx b45"]);
    for (const column of [1, 2, 3]) expect(await isSeen(column)).toBe(true);
    await screenshot(page, `inspector-${width}-${scheme}`);
    // Down to the next line; right to the code of it; further down, and all follow.
    await columns.nth(0).focus();
    await page.keyboard.press("ArrowDown");
    expect(await lit(2)).toEqual(["sass a46", "sass b46"]);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(
      await page.evaluate(() => (globalThis as any).document.activeElement.getAttribute("aria-label")),
    ).toBe("SASS");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await lit(0)).toEqual([expect.stringContaining("line 47;")]);
    // Every instruction was inlined into line 1, which is lit less.
    expect(await columns.nth(1).locator(".line.near").allInnerTexts()).toEqual([
      expect.stringContaining("line 1;"),
    ]);
    await page.keyboard.press("Escape");
    expect(await page.locator(".lit, .near").count()).toBe(0);
    // Columns beside each other, or one above the other, and the folded one below; the page does not scroll sideways.
    const boxes = await columns.evaluateAll((all: any[]) =>
      all.map((one) => one.getBoundingClientRect().top),
    );
    expect(new Set(boxes.map(Math.round)).size).toBe(width > 1000 ? 2 : 4);
    expect(
      await page.evaluate(() => (globalThis as any).document.documentElement.scrollWidth),
    ).toBeLessThanOrEqual(width);
    // Scrolling a column by hand takes the others along.
    await columns.nth(1).hover();
    await page.mouse.wheel(0, 5000);
    await expect.poll(() => isSeen(3).catch(() => false)).toBe(true);
    await page.close();
  });
});

describe.skipIf(!findProgram("chromium"))("the inspector of an untrusted notebook", () => {
  test("without its style tag and its script it has the same size", async () => {
    const page = await open(1280, "light");
    const boxes = () =>
      page.locator(".columns, .lines").evaluateAll((all: any[]) =>
        all.map((one) => {
          const { left, top, width, height } = one.getBoundingClientRect();
          return [left, top, width, height].map(Math.round);
        }),
      );
    const trusted = await boxes();
    await page.locator("section.code").evaluate((section: any) => {
      for (const element of section.querySelectorAll("style, script")) element.remove();
    });
    await screenshot(page, "inspector-untrusted");
    expect(await boxes()).toEqual(trusted);
    await page.close();
  });
});

const program = findProgram(jupyterLab.program);
describe.skipIf(!program || !findProgram("chromium"))("the inspector in JupyterLab", () => {
  const cells = [
    "%%kernel steps\ntemplate <typename T>\nT steps(T x) {\n  T y = x * x;\n  return y + x;\n}",
    "%inspect steps float32",
  ];
  const notebook = useNotebook(jupyterLab, program, { name: "inspector-lab", cells, width: 1280 });

  test("its lines light, and its keys are its own", async () => {
    const { page, picture } = notebook;
    await jupyterLab.runAll(page);
    const columns = jupyterLab.cells(page).nth(1).locator(".lines");
    await expect.poll(() => columns.count(), { timeout: 60_000 }).toBe(3);
    await jupyterLab.waitIdle(page);
    await columns.nth(0).scrollIntoViewIfNeeded();
    await columns.nth(0).locator(".line", { hasText: "T y = x * x;" }).hover();
    expect(await columns.nth(2).locator(".line.lit").count()).toBeGreaterThan(0);
    await picture("1-hover");
    await columns.nth(0).focus();
    await page.keyboard.press("ArrowDown");
    expect(await columns.nth(0).locator(".line.chosen").allInnerTexts()).toEqual([
      expect.stringContaining("return y + x;"),
    ]);
    await picture("2-keys");
  });
});
