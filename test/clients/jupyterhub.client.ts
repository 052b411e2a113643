// A hub with two users of this system, as docs/jupyterhub.md describes it.
import { chownSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { processesOf } from "../support/processes.js";
import { classicNotebook as notebook } from "./front-end.js";
import { type Hub, type HubUser, noHub, runs, startHub } from "./hub.js";
import { launchBrowser, screenshot, writeCells } from "./support.js";

const cells = [
  'import * as jl from "jitlab";\nconst x = jl.arange(5);\nx.bitwiseXor(3).toArray().join(" ")',
  "%%timings\nx.bitwiseAnd(6)",
  'jl.timings().map(({ origin }) => origin).join(" ")',
  'require("node:os").userInfo().username',
];

describe.skipIf(noHub)(`JupyterHub with two users${noHub}`, () => {
  let hub: Hub;
  let browser: Browser;
  const pages: Page[] = [];
  const userOf = (index: number): HubUser => hub.users[index]!;
  const folderOf = ({ home }: HubUser) => join(home, ".cache/jitlab");

  /** Runs the notebook as a user, and gives the text of each cell's output. */
  async function work(index: number): Promise<(string | null)[]> {
    const user = userOf(index);
    const lesson = join(user.home, "lesson.ipynb");
    writeCells(lesson, cells);
    chownSync(lesson, user.uid, user.uid);
    const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    pages[index] = page;
    const url = await hub.login(page, user);
    await notebook.open(page, { url, stop: async () => undefined }, "lesson.ipynb");
    await notebook.runAll(page);
    const output = (cell: number) => notebook.cells(page).nth(cell).locator(".output").textContent();
    await expect.poll(() => output(cells.length - 1), { timeout: 60_000 }).toContain(user.name);
    const plot = notebook.cells(page).nth(1).locator(".js-plotly-plot:visible").first();
    await plot.waitFor();
    await screenshot(page, `hub-${index}-${user.name}`);
    return Promise.all(cells.map((_, cell) => output(cell)));
  }

  beforeAll(async () => {
    hub = await startHub(["jitlab-ada", "jitlab-bob"]);
    browser = await launchBrowser();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== "fail") return;
    for (const [i, page] of pages.entries()) await screenshot(page, `hub-${i}-failed`);
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.stop();
  });

  test("the first compiles and sees a plot", async () => {
    const [value, , origins, name] = await work(0);
    expect(value).toContain("3 2 1 0 7");
    expect(origins).toMatch(/compiled/);
    expect(origins).not.toMatch(/remote|disk/);
    expect(name).toContain("jitlab-ada");
  });

  test("the second gets the same kernels from the group", async () => {
    const [value, timings, origins, name] = await work(1);
    expect(value).toContain("3 2 1 0 7");
    expect(origins).toMatch(/remote/);
    expect(origins).not.toMatch(/compiled|disk/);
    expect(timings).toContain("remote");
    expect(name).toContain("jitlab-bob");
  });

  test("each has a cache that the other cannot read", () => {
    for (const [own, other] of [
      [userOf(0), userOf(1)],
      [userOf(1), userOf(0)],
    ] as const) {
      const { uid, mode } = statSync(folderOf(own));
      expect([uid, mode & 0o777]).toEqual([own.uid, 0o700]);
      expect(runs(own.name, "ls", folderOf(own))).toBe(true);
      expect(runs(other.name, "ls", folderOf(own))).toBe(false);
    }
  });

  test("a kernel that nobody looks at is culled, with all its processes", async () => {
    const kernels = () => processesOf(userOf(0).home).length;
    expect(kernels()).toBeGreaterThan(2);
    await pages[0]!.close();
    // The server stays.
    await expect.poll(kernels, { timeout: 60_000 }).toBe(1);
    expect(processesOf(userOf(1).home).length).toBeGreaterThan(2);
  });
});
