// How long a notebook waits for its kernel, ours beside others, through the same client over the same sockets.
// `npm run bench:kernel:peers` fetches the others.
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Answer, KernelClient } from "../kernel/cli/client.js";
import { makeSnapshot, usableSnapshot } from "../kernel/language/snapshot-file.js";
import { median } from "../runtime/base/units.js";
import { runProgram } from "./peer.js";
import { messageOf, type PeerFigure, progress, type Trial } from "./trial.js";

const starts = 3;
const historyCells = 30;
const measuredCells = 20;
const completions = 10;
const interrupts = 5;
const printedLines = 1000;
const spinSeconds = 4;
const patienceMs = 15_000;
// tslab refuses cells for a moment after a failed one.
const abortingMs = 300;

type Measure = (client: KernelClient, kernel: NotebookKernel) => Promise<number>;

const startTrials: readonly Trial[] = [
  { id: "kernel/ready", title: "start until it answers", unit: "ms" },
  { id: "kernel/first-cell", title: "start until the first cell is done", unit: "ms" },
];

const runningTrials: readonly (Trial & { readonly measure: Measure })[] = [
  {
    id: "kernel/cell",
    title: `a trivial cell after ${historyCells} others`,
    unit: "ms",
    measure: (client, { cells }) => medianOf(measuredCells, (i) => run(client, cells.trivial(i))),
  },
  {
    id: "kernel/complete-idle",
    title: "completion, idle",
    unit: "ms",
    measure: (client, kernel) => medianOf(completions, () => complete(client, kernel)),
  },
  {
    id: "kernel/complete-busy",
    title: "completion while a cell runs",
    unit: "ms",
    measure: (client, kernel) => whileSpinning(client, kernel, (spin) => completeBusy(client, kernel, spin)),
  },
  {
    id: "kernel/heartbeat-busy",
    title: "slowest heartbeat while a cell spins",
    unit: "ms",
    measure: (client, kernel) => whileSpinning(client, kernel, () => slowestHeartbeat(client)),
  },
];

// Each in a separate kernel, because some end it.
const roughTrials: typeof runningTrials = [
  {
    id: "kernel/output",
    title: `a cell that prints ${printedLines} lines`,
    unit: "ms",
    measure: printLines,
  },
  {
    id: "kernel/interrupt",
    title: "interrupt of a loop until the cell is done",
    unit: "ms",
    measure: (client, kernel) => medianOf(interrupts, () => interruptLoop(client, kernel)),
  },
];

/** Measures one kernel; a timeout is recorded as a failure. */
async function measure(kernel: NotebookKernel): Promise<PeerFigure[]> {
  const figures: PeerFigure[] = [];
  const peer = kernel.name;
  progress(`${peer}: starting`);
  const ready: number[] = [];
  const first: number[] = [];
  for (let i = 0; i < starts; i++) {
    const began = performance.now();
    const client = await start(kernel);
    ready.push(performance.now() - began);
    await run(client, kernel.cells.trivial(1));
    first.push(performance.now() - began);
    if (i === starts - 1) figures.push(...(await measureRunning(kernel, client, runningTrials)));
    await client.shutdown();
  }
  for (const trial of roughTrials) {
    const client = await start(kernel);
    figures.push(...(await measureRunning(kernel, client, [trial])));
    await client.shutdown();
  }
  return [
    { peer, id: "kernel/ready", value: median(ready) },
    { peer, id: "kernel/first-cell", value: median(first) },
    ...figures,
  ];
}

function start(kernel: NotebookKernel): Promise<KernelClient> {
  return KernelClient.start(kernel.argv ? { argv: kernel.argv } : {});
}

async function measureRunning(
  kernel: NotebookKernel,
  client: KernelClient,
  trials: typeof runningTrials,
): Promise<PeerFigure[]> {
  const { cells, name: peer } = kernel;
  const history = Array.from({ length: historyCells }, (_, i) => cells.history(i));
  for (const code of [...cells.setup, ...history]) await run(client, code);
  const figures: PeerFigure[] = [];
  for (const { id, title, measure } of trials) {
    progress(`${peer}: ${title}`);
    try {
      figures.push({ peer, id, value: await measure(client, kernel) });
    } catch (error) {
      figures.push({ peer, id, failure: messageOf(error) });
    }
  }
  return figures;
}

/** Milliseconds from sending a cell to its reply and its `idle`. */
async function run(client: KernelClient, code: string): Promise<number> {
  const began = performance.now();
  const { reply } = await within(client.execute(code));
  const took = performance.now() - began;
  if (reply.content.status === "ok") return took;
  throw new Error(`The cell ${JSON.stringify(code)} failed: ${JSON.stringify(reply.content)}`);
}

