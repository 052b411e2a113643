// Makes the README's picture from a session: runs these cells through the kernel, on the default device of this machine, opens the
// page and points at a line of the functor. Usage: npm run build && node scripts/picture.mjs
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { chromium } from "playwright-core";

const cells = [
  "%%kernel logistic r=3.7\ntemplate <typename T>\nT logistic(T x, T r) {\n  for (int i = 0; i < 8; i++)\n    x = r * x * (T(1) - x);\n  return x;\n}",
  'import * as jl from "jitlab";\nconst x = jl.rand([1_000_000]);\n%inspect logistic(x)',
  '%%timings\nlogistic(x.to("float64"), { r: 3.5 });',
];
const pointedAt = "x = r * x";

const folder = resolve("build/picture");
// An empty cache: what compiling costs is part of the picture.
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const [notebook, html] = [`${folder}/picture.ipynb`, `${folder}/picture.html`];
const code = cells.map((source, i) => ({
  ...{ cell_type: "code", id: `c${i}`, metadata: {}, execution_count: null, outputs: [], source },
}));
writeFileSync(notebook, JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: code }));
execFileSync(process.execPath, ["dist/kernel/main.js", "run", notebook, "--html", html], {
  env: { ...process.env, JITLAB_CACHE_DIR: `${folder}/cache` },
  stdio: ["ignore", "ignore", "inherit"],
});

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const tab = await browser.newPage({ viewport: { width: 1100, height: 1300 }, colorScheme: "light" });
await tab.goto(`file://${html}`);
await tab.addStyleTag({ content: ".lines { max-height: 272px !important; }" });
await tab.locator(".line", { hasText: pointedAt }).first().hover();
// From the first cell to the end of the table; the plot is below it.
const first = await tab.locator("section.code").first().boundingBox();
const last = await tab.locator("table").last().boundingBox();
const y = first.y - 12;
const clip = { x: 0, y, width: 1100, height: last.y + last.height + 24 - y };
await tab.screenshot({ path: "docs/first-picture.png", fullPage: true, animations: "disabled", clip });
await browser.close();
