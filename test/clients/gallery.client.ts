// The gallery's page with the most figures as people see it: an exported page, the classic Notebook, JupyterLab; light and
// dark, trusted and not. Each figure shows its plot or its picture, and no output is an empty box. The pictures in
// build/screenshots are to be looked at.
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { figuresIn, imagesIn, librariesIn, shownIn, textColours } from "./figures.js";
import { classicNotebook, jupyterLab } from "./front-end.js";
import {
  createWorkplace,
  findProgram,
  launchBrowser,
  longScreenshot,
  root,
  type Server,
  screenshot,
  type Workplace,
} from "./support.js";

const name = "08c-gallery-measure-and-plot.ipynb";
const tall = { width: 1280, height: 2400 };
let place: Workplace;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  place = createWorkplace();
  cpSync(join(root, "notebooks"), place.folder, { recursive: true });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  place?.remove();
});
afterEach(async ({ task }) => {
  if (task.result?.state === "fail" && page && !page.isClosed()) await screenshot(page, "gallery-failed");
});

async function openPage(options: { colorScheme?: "light" | "dark" } = {}): Promise<Page> {
  await page?.close();
  page = await browser.newPage({ viewport: tall, ...options });
  page.setDefaultTimeout(60_000);
  return page;
}

// The file that a front end has saved tells the kernel that ran it; the committed one was run elsewhere.
const committedText = readFileSync(join(root, "notebooks", name), "utf8");
const savedPlots = () => readFileSync(join(place.folder, name), "utf8") !== committedText;

const committed = figuresIn(join(root, "notebooks", name));
const images = imagesIn(join(root, "notebooks", name));
const cellCount = JSON.parse(readFileSync(join(root, "notebooks", name), "utf8")).cells.length;

describe.skipIf(!findProgram("chromium"))("the gallery's exported page", () => {
  test.each(["light", "dark"] as const)(
    "in %s colours shows every plot, and its picture without scripts",
    async (scheme) => {
      const html = join(place.folder, "gallery.html");
      if (scheme === "light") {
        const main = join(root, "dist/kernel/main.js");
        const run = ["run", join(place.folder, name), "--html", html, "--device", "cpu"];
        execFileSync(process.execPath, [main, ...run], { env: place.env, stdio: "pipe" });
      }
      await openPage({ colorScheme: scheme });
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      await page.goto(`file://${html}`);
      await expect
        .poll(() => shownIn(page.locator(".outputs > .output")))
        .toEqual({
          plots: committed,
          pictures: images,
          empty: [],
        });
      expect(errors).toEqual([]);
      const colours = await textColours(page);
      expect(colours.plot).toBe(colours.page);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
      await longScreenshot(page, `gallery-export-${scheme}`);

      const still = await browser.newContext({ javaScriptEnabled: false });
      const bare = await still.newPage();
      await bare.goto(`file://${html}`);
      expect(await bare.locator(".figure > img").count()).toBe(committed);
      await still.close();
    },
  );
});

const classic = findProgram(classicNotebook.program);
describe.skipIf(!classic || !findProgram("chromium"))("the gallery in the classic Notebook", () => {
  let server: Server;
  beforeAll(async () => {
    server = await classicNotebook.serve(classic ?? "", place);
  });
  afterAll(() => server?.stop());

  const outputs = () => classicNotebook.outputs(page);

  test("shows its plots live, beside RequireJS", async () => {
    await openPage();
    await classicNotebook.open(page, server, name);
    await classicNotebook.runAll(page);
    await classicNotebook
      .cells(page)
      .last()
      .locator(".input_prompt", { hasText: /\[\d+\]/ })
      .waitFor({ timeout: 150_000 });
    await expect
      .poll(() => shownIn(outputs()), { timeout: 20_000 })
      .toEqual({ plots: committed, pictures: images, empty: [] });
    await page.locator(".js-plotly-plot").first().scrollIntoViewIfNeeded();
    await screenshot(page, "gallery-classic-live");
  });

  test("shows them again after a reload: the saved notebook holds no library, the server has it", async () => {
    await classicNotebook.save(page);
    await expect.poll(() => savedPlots(), { timeout: 20_000 }).toBe(true);
    expect(librariesIn(join(place.folder, name))).toBe(0);
    await page.reload();
    await expect
      .poll(() => shownIn(outputs()), { timeout: 30_000 })
      .toEqual({ plots: committed, pictures: images, empty: [] });
    await page.locator(".js-plotly-plot").last().scrollIntoViewIfNeeded();
    await screenshot(page, "gallery-classic-reloaded");
  });
});