async function complete(client: KernelClient, { cells }: NotebookKernel): Promise<number> {
  const [text, match] = cells.completion;
  const began = performance.now();
  const { matches } = await within(client.complete(text));
  const took = performance.now() - began;
  const found = (matches as string[]).some((one) => one === match || one.endsWith(`.${match}`));
  if (found) return took;
  throw new Error(`The completion of ${text} lacks ${match}: ${JSON.stringify(matches).slice(0, 200)}`);
}

/** A cell that spins, and whether it still does. */
interface Spin {
  readonly cell: Promise<Answer>;
  readonly done: boolean;
}

/** Measures in the middle of a cell that spins, and waits for its end. */
async function whileSpinning(
  client: KernelClient,
  { cells }: NotebookKernel,
  act: (spin: Spin) => Promise<number>,
): Promise<number> {
  const spin = { cell: client.execute(cells.spin(spinSeconds)), done: false };
  const ended = spin.cell.then(() => {
    spin.done = true;
  });
  await sleep(500);
  const value = await act(spin);
  await within(ended);
  return value;
}

/** The median; a single value if that waits for the cell's end. */
async function completeBusy(client: KernelClient, kernel: NotebookKernel, spin: Spin): Promise<number> {
  const times: number[] = [];
  while (times.length < completions && !spin.done) times.push(await complete(client, kernel));
  return median(times);
}

async function slowestHeartbeat(client: KernelClient): Promise<number> {
  let slowest = 0;
  const until = performance.now() + (spinSeconds * 1000) / 2;
  while (performance.now() < until) {
    slowest = Math.max(slowest, await within(client.heartbeat()));
    await sleep(50);
  }
  return slowest;
}

async function printLines(client: KernelClient, { cells }: NotebookKernel): Promise<number> {
  const began = performance.now();
  const { published } = await within(client.execute(cells.print(printedLines)));
  const took = performance.now() - began;
  const streams = published.filter(({ header }) => header.msg_type === "stream");
  const lines =
    streams
      .map(({ content }) => content.text)
      .join("")
      .split("\n").length - 1;
  if (lines === printedLines) return took;
  throw new Error(`${lines} of ${printedLines} lines arrived before the cell ended.`);
}

/** Interrupts a cell by the kernelspec's mode; the next cell must run and know the earlier ones. */
async function interruptLoop(client: KernelClient, kernel: NotebookKernel): Promise<number> {
  const { cells, interruptMode } = kernel;
  const cell = client.execute(cells.spin(60));
  await sleep(500);
  const began = performance.now();
  if (interruptMode === "signal") client.kernel?.kill("SIGINT");
  else void client.interrupt();
  const { reply } = await within(cell);
  const took = performance.now() - began;
  if (reply.content.status === "ok") throw new Error("The interrupted cell ended without an error.");
  await sleep(abortingMs);
  await run(client, "answers");
  return took;
}

async function medianOf(count: number, measureOnce: (i: number) => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) times.push(await measureOnce(i));
  return median(times);
}

async function within<T>(answer: Promise<T>): Promise<T> {
  const late = sleep(patienceMs, undefined, { ref: false }).then(() => {
    throw new Error(`No answer within ${patienceMs / 1000} s.`);
  });
  return Promise.race([answer, late]);
}

/** The latencies of our kernel and of the installed others. */
export async function notebookKernels(): Promise<{
  trials: Trial[];
  figures: PeerFigure[];
  peers: Record<string, string>;
}> {
  if (usableSnapshot() === undefined) await makeSnapshot(); // as `jitlab install` does
  const peers: Record<string, string> = {};
  const figures: PeerFigure[] = [];
  const kernels: readonly (readonly [string, NotebookKernel | undefined])[] = [
    [ownKernel.name, ownKernel],
    ...Object.entries(await peerKernels()),
  ];
  for (const [peer, kernel] of kernels) {
    if (kernel === undefined) {
      const failure = "not installed; `npm run bench:kernel:peers` fetches it";
      progress(`\nSKIPPED: ${peer}: ${failure}\n`);
      figures.push({ peer, id: "kernel", failure });
      continue;
    }
    if (kernel !== ownKernel) peers[peer] = kernel.version;
    try {
      figures.push(...(await measure(kernel)));
    } catch (error) {
      figures.push({ peer, id: "kernel", failure: messageOf(error) });
    }
  }
  const ours = (id: string) => figures.find((figure) => figure.peer === ownKernel.name && figure.id === id);
  const trials = [...startTrials, ...runningTrials, ...roughTrials].map(({ id, title, unit }) => {
    const { value, failure } = ours(id) ?? {};
    return { id, title, unit, ours: value, ...(failure === undefined ? {} : { failure }) };
  });
  return { trials, figures, peers };
}

/** A kernel, with cells in its language. */
interface NotebookKernel {
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
const ownKernel: NotebookKernel = {
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
async function peerKernels(): Promise<Readonly<Record<string, NotebookKernel | undefined>>> {
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
