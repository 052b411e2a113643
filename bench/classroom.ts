// `npm run bench:classroom`: many kernels of one user on this machine, as a class has them: how long it takes until all that
// start at once have run their first cell, how often they compile it, what memory each takes beyond what they share, awake and
// when its language process has ended, and how soon that wakes. Reads /proc, so it needs Linux.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { KernelClient } from "../kernel/cli/client.js";
import { languageIdleMs } from "../kernel/language/language-process.js";
import { makeSnapshot } from "../kernel/language/snapshot-file.js";
import { median } from "../runtime/base/median.js";
import { describeMachine } from "./machine.js";
import { formatRun, writeRun } from "./report.js";
import { progress, type Trial } from "./trial.js";

const results = fileURLToPath(new URL("../../bench/results", import.meta.url));
const firstCell = `import * as jl from "jitlab";
const x = jl.arange(5);
x.bitwiseXor(3);
JSON.stringify(jl.timings().map(({ key, origin }) => [key, origin]))`;
// After this, leftovers of the start such as garbage are collected.
const settleMs = 20_000;
// Linux counts in hundredths of a second here.
const tickMs = 10;
const megabyte = 1024 * 1024;

const program = new Command("bench:classroom")
  .description("Measures many kernels of one machine; needs a C++ compiler, and takes some minutes.")
  .option("--kernels <n>", "how many kernels", Number, 40)
  .option("--out <folder>", "where to write the result", results);

program.action(async ({ kernels, out }: { kernels: number; out: string }) => {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-class-"));
  const env = { JITLAB_CACHE_DIR: folder, JITLAB_DEVICE: "cpu" };
  process.env.JITLAB_CACHE_DIR = folder;
  progress("the snapshot, which `jitlab install` makes");
  await makeSnapshot();
  progress(`${kernels} kernels at once`);
  const began = performance.now();
  const started = await Promise.all(Array.from({ length: kernels }, () => firstAnswer(env)));
  const stormSeconds = (performance.now() - began) / 1000;
  const clients = started.map(({ client }) => client);
  try {
    await sleep(settleMs);
    const awake = memory("classroom/awake", `memory of a kernel among ${kernels}`, clients);
    progress(`idle for ${languageIdleMs / 60_000} minutes`);
    await sleep(languageIdleMs);
    const asleep = memory("classroom/idle", "  once its language process has ended", clients);
    progress("the next keystroke in each");
    const wakes: Wake[] = [];
    for (const client of clients) wakes.push(await wake(client));
    const times = wakes.map(({ ms }) => ms);
    const trials: Trial[] = [
      { id: "classroom/storm", title: "first cell done in all", unit: "s", ours: stormSeconds },
      compiles(started.map(({ kernels: used }) => used)),
      awake,
      asleep,
      {
        ...{ id: "classroom/wake", title: "first completion then", unit: "ms", ours: median(times) },
        detail: {
          slowest: Math.max(...times),
          "the thread's own time": median(wakes.map(({ threadMs }) => threadMs)),
        },
      },
    ];
    const machine = describeMachine();
    const run = { subject: "classroom" as const, machine, peers: {}, trials, figures: [] };
    process.stdout.write(formatRun(run));
    writeRun(run, out);
  } finally {
    await Promise.all(clients.map((client) => client.shutdown()));
    rmSync(folder, { recursive: true, force: true });
  }
});
await program.parseAsync();

/** A kernel that has run the first cell, and that cell's kernels with their origins. */
interface Started {
  readonly client: KernelClient;
  readonly kernels: readonly (readonly [key: string, origin: string])[];
}

async function firstAnswer(env: Readonly<Record<string, string>>): Promise<Started> {
  const client = await KernelClient.start({ env });
  const { reply, published } = await client.execute(firstCell);
  const shown = published.find(({ header }) => header.msg_type === "execute_result");
  if (reply.content.status !== "ok" || !shown) throw new Error(JSON.stringify(reply.content));
  const text = (shown.content.data as Record<string, string>)["text/plain"] ?? "";
  return { client, kernels: JSON.parse(text.slice(1, -1)) };
}

function compiles(used: readonly Started["kernels"][]): Trial {
  const all = used.flat();
  const compiled = all.filter(([, origin]) => origin === "compiled").length;
  const kernels = new Set(all.map(([key]) => key)).size;
  return {
    ...{ id: "classroom/compiles", title: "compiles of each kernel", unit: "", ours: compiled / kernels },
    detail: { compiled, kernels },
  };
}

/** The time of a completion that must start its language process: until the answer, and of its thread. */
interface Wake {
  readonly ms: number;
  readonly threadMs: number;
}

async function wake(client: KernelClient): Promise<Wake> {
  const began = performance.now();
  const { matches } = await client.complete("x.bitwiseX");
  const ms = performance.now() - began;
  const found = (matches as string[]).some((match) => match.endsWith("bitwiseXor"));
  if (!found) throw new Error(`The kernel completes x.bitwiseX with ${JSON.stringify(matches)}.`);
  const process = childrenOf(client.kernel?.pid ?? 0).find((pid) => nameOf(pid) === "language process");
  return { ms, threadMs: threadTime(process ?? 0) };
}

/** Milliseconds for which a process's first thread has run. */
function threadTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/**
 * Unshared megabytes of one kernel's processes, the median over all kernels, and by process including its part of shared
 * memory.
 */
function memory(id: string, title: string, clients: readonly KernelClient[]): Trial {
  const rows = clients.map((client) => memoryOf(client.kernel?.pid ?? 0));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].sort();
  const middle = (measure: (row: Usage) => number) => median(rows.map(measure)) / megabyte;
  const sum = (row: Usage, part: keyof Part) => Object.values(row).reduce((all, one) => all + one[part], 0);
  const detail = Object.fromEntries([
    ["with its part of what is shared", middle((row) => sum(row, "proportional"))],
    ...names.map((name) => [name, middle((row) => row[name]?.own ?? 0)] as const),
  ]);
  return { id, title, unit: "MB", ours: middle((row) => sum(row, "own")), detail };
}

interface Part {
  /** Bytes of memory that no other process has. */
  readonly own: number;
  /** Those, and its part of what several share. */
  readonly proportional: number;
}
type Usage = Readonly<Record<string, Part>>;

/** What the processes of a kernel use, by their names. */
function memoryOf(pid: number): Usage {
  const usage: Record<string, Part> = {};
  for (const one of [pid, ...childrenOf(pid)]) {
    const text = readFileSync(`/proc/${one}/smaps_rollup`, "utf8");
    const bytes = (field: string) =>
      Number(new RegExp(`^${field}: +(\\d+) kB`, "m").exec(text)?.[1] ?? Number.NaN) * 1024;
    const own = bytes("Private_Clean") + bytes("Private_Dirty");
    usage[one === pid ? "main process" : nameOf(one)] = { own, proportional: bytes("Pss") };
  }
  return usage;
}

function nameOf(pid: number): string {
  const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
  return /snapshot-blob|language/.test(command) ? "language process" : "child";
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const list = readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim();
    return list === "" ? [] : list.split(" ").map(Number);
  });
}
