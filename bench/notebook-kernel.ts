// The notebook kernels that are compared: how each is started, and the cells that it is measured with.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { runProgram } from "./process.js";

/** A kernel, with cells in its language. */
export interface NotebookKernel {
  readonly name: string;
  readonly version: string;
  /** The command line of its kernelspec; undefined for ours. */
  readonly argv?: readonly string[];
  readonly cells: Cells;
}

/** Cells that do the same in every language. */
interface Cells {
  /** The cells before those that are measured. */
  readonly setup: readonly string[];
  /** A cell of history that declares variable `i`. */
  history(i: number): string;
  readonly trivial: string;
  /** Keeps the process busy for some seconds. */
  spin(seconds: number): string;
  /** Text to complete at its end, and one of the expected matches. */
  readonly completion: readonly [text: string, match: string];
}

const typescript: Cells = {
  setup: ["const answers = [1, 2, 3]"],
  history: (i) => `const v${i} = ${i} * 2;`,
  trivial: "1 + 1",
  spin: (seconds) => `{ const end = Date.now() + ${seconds * 1000}; while (Date.now() < end); }`,
  completion: ["answers.leng", "length"],
};

const python: Cells = {
  setup: ["import time", "answers = [1, 2, 3]"],
  history: (i) => `v${i} = ${i} * 2`,
  trivial: "1 + 1",
  spin: (seconds) => `end = time.time() + ${seconds}\nwhile time.time() < end: pass`,
  completion: ["answers.appe", "append"],
};

const ownKernel: NotebookKernel = {
  name: "jitlab",
  version: "",
  cells: {
    ...typescript,
    setup: ['import * as jl from "jitlab"', ...typescript.setup],
  },
};

/** Our kernel, and the others that are installed here. */
export async function notebookKernels(): Promise<NotebookKernel[]> {
  const found = await Promise.all([ipykernel(), tslab(), deno()]);
  return [ownKernel, ...found.flatMap((kernel) => (kernel ? [kernel] : []))];
}

async function ipykernel(): Promise<NotebookKernel | undefined> {
  const asked = await runProgram("python3", ["-c", "import ipykernel; print(ipykernel.__version__)"]);
  if (asked.failure !== "") return undefined;
  const argv = ["python3", "-m", "ipykernel_launcher", "-f", "{connection_file}"];
  return { name: "ipykernel", version: asked.lines[0] ?? "", argv, cells: python };
}

async function tslab(): Promise<NotebookKernel | undefined> {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve("tslab/package.json");
  const { version } = require(manifest) as { version: string };
  const argv = [
    process.execPath,
    join(dirname(manifest), "bin", "tslab"),
    "kernel",
    "--config-path={connection_file}",
  ];
  return { name: "tslab", version, argv, cells: typescript };
}

async function deno(): Promise<NotebookKernel | undefined> {
  const asked = await runProgram("deno", ["--version"]);
  if (asked.failure !== "") return undefined;
  const argv = ["deno", "jupyter", "--kernel", "--conn", "{connection_file}"];
  return { name: "deno", version: asked.lines[0] ?? "", argv, cells: typescript };
}
