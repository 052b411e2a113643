// `jitlab run`: executes a notebook through the real kernel and protocol, as a notebook front end does, prints its text as
// it arrives, and writes the executed notebook and an HTML page. The notebook's file is only read.
import { accessSync, constants, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, resolve } from "node:path";
import { JitlabError } from "../../runtime/base/errors.js";
import { isLaunched } from "../../runtime/base/launchers.js";
import { deviceKinds, isDeviceName } from "../../runtime/device/kinds.js";
import { exitPatience } from "../child/job.js";
import type { CodeCell, Data, Notebook, Output } from "../export/notebook.js";
import { readNotebook, writeNotebook } from "../export/notebook-file.js";
import { OutputCollector } from "../export/outputs.js";
import { type KernelClient, startClient } from "./client.js";
import { kernelspec } from "./install.js";
import { type Parameters, setParameters } from "./parameters.js";
import { Terminal } from "./terminal.js";

/** The arguments of `jitlab run`. */
export interface RunOptions {
  readonly output?: string;
  readonly html?: string;
  readonly device?: string;
  /** Values in place of the notebook's own. */
  readonly parameter?: Parameters;
  /** Cells to run behind the notebook's own, which are not files. */
  readonly after?: readonly string[];
}

const interrupted = 130;

/** Executes a notebook or a percent script and returns the exit status: 0, 1 after a failing cell, 130 after Ctrl-C. */
export async function runNotebook(path: string, options: RunOptions): Promise<number> {
  const { device } = options;
  if (device !== undefined && !isDeviceName(device)) {
    throw new JitlabError(
      "unknown-device",
      `--device ${device}: there is no device of this name.`,
      `Pass one of ${deviceKinds.join(", ")}, or a GPU's number as in cuda:1.`,
    );
  }
  const notebook = readNotebook(path);
  for (const target of [options.output, options.html]) {
    if (target !== undefined) prepareTarget(target, path);
  }
  if (options.parameter !== undefined) setParameters(notebook, options.parameter);
  const cells = notebook.cells.filter((cell): cell is CodeCell => cell.cell_type === "code");
  for (const cell of cells) Object.assign(cell, { outputs: [], execution_count: null });
  const behind = (options.after ?? []).map(codeCell);
  const status = await execute(notebook, [...cells, ...behind], dirname(resolve(path)), device);
  if (options.output !== undefined) await writeExecuted(options.output, notebook, cells);
  if (options.html !== undefined) {
    const { exportHtml } = await import("../export/html-export.js");
    writeFileSync(options.html, exportHtml(notebook, basename(path, extname(path))));
  }
  const files = [options.output, options.html].filter((target) => target !== undefined);
  if (files.length > 0) console.log(`Wrote ${files.join(" and ")}`);
  return status;
}

function codeCell(source: string): CodeCell {
  return { cell_type: "code", source, metadata: {}, execution_count: null, outputs: [] };
}

async function execute(
  notebook: Notebook,
  cells: readonly CodeCell[],
  cwd: string,
  device: string | undefined,
): Promise<number> {
  const terminal = new Terminal(cells.length);
  terminal.progress(0, "starting the kernel");
  // A kernel that is still starting ends with its parent.
  let stop: () => void = () => process.exit(interrupted);
  const onSignal = () => stop();
  process.on("SIGINT", onSignal);
  try {
    const client = await startClient({ cwd, env: device === undefined ? {} : { JITLAB_DEVICE: device } });
    try {
      const run = new Run(client, terminal);
      stop = () => run.stop();
      await describeKernel(notebook, client);
      const status = await run.cells(cells);
      // The other processes of a job may wait for this one: its launcher ends them when this one fails.
      if (status !== 0 && isLaunched()) client.kill();
      return status;
    } finally {
      await client.shutdown(exitPatience(5000));
    }
  } finally {
    process.off("SIGINT", onSignal);
    terminal.close();
  }
}

/** One run: the client, the terminal, and which cell each message belongs to. */
class Run {
  readonly #collector = new OutputCollector();
  readonly #cells = new Map<string, CodeCell>();
  #stopped = false;

  constructor(
    readonly client: KernelClient,
    readonly terminal: Terminal,
  ) {
    // By the parent's id, so that late output of an earlier cell finds its cell too.
    client.onMessage((message, channel) => {
      const cell = this.#cells.get(message.parent.msg_id ?? "");
      if (channel === "iopub" && cell) this.#receive(cell, message.header.msg_type, message.content);
    });
  }

