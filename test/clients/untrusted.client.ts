// Every committed notebook as a reader meets it who does not trust it: without the style tags of its outputs, each output is as high
// and as wide as with them. Scripts run in neither: a figure is its picture.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportHtml } from "../../dist/kernel/export/html-export.js";
import { readNotebook } from "../../dist/kernel/export/notebook-file.js";
import { findProgram, launchBrowser, root } from "./support.js";

const notebooks = readdirSync(join(root, "notebooks")).filter((name) => name.endsWith(".ipynb"));

describe.skipIf(!findProgram("chromium"))("committed notebooks, not trusted", () => {
  let folder: string;
  let browser: Browser;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "jitlab-untrusted-"));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(notebooks)("%s", async (name) => {
    const file = join(folder, "page.html");
    writeFileSync(file, exportHtml(readNotebook(join(root, "notebooks", name)), name));
    const page = await browser.newPage({ javaScriptEnabled: false, viewport: { width: 1280, height: 1000 } });
    await page.goto(`file://${file}`);
    const outputs = page.locator(".outputs > .output");
    const sizes = () =>
      outputs.evaluateAll((all: any[]) =>
        all.map((one) => {
          const { width, height } = one.getBoundingClientRect();
          // biome-ignore lint/performance/useDomNodeTextContent: only what is seen, not the text of scripts
          return `${one.innerText.trim().slice(0, 40)}: ${Math.round(width)} x ${Math.round(height)}`;
        }),
      );
    const trusted = await sizes();
    await outputs.evaluateAll((all: any[]) => {
      for (const tag of all.flatMap((one) => [...one.querySelectorAll("style, script")])) tag.remove();
    });
    expect(await sizes()).toEqual(trusted);
    await page.close();
  });
});
