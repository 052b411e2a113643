// Makes the README's animated picture from a session in JupyterLab: runs these cells on the default device of this machine, points at
// lines of the functor, and moves the slider. Usage: npm run build && node scripts/picture.mjs
// It needs jupyter-lab with ipywidgets on the PATH, and Chromium. docs/first-picture.json is its record, for scripts/figures.mjs.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { animation } from "./png-chunks.mjs";

const cells = [
  "%%kernel logistic r=3.7\ntemplate <typename T>\nT logistic(T x, T r) {\n  for (int i = 0; i < 8; i++)\n    x = r * x * (T(1) - x);\n  return x;\n}",
  'import * as jl from "jitlab";\nconst x = jl.linspace(0, 1, 1_000_000);\n%inspect logistic(x)',
  '%%timings\nlogistic(x.to("float64"), { r: 3.5 });',
  'import { line } from "jitlab/plot";\nimport { interact } from "jitlab/widgets";\nconst t = jl.linspace(0, 1, 400);\ninteract((r) => line(t, logistic(t, { r }), { xLabel: "x", yLabel: "after 8 steps" }), { r: [1, 4] })',
];
const [width, height] = [960, 608];

const folder = resolve("build/picture");
// An empty cache: what compiling costs is part of the picture.
rmSync(folder, { recursive: true, force: true });
mkdirSync(`${folder}/notebooks`, { recursive: true });
const kernelspec = { name: "jitlab", display_name: "TypeScript (jitlab)", language: "typescript" };
const code = cells.map((source, i) => ({
  ...{ cell_type: "code", id: `c${i}`, metadata: {}, execution_count: null, outputs: [], source },
}));
writeFileSync(
  `${folder}/notebooks/picture.ipynb`,
  JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: { kernelspec }, cells: code }),
);
execFileSync(process.execPath, ["dist/kernel/main.js", "install", "--prefix", `${folder}/prefix`]);

const port = await freePort();
const server = spawn(
  "jupyter-lab",
  [
    ...["--no-browser", "--allow-root", "--expose-app-in-browser", `--port=${port}`],
    ...["--IdentityProvider.token=", `--ServerApp.root_dir=${folder}/notebooks`],
  ],
  {
    stdio: "ignore",
    env: {
      ...process.env,
      HOME: folder,
      JITLAB_CACHE_DIR: `${folder}/cache`,
      JUPYTER_PATH: `${folder}/prefix/share/jupyter`,
    },
  },
);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const frames = await film(await browser.newPage({ viewport: { width, height }, colorScheme: "light" }));
  const verdict = execFileSync(process.execPath, ["dist/kernel/main.js", "doctor"], { encoding: "utf8" });
  const [, device] = /on the device (\w+: [^,\n]+)/.exec(verdict);
  writeFileSync("docs/first-picture.png", animation(frames));
  const record = { date: new Date().toISOString().slice(0, 10), device, cells };
  writeFileSync("docs/first-picture.json", `${JSON.stringify(record, null, 2)}\n`);
} finally {
  await browser.close();
  server.kill();
}

/** The pictures of the session, each with the milliseconds that it is shown. */
async function film(page) {
  await untilAnswered(`http://127.0.0.1:${port}/api`);
  await page.goto(`http://127.0.0.1:${port}/doc/tree/picture.ipynb`);
  await page.locator(".jp-NotebookPanel .jp-CodeCell").nth(3).waitFor({ timeout: 60_000 });
  await page.addStyleTag({
    content: ".lines { max-height: 230px !important; } .Notification-List, .Toastify { display: none; }",
  });
  const outputs = page.locator(".jp-NotebookPanel .jp-CodeCell");
  await page.keyboard.press("Escape");
  await page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').waitFor();
  await page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')");
  const slider = outputs.nth(3).locator(".noUi-handle");
  await slider.waitFor({ timeout: 60_000 }).catch(async (error) => {
    await page.screenshot({ path: `${folder}/missing.png` });
    throw error;
  });
  await outputs.nth(3).locator("img").first().waitFor();
  const frames = [];
  // The cells without the front end around them.
  const clip = await page.locator(".jp-NotebookPanel .jp-WindowedPanel-outer").boundingBox();
  const shoot = async (ms) =>
    frames.push({ ms, png: await page.screenshot({ animations: "disabled", clip }) });
  const idle = () => page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').waitFor();
  const show = (index) => outputs.nth(index).evaluate((cell) => cell.scrollIntoView({ block: "start" }));
  await show(0);
  await page.waitForTimeout(500);
  // The first picture is what a reader sees where nothing moves.
  for (const text of ["x = r * x", "for (int i", "return x"]) {
    await outputs.nth(1).locator(".line", { hasText: text }).first().hover();
    await page.waitForTimeout(300);
    await shoot(1600);
  }
  await page.mouse.move(2, 2);
  await show(2);
  await page.waitForTimeout(500);
  await shoot(3000);
  await show(3);
  await slider.focus();
  for (let i = 0; i < 10; i++) {
    for (let step = 0; step < 2; step++) await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(300);
    await idle();
    await page.waitForTimeout(300);
    await shoot(i === 9 ? 2000 : 350);
  }
  return frames;
}

async function untilAnswered(address) {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (
      await fetch(address).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error(`${address} did not answer: does jupyter-lab run?`);
}

function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address();
      probe.close(() => done(free));
    });
  });
}