  /** Runs the cells in order until one fails unexpectedly; returns the exit status. */
  async cells(cells: readonly CodeCell[]): Promise<number> {
    for (const [index, cell] of cells.entries()) {
      this.terminal.progress(index, `cell ${index + 1}`);
      const failed = cell.source.trim() !== "" && !(await this.#cell(cell, index + 1));
      if (this.#stopped) return interrupted;
      if (failed && !mayFail(cell)) {
        const left = cells.length - index - 1;
        if (left > 0) this.terminal.printError(`Stopped at cell ${index + 1}; ${left} more did not run.\n`);
        return 1;
      }
    }
    return 0;
  }

  /** Stops the running cell; the second time, the kernel. */
  stop(): void {
    if (this.#stopped) this.client.kill();
    else this.#interrupt();
    this.#stopped = true;
  }

  #interrupt(): void {
    this.client.interrupt().catch(() => undefined); // the cell's own answer says that the kernel died
  }

  async #cell(cell: CodeCell, number: number): Promise<boolean> {
    const { terminal } = this;
    terminal.print(`${terminal.accent(`[${number}]`)} ${indent(cell.source)}\n`);
    const { id, answer } = this.client.sendExecute(cell.source);
    this.#cells.set(id, cell);
    try {
      const { reply } = await answer;
      const count = reply.content.execution_count;
      cell.execution_count = typeof count === "number" ? count : null;
      return reply.content.status === "ok";
    } catch (error) {
      if (!(error instanceof JitlabError)) throw error;
      this.#receive(cell, "error", { ename: error.code, evalue: error.what, traceback: [error.message] });
      return false;
    } finally {
      terminal.flush();
      terminal.print("\n");
    }
  }

  #receive(cell: CodeCell, type: string, content: Data): void {
    // An interrupt before the cell's request had no effect.
    if (type === "execute_input" && this.#stopped) this.#interrupt();
    const { passing } = (content.transient ?? {}) as Data;
    if (passing) {
      this.terminal.note(String((content.data as Data)["text/plain"] ?? ""));
      return;
    }
    if (type === "clear_output") this.terminal.note("");
    const output = this.#collector.add(cell, { type, content });
    if (output !== undefined) this.#show(output);
    else if (type === "update_display_data") this.terminal.note(plainText(content.data as Data));
  }

  #show(output: Output): void {
    if (output.output_type === "stream") {
      if (output.name === "stderr") this.terminal.printError(output.text);
      else this.terminal.print(output.text);
    } else if (output.output_type === "error") {
      this.terminal.printError(`${output.traceback.join("\n")}\n`);
    } else {
      this.terminal.flush();
      this.terminal.print(`${plainText(output.data)}\n`);
    }
  }
}

function plainText(data: Data): string {
  return String(data["text/plain"] ?? `<${Object.keys(data).join(", ")}>`);
}

// Jupyter's own mark of a cell that shows an error on purpose.
function mayFail(cell: CodeCell): boolean {
  const { tags } = cell.metadata;
  return Array.isArray(tags) && tags.includes("raises-exception");
}

// A notebook file keeps a figure's picture, not the Plotly library that a live one brings.
async function writeExecuted(path: string, notebook: Notebook, cells: readonly CodeCell[]): Promise<void> {
  const { withoutPlotly } = await import("../../magics/render/bundle.js");
  for (const output of cells.flatMap((cell) => cell.outputs)) {
    if (output.output_type !== "display_data" && output.output_type !== "execute_result") continue;
    const html = output.data["text/html"];
    if (typeof html === "string") output.data = { ...output.data, "text/html": withoutPlotly(html) };
  }
  writeNotebook(path, notebook);
}

// The source stands beside its number, each further line below its first.
function indent(source: string): string {
  return source.trimEnd().replaceAll("\n", "\n    ");
}

// The metadata that a front end stores about the kernel of a notebook.
async function describeKernel(notebook: Notebook, client: KernelClient): Promise<void> {
  const { language_info } = await client.kernelInfo();
  const { display_name, language } = kernelspec();
  const earlier = notebook.metadata.kernelspec ?? { name: "jitlab", display_name, language };
  notebook.metadata = { ...notebook.metadata, kernelspec: earlier, language_info };
}

function prepareTarget(target: string, source: string): void {
  if (existsSync(target) && realpathSync(target) === realpathSync(source)) {
    throw new JitlabError(
      "output-is-input",
      `${target} is the notebook itself, which is never changed.`,
      "Pass another path to --output.",
    );
  }
  try {
    mkdirSync(dirname(target), { recursive: true });
    accessSync(dirname(target), constants.W_OK);
  } catch (error) {
    throw new JitlabError(
      "not-writable",
      `Cannot write ${target}: ${(error as NodeJS.ErrnoException).code}.`,
      "Choose a folder that you may write to.",
    );
  }
}
