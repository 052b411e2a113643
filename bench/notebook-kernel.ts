// The compared notebook kernels: how each is started and interrupted, and the measured cells. scripts/kernel-peers.mjs
// installs the others into build/peers.
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "./process.js";

/** A kernel, with cells in its language. */
export interface NotebookKernel {
  readonly name: string;
  readonly version: string;
  /** The command line of its kernelspec; undefined for ours. */
  readonly argv?: readonly string[];
  /** The kernelspec's interrupt_mode. */
  readonly interruptMode: "message" | "signal";
  readonly cells: Cells;
}

/** Cells that do the same in every language. */
interface Cells {
  /** The cells before those that are measured. */
  readonly setup: readonly string[];
  /** A cell of history that declares variable `i`. */
  history(i: number): string;
  /** All different, because a kernel may cache earlier answers. */
  trivial(i: number): string;
  /** Keeps the process busy for some seconds. */
  spin(seconds: number): string;
  /** Prints the numbers below `count`, one to a line. */
  print(count: number): string;
  /** Text to complete at its end, and one of the expected matches. */
  readonly completion: readonly [text: string, match: string];
}

const typescript: Cells = {
  setup: ["const answers = [1, 2, 3]"],
  history: (i) => `const v${i} = ${i} * 2;`,
  trivial: (i) => `1 + ${i}`,
  spin: (seconds) => `{ const end = Date.now() + ${seconds * 1000}; while (Date.now() < end); }`,
  print: (count) => `for (let i = 0; i < ${count}; i++) console.log(i);`,
  completion: ["answers.leng", "length"],
};

const python: Cells = {
  setup: ["import time", "answers = [1, 2, 3]"],
  history: (i) => `v${i} = ${i} * 2`,
  trivial: (i) => `1 + ${i}`,
  spin: (seconds) => `end = time.time() + ${seconds}\nwhile time.time() < end: pass`,
  print: (count) => `for i in range(${count}): print(i)`,
  completion: ["answers.appe", "append"],
};

/** Our kernel. */
export const ownKernel: NotebookKernel = {
  name: "jitlab",
  version: "",
  interruptMode: "message",
  cells: {
    ...typescript,
    setup: ['import * as jl from "jitlab"', ...typescript.setup],
  },
};

const peersFolder = fileURLToPath(new URL("../../build/peers", import.meta.url));

/** The kernels of others, by name; undefined where one is not installed. */
export async function peerKernels(): Promise<Readonly<Record<string, NotebookKernel | undefined>>> {
  return { ipykernel: await ipykernel(), tslab: tslab(), deno: await deno() };
}

async function ipykernel(): Promise<NotebookKernel | undefined> {
  const program = join(peersFolder, "ipykernel", "bin", "python");
  const asked = await runProgram(program, ["-c", "import ipykernel; print(ipykernel.__version__)"]);
  if (asked.failure !== "") return undefined;
  const argv = [program, "-m", "ipykernel_launcher", "-f", "{connection_file}"];
  return { name: "ipykernel", version: asked.lines[0] ?? "", argv, interruptMode: "signal", cells: python };
}

function tslab(): NotebookKernel {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve("tslab/package.json");
  const { version } = require(manifest) as { version: string };
  const program = join(dirname(manifest), "bin", "tslab");
  const argv = [process.execPath, program, "kernel", "--config-path={connection_file}"];
  return { name: "tslab", version, argv, interruptMode: "signal", cells: typescript };
}

async function deno(): Promise<NotebookKernel | undefined> {
  // The program itself, without the Node that npm starts it with.
  const folder = join(peersFolder, "node_modules", "@deno");
  const [platform] = existsSync(folder) ? readdirSync(folder) : [];
  if (platform === undefined) return undefined;
  const program = join(folder, platform, "deno");
  const asked = await runProgram(program, ["--version"]);
  if (asked.failure !== "") return undefined;
  const argv = [program, "jupyter", "--kernel", "--conn", "{connection_file}"];
  return { name: "deno", version: asked.lines[0] ?? "", argv, interruptMode: "signal", cells: typescript };
}
