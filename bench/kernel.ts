// `npm run bench:kernel`: how long a notebook waits for its kernel, ours beside others that are installed, through the same
// client over the same sockets.
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { KernelClient } from "../kernel/client.js";
import { describeMachine } from "./machine.js";
import { type NotebookKernel, notebookKernels } from "./notebook-kernel.js";
import { formatRun, type PeerFigure, type Run, writeRun } from "./report.js";
import { median, progress, type Trial } from "./trial.js";

const starts = 3;
const historyCells = 30;
const measuredCells = 20;
const completions = 10;
const spinSeconds = 4;
const patienceMs = 15_000;

const trials: readonly Trial[] = [
  { id: "kernel/ready", title: "start until it answers", unit: "ms" },
  { id: "kernel/first-cell", title: "start until the first cell is done", unit: "ms" },
  { id: "kernel/cell", title: `a trivial cell after ${historyCells} others`, unit: "ms" },
  { id: "kernel/complete-idle", title: "completion, idle", unit: "ms" },
  { id: "kernel/complete-busy", title: "completion while a cell runs", unit: "ms" },
  { id: "kernel/heartbeat-busy", title: "slowest heartbeat while a cell spins", unit: "ms" },
];

/** Measures one kernel; what it does not answer in time is missing from the figures. */
async function measure(kernel: NotebookKernel): Promise<PeerFigure[]> {
  const figures: PeerFigure[] = [];
  const note = (id: string, value: number | undefined) =>
    figures.push(
      value === undefined
        ? { peer: kernel.name, id, failure: "no answer in time" }
        : { peer: kernel.name, id, value },
    );
  progress(`${kernel.name}: starting`);
  const begun: number[] = [];
  const first: number[] = [];
  for (let i = 0; i < starts; i++) {
    const began = performance.now();
    const client = await start(kernel);
    begun.push(performance.now() - began);
    await client.execute(kernel.cells.trivial);
    first.push(performance.now() - began);
    if (i < starts - 1) await client.shutdown();
    else await measureRunning(kernel, client, note).finally(() => client.shutdown());
  }
  note("kernel/ready", median(begun));
  note("kernel/first-cell", median(first));
  return figures;
}

function start(kernel: NotebookKernel): Promise<KernelClient> {
  return KernelClient.start(kernel.argv ? { argv: kernel.argv } : {});
}

async function measureRunning(
  kernel: NotebookKernel,
  client: KernelClient,
  note: (id: string, value: number | undefined) => void,
): Promise<void> {
  const { cells } = kernel;
  progress(`${kernel.name}: cells`);
  const history = Array.from({ length: historyCells }, (_, i) => cells.history(i));
  for (const code of [...cells.setup, ...history]) await run(client, code);
  note("kernel/cell", await medianOf(measuredCells, () => run(client, cells.trivial)));

  progress(`${kernel.name}: completion`);
  const complete = () => completeOnce(client, cells.completion);
  note("kernel/complete-idle", await medianOf(completions, complete));

  progress(`${kernel.name}: a running cell`);
  await spinning(kernel, client, async () => note("kernel/complete-busy", await within(complete())));
  await spinning(kernel, client, async () => note("kernel/heartbeat-busy", await slowestHeartbeat(client)));
}

/** Milliseconds from sending a cell to its reply and its `idle`. */
async function run(client: KernelClient, code: string): Promise<number> {
  const began = performance.now();
  const { reply } = await client.execute(code);
  const took = performance.now() - began;
  if (reply.content.status === "ok") return took;
  throw new Error(`The cell ${JSON.stringify(code)} failed: ${JSON.stringify(reply.content)}`);
}

async function completeOnce(client: KernelClient, [text, match]: readonly [string, string]): Promise<number> {
  const began = performance.now();
  const { matches } = await client.complete(text);
  const took = performance.now() - began;
  const found = (matches as string[]).some((one) => one === match || one.endsWith(`.${match}`));
  if (found) return took;
  throw new Error(`The completion of ${text} lacks ${match}: ${JSON.stringify(matches).slice(0, 200)}`);
}

/** Does something in the middle of a cell that spins, and waits for both. */
async function spinning(
  kernel: NotebookKernel,
  client: KernelClient,
  act: () => Promise<void>,
): Promise<void> {
  const cell = run(client, kernel.cells.spin(spinSeconds));
  await sleep(500);
  await act();
  await cell;
}

async function slowestHeartbeat(client: KernelClient): Promise<number | undefined> {
  let slowest = 0;
  const until = performance.now() + (spinSeconds * 1000) / 2;
  while (performance.now() < until) {
    const took = await within(client.heartbeat());
    if (took === undefined) return undefined;
    slowest = Math.max(slowest, took);
    await sleep(50);
  }
  return slowest;
}

async function medianOf(count: number, measureOnce: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) times.push(await measureOnce());
  return median(times);
}

/** A promise's value, or undefined if it takes too long. */
function within(value: Promise<number>): Promise<number | undefined> {
  return Promise.race([value, sleep(patienceMs, undefined, { ref: false })]);
}

const results = fileURLToPath(new URL("../../bench/results", import.meta.url));
const program = new Command("bench:kernel")
  .description("Measures the notebook kernel beside ipykernel, tslab and Deno where they are installed.")
  .option("--out <folder>", "where to write the result", results);

program.action(async ({ out }: { out: string }) => {
  const kernels = await notebookKernels();
  const figures: PeerFigure[] = [];
  for (const kernel of kernels) {
    try {
      figures.push(...(await measure(kernel)));
    } catch (error) {
      figures.push({
        peer: kernel.name,
        id: "kernel",
        failure: error instanceof Error ? error.message : String(error),
      });
    }
  }
  const [own, ...others] = kernels;
  const ours = (id: string) => figures.find((figure) => figure.peer === own?.name && figure.id === id)?.value;
  const run: Run = {
    subject: "kernel",
    machine: describeMachine(),
    peers: Object.fromEntries(others.map(({ name, version }) => [name, version])),
    trials: trials.map((trial) => ({ ...trial, ours: ours(trial.id) })),
    figures,
  };
  writeRun(run, out);
  process.stdout.write(formatRun(run));
});
await program.parseAsync();
