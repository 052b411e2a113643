// Widgets as ipywidgets' front end draws them in JupyterLab: a slider, a button, a box, interact() with an image. The pictures
// in build/screenshots are to be looked at.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { classicNotebook, jupyterLab } from "./front-end.js";
import { useNotebook } from "./open-notebook.js";
import { findProgram } from "./support.js";

const cells = [
  'import * as jl from "jitlab";\nimport { image } from "jitlab/plot";\nimport { button, checkbox, column, dropdown, html, interact, progress, row, slider, text } from "jitlab/widgets";',
  [
    'const gain = slider(0, 10, { description: "gain", value: 2 });',
    'const label = html("<i>untouched</i>");',
    "const bar = progress(10);",
    'gain.observe((value) => { label.value = "<i>gain " + value + "</i>"; bar.value = value; });',
    'const reset = button("reset", () => { gain.value = 0; label.value = "<i>reset</i>"; });',
    'column(row(gain, reset), bar, label, checkbox(true, { description: "on" }), dropdown(["a", "b"]), text("words"))',
  ].join("\n"),
  [
    "%%kernel mandelbrot power=2.0 limit=40 --returns float32",
    "template <typename T> T mandelbrot(T x, T y, T power, int limit) {",
    "  T re = x, im = y;",
    "  for (int i = 0; i < limit; ++i) {",
    "    T size = re * re + im * im;",
    "    if (size > 4) return T(i);",
    "    T angle = power * atan2(im, re), radius = pow(size, power / 2);",
    "    re = radius * cos(angle) + x;",
    "    im = radius * sin(angle) + y;",
    "  }",
    "  return T(limit);",
    "}",
  ].join("\n"),
  [
    "const [u, v] = [jl.linspace(-2, 1, 256).unsqueeze(0), jl.linspace(-1.5, 1.5, 256).unsqueeze(1)];",
    'interact((power) => image(mandelbrot(u, v, { power }), { colormap: "magma" }), { power: [1, 4] })',
  ].join("\n"),
];

// About five seconds, so that a busy machine draws the bar before it is gone.
const long = `%bench --sizes ${Array.from({ length: 90 }, (_, i) => `1${"0".repeat(i % 3)}`)} Math.sqrt(n)`;

const program = findProgram(jupyterLab.program);
const extension = join(dirname(program ?? ""), "../share/jupyter/labextensions/@jupyter-widgets");
const missing = !program || !findProgram("chromium") || !existsSync(extension);
describe.skipIf(missing)("jupyter-lab with ipywidgets, and chromium", () => {
  const notebook = useNotebook(jupyterLab, program, { name: "widgets", cells, width: 1280, height: 1400 });
  const { picture } = notebook;
  const cell = (index: number) => jupyterLab.cells(notebook.page).nth(index);

  test("a slider moves what observes it, and a button moves the slider", async () => {
    await jupyterLab.runAll(notebook.page);
    const handle = cell(1).locator(".noUi-handle");
    await handle.waitFor();
    await handle.focus();
    for (let i = 0; i < 5; i++) await notebook.page.keyboard.press("ArrowRight");
    await expect.poll(() => cell(1).locator(".widget-html i").textContent()).toBe("gain 2.5");
    await cell(1).locator("button", { hasText: "reset" }).click();
    await expect.poll(() => cell(1).locator(".widget-html i").textContent()).toBe("reset");
    await expect.poll(() => cell(1).locator(".widget-readout").textContent()).toBe("0.00");
    await expect
      .poll(() => cell(1).locator("select, input[type=checkbox], input[type=text]").count())
      .toBe(3);
    await picture("controls");
  });

  test("interact shows another image for another value, without compiling", async () => {
    const shown = cell(3).locator("img.widget-image");
    await shown.waitFor();
    const source = () => shown.getAttribute("src");
    const before = await source();
    await cell(3).locator(".noUi-handle").focus();
    for (let i = 0; i < 3; i++) await notebook.page.keyboard.press("ArrowRight");
    await expect.poll(() => cell(3).locator(".widget-readout").textContent()).toBe("2.59");
    await expect.poll(async () => (await source()) !== before).toBe(true);
    expect((await shown.boundingBox())?.width).toBe(256);
    await picture("interact");
  });

  test("long work shows a bar, of which one line remains", async () => {
    await jupyterLab.append(notebook.page, long);
    await notebook.page.keyboard.press("Shift+Enter");
    const last = () => jupyterLab.cells(notebook.page).nth(cells.length);
    await last().locator(".widget-hprogress, .jupyter-widget-hprogress").waitFor();
    await picture("progress");
    await jupyterLab.waitIdle(notebook.page);
    await expect.poll(() => last().textContent()).toContain("90 of 90 in");
    expect(await last().locator(".widget-hprogress, .jupyter-widget-hprogress").count()).toBe(0);
    await picture("progress-ended");
  });

  test("opened again, the page has the widgets with their values", async () => {
    await jupyterLab.save(notebook.page);
    await notebook.page.reload();
    await expect
      .poll(() => cell(3).locator(".widget-readout").textContent(), { timeout: 60_000 })
      .toBe("2.59");
    await picture("again");
  });
});

const classic = findProgram(classicNotebook.program);
describe.skipIf(!classic || !findProgram("chromium"))(
  "jupyter-notebook without ipywidgets, and chromium",
  () => {
    const notebook = useNotebook(classicNotebook, classic, {
      name: "stills",
      cells,
      width: 1280,
      height: 1400,
    });
    const cell = (index: number) => classicNotebook.cells(notebook.page).nth(index);

    test("shows a widget as a picture of itself", async () => {
      await classicNotebook.runAll(notebook.page);
      const sliders = (index: number) => cell(index).locator("input[type=range]:disabled").count();
      await expect.poll(() => sliders(3), { timeout: 60_000 }).toBe(1);
      expect(await cell(1).locator(".output").textContent()).toContain("gain");
      expect(await sliders(1)).toBe(1);
      const image = cell(3).locator("img");
      expect((await image.boundingBox())?.width).toBe(256);
      await image.scrollIntoViewIfNeeded();
      await notebook.picture("classic");
    });
  },
);