const lab = findProgram(jupyterLab.program);
describe.skipIf(!lab || !findProgram("chromium"))("the gallery in JupyterLab", () => {
  let server: Server;
  beforeAll(async () => {
    server = await jupyterLab.serve(lab ?? "", place);
    cpSync(join(root, "notebooks", name), join(place.folder, name));
  });
  afterAll(() => server?.stop());

  const outputs = () => jupyterLab.outputs(page);

  /** Scrolls through the notebook, so that the cells below the window are drawn as well, and keeps pictures of it. */
  async function walk(pictures: string): Promise<void> {
    const panel = page.locator(".jp-NotebookPanel .jp-WindowedPanel-outer");
    await panel.evaluate((element: any) => element.scrollTo(0, 0));
    const last = jupyterLab.cells(page).last();
    for (let i = 1; i < 30; i++) {
      await still(panel);
      await screenshot(page, `${pictures}-${i}`);
      // The last cell can be scrolled out of the window; nothing is below it.
      const ends = (await last.getAttribute("data-windowed-list-index")) === String(cellCount - 1);
      const box = await last.boundingBox();
      if (ends && box !== null && box.y + box.height <= tall.height) return;
      await panel.evaluate((element: any) => element.scrollBy(0, element.clientHeight - 60));
    }
    throw new Error("The notebook has no end.");
  }

  /** Waits until the cells in the window are drawn: until nothing moves from one look to the next. */
  async function still(panel: Locator): Promise<void> {
    const look = () =>
      panel.evaluate((element: any) =>
        [...element.querySelectorAll(".jp-Cell, .main-svg, img")]
          .map((one: any) => {
            const { top, height } = one.getBoundingClientRect();
            return `${top} ${height} ${one.complete}`;
          })
          .join(),
      );
    let [before, now] = ["", await look()];
    while (before !== now) {
      await page.waitForTimeout(250);
      [before, now] = [now, await look()];
    }
  }

  test("not trusted: every figure shows its picture", async () => {
    await openPage();
    await jupyterLab.open(page, server, name);
    await walk("gallery-lab-untrusted");
    await expect
      .poll(() => shownIn(outputs()))
      .toEqual({ plots: 0, pictures: committed + images, empty: [] });
  });

  test("run, which trusts it: every figure shows its plot", async () => {
    await jupyterLab.runAll(page);
    await jupyterLab
      .cells(page)
      .last()
      .locator(".jp-InputPrompt", { hasText: /\[\d+\]/ })
      .waitFor({ timeout: 150_000 });
    await walk("gallery-lab-light");
    await expect
      .poll(() => shownIn(outputs()), { timeout: 20_000 })
      .toEqual({ plots: committed, pictures: images, empty: [] });
  });

  test("opened again, which trusts it still: every figure shows its plot", async () => {
    await jupyterLab.save(page);
    await expect.poll(() => savedPlots(), { timeout: 20_000 }).toBe(true);
    expect(librariesIn(join(place.folder, name))).toBe(0);
    await openPage();
    await jupyterLab.open(page, server, name);
    await walk("gallery-lab-again");
    await expect
      .poll(() => shownIn(outputs()), { timeout: 20_000 })
      .toEqual({ plots: committed, pictures: images, empty: [] });
  });

  test("in a dark theme, chosen after the plots were drawn, their texts are light", async () => {
    await page.locator(".lm-MenuBar-item", { hasText: /^Settings$/ }).click();
    await page.locator(".lm-Menu-item", { hasText: /^Theme$/ }).hover();
    await page.locator(".lm-Menu-item", { hasText: /^JupyterLab Dark$/ }).click();
    await page.locator('body[data-jp-theme-light="false"]').waitFor({ state: "attached" });
    const colours = await textColours(page);
    expect(colours.plot).toBe(colours.page);
    await walk("gallery-lab-dark");
    expect(await shownIn(outputs())).toEqual({ plots: committed, pictures: images, empty: [] });
  });
});
