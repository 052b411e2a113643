// The two notebook front ends as one interface, so that one scenario tests both.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { type Access, type Server, startServer, type Workplace } from "./support.js";

/** A notebook front end in a page. */
export interface FrontEnd {
  readonly name: string;
  /** The server's program. */
  readonly program: string;
  /** Starts a server; without `access` it has no token, because it lives only as long as the test. */
  serve(program: string, place: Workplace, access?: Access): Promise<Server>;
  /** Opens a notebook and waits until its kernel is idle. */
  open(page: Page, server: Server, notebook: string): Promise<void>;
  runAll(page: Page): Promise<void>;
  waitIdle(page: Page): Promise<void>;
  waitBusy(page: Page): Promise<void>;
  /** Adds a code cell at the end with this text and leaves the cursor behind it. */
  append(page: Page, text: string): Promise<void>;
  /** The code cells, the first first. */
  cells(page: Page): Locator;
  /** The outputs of all cells. */
  outputs(page: Page): Locator;
  save(page: Page): Promise<void>;
  /** The entries of the open completion list. */
  completions(page: Page): Locator;
  /** The parts of a cell's code that are colored as keywords, or as magics. */
  colored(cell: Locator, as: "keyword" | "meta"): Promise<string[]>;
  /** The open hover text. */
  tooltip(page: Page): Locator;
  /** The field in which a running cell asks for a line. */
  input(page: Page): Locator;
  interrupt(page: Page): Promise<void>;
  restart(page: Page): Promise<void>;
}

export const classicNotebook: FrontEnd = {
  name: "classic-notebook",
  program: "jupyter-notebook",
  serve: (program, place) =>
    startServer(program, ["--NotebookApp.token=", `--notebook-dir=${place.folder}`], place),
  async open(page, server, notebook) {
    await page.goto(`${server.url}/notebooks/${notebook}`);
    await this.waitIdle(page);
    // The indicator is idle before the kernel has answered; its name in the corner comes with the answer.
    await page.locator(".kernel_indicator_name", { hasText: "jitlab" }).waitFor();
    await page.waitForFunction("Jupyter.notebook.kernel?.info_reply?.language_info !== undefined");
  },
  async runAll(page) {
    await page.locator("#celllink").click();
    await page.locator("#run_all_cells").click();
  },
  waitIdle: (page) => page.locator("#kernel_indicator_icon.kernel_idle_icon").waitFor(),
  waitBusy: (page) => page.locator("#kernel_indicator_icon.kernel_busy_icon").waitFor(),
  async append(page, text) {
    await page.evaluate(`{
      const cell = Jupyter.notebook.insert_cell_at_bottom("code");
      Jupyter.notebook.select(Jupyter.notebook.ncells() - 1);
      Jupyter.notebook.edit_mode();
      cell.focus_editor();
    }`);
    await page.keyboard.insertText(text);
  },
  cells: (page) => page.locator(".code_cell"),
  outputs: (page) => page.locator(".output_area:not(:empty)"),
  async save(page) {
    await page.evaluate("Jupyter.notebook.save_notebook()");
  },
  completions: (page) => page.locator(".completions option"),
  colored: (cell, as) => cell.locator(`.cm-${as}`).allTextContents(),
  tooltip: (page) => page.locator("#tooltip .tooltiptext"),
  input: (page) => page.locator("input.raw_input"),
  interrupt: (page) => page.locator('[data-jupyter-action="jupyter-notebook:interrupt-kernel"]').click(),
  async restart(page) {
    await page.locator('[data-jupyter-action="jupyter-notebook:confirm-restart-kernel"]').click();
    await page.locator(".modal-dialog .btn-danger").click();
    await this.waitIdle(page);
  },
};

const noUpdates = "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate";

// A question about news would lie over the notebook.
const labSettings = {
  folder: ".jupyter/lab/user-settings/@jupyterlab/apputils-extension",
  file: "notification.jupyterlab-settings",
  text: '{ "fetchNews": "false" }',
};

export const jupyterLab: FrontEnd = {
  name: "jupyterlab",
  program: "jupyter-lab",
  serve(program, place, access) {
    const folder = join(place.folder, labSettings.folder);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, labSettings.file), labSettings.text);
    const at = [
      `--IdentityProvider.token=${access?.token ?? ""}`,
      `--ServerApp.base_url=${access?.path ?? "/"}`,
    ];
    const flags = [...at, noUpdates, `--ServerApp.root_dir=${place.folder}`];
    return startServer(program, flags, place, access);
  },
  async open(page, server, notebook) {
    await page.goto(`${server.url}/lab/tree/${notebook}`);
    await kernelConnected(server);
    await this.waitIdle(page);
  },
  async runAll(page) {
    await page.locator(".lm-MenuBar-item", { hasText: /^Run$/ }).click();
    await page.locator('.lm-Menu-item[data-command="runmenu:run-all"]').click();
  },
  waitIdle: (page) => page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').waitFor(),
  waitBusy: (page) => page.locator('.jp-Notebook-ExecutionIndicator[data-status="busy"]').waitFor(),
  async append(page, text) {
    await this.cells(page).last().locator(".cm-content").click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("b");
    await page.keyboard.press("Enter");
    await page.keyboard.insertText(text);
  },
  cells: (page) => page.locator(".jp-NotebookPanel .jp-CodeCell"),
  outputs: (page) => page.locator(".jp-NotebookPanel .jp-Cell-outputArea > .jp-OutputArea-child"),
  async save(page) {
    // A page that is opened again meanwhile would have the file as it was.
    const written = page.waitForResponse(
      (answer) => answer.request().method() === "PUT" && answer.url().includes("/api/contents/"),
    );
    await page.locator('[data-jp-item-name="save"]').click();
    await written;
  },
  completions: (page) => page.locator(".jp-Completer-item"),
  // CodeMirror 6 makes up the names of its classes.
  colored: (cell, as) =>
    cell.locator(".cm-content").evaluate((content: any, as) => {
      const { document, getComputedStyle } = globalThis as any;
      const probe = content.appendChild(document.createElement("i"));
      probe.style.color = `var(--jp-mirror-editor-${as}-color)`;
      const { color } = getComputedStyle(probe);
      probe.remove();
      const words = [...content.querySelectorAll(".cm-line span")];
      return words
        .filter((word: any) => getComputedStyle(word).color === color)
        .map((word: any) => word.textContent);
    }, as),
  tooltip: (page) => page.locator(".jp-Tooltip"),
  input: (page) => page.locator("input.jp-Stdin-input"),
  interrupt: (page) => page.locator('[data-jp-item-name="interrupt"]').click(),
  async restart(page) {
    await page.locator('[data-jp-item-name="restart"]').click();
    await page.locator(".jp-Dialog .jp-mod-accept").click();
    await this.waitIdle(page);
  },
};

// JupyterLab shows "idle" before it has a kernel, and a command given then makes it ask for one.
async function kernelConnected(server: Server): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt++) {
    const headers = { Authorization: `token ${server.token ?? ""}` };
    const kernels = (await (await fetch(`${server.url}/api/kernels`, { headers })).json()) as {
      execution_state: string;
      connections: number;
    }[];
    if (kernels.some((kernel) => kernel.execution_state === "idle" && kernel.connections > 0)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("JupyterLab started no kernel within 30 s.");
}
