// A Jupyter Server that wants a token, reached through a reverse proxy below a path.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jupyterLab as lab } from "./front-end.js";
import { type ReverseProxy, startReverseProxy } from "./reverse-proxy.js";
import {
  createWorkplace,
  findProgram,
  launchBrowser,
  type Server,
  screenshot,
  type Workplace,
  writeCells,
} from "./support.js";

const path = "/team/notebooks";
const token = randomBytes(16).toString("hex");
const program = findProgram(lab.program);
const missing = [lab.program, "chromium"].filter((name) => !findProgram(name)).join(", ");
const skipped = missing ? ` (skipped: ${missing} not installed)` : "";
const cells = [
  'import * as jl from "jitlab";\njl.arange(4).mul(3).toArray().join(" ")',
  "%%timings\njl.arange(4).add(1)",
];

describe.skipIf(skipped)(`JupyterLab behind a reverse proxy${skipped}`, () => {
  let place: Workplace;
  let server: Server;
  let proxy: ReverseProxy;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    place = createWorkplace();
    writeCells(join(place.folder, "proxied.ipynb"), cells);
    server = await lab.serve(program ?? "", place, { path, token });
    proxy = await startReverseProxy(`${path}/`, Number(new URL(server.url).port));
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
    page.setDefaultTimeout(60_000);
  });
  afterAll(async () => {
    await browser?.close();
    proxy?.stop();
    await server?.stop();
    place?.remove();
  });

  test("asks for the token", async () => {
    await page.goto(`${proxy.origin}${path}/lab/tree/proxied.ipynb`);
    await page.locator("#password_input").waitFor();
    const kernels = `${proxy.origin}${path}/api/kernels`;
    const asked = await fetch(kernels, { method: "POST", body: '{ "name": "jitlab" }' });
    expect(asked.status).toBe(403);
    await screenshot(page, "proxy-1-login");
  });

  test("starts a kernel and shows its plot", async () => {
    await page.locator("#password_input").fill(token);
    await page.locator("#login_submit").click();
    await page.waitForURL(`${proxy.origin}${path}/lab/tree/proxied.ipynb`);
    await lab.open(page, { ...server, url: `${proxy.origin}${path}` }, "proxied.ipynb");
    await lab.runAll(page);
    await expect.poll(() => lab.cells(page).nth(0).textContent(), { timeout: 60_000 }).toContain("0 3 6 9");
    await lab.cells(page).nth(1).locator(".js-plotly-plot:visible").first().waitFor();
    await lab.waitIdle(page);
    await screenshot(page, "proxy-2-plot");
  });
});
