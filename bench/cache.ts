// `npm run bench:cache`: the kernel database with ten thousand kernels of 30 KB: what a fetch, a put and opening it cost,
// and what stamping the last use costs a fetch under three policies.

import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import type LibSQL from "libsql";
import { median } from "../runtime/base/median.js";
import { DiskStore } from "../runtime/cache/disk.js";
import { statements } from "../runtime/cache/schema.js";
import { describeMachine } from "./machine.js";
import { runProgram } from "./process.js";
import { formatRun, writeRun } from "./report.js";
import { progress, quantile, type Trial } from "./trial.js";

const binaryBytes = 30_000;
const assemblyBytes = 8_000;
const sourceBytes = 4_000;
const fetches = 5_000;
// A stamp on every fetch waits for the disk.
const stampedFetches = 1_000;
const opens = 7;

const results = fileURLToPath(new URL("../../bench/results", import.meta.url));
const program = new Command("bench:cache")
  .description("Measures the kernel database.")
  .option("--entries <n>", "stored kernels", Number, 10_000)
  .option("--out <folder>", "where to write the result", results);

program.action(async ({ entries, out }: { entries: number; out: string }) => {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-bench-"));
  try {
    const trials = await measure(join(folder, "cache"), entries);
    const run = { subject: "cache" as const, machine: describeMachine(), peers: {}, trials, figures: [] };
    process.stdout.write(formatRun(run));
    writeRun(run, out);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
await program.parseAsync();

async function measure(folder: string, entries: number): Promise<Trial[]> {
  const keys = Array.from({ length: entries }, (_, i) => createHash("sha256").update(`${i}`).digest("hex"));
  progress(`storing ${entries} kernels`);
  const store = new DiskStore(folder, Number.POSITIVE_INFINITY);
  store.open();
  const puts = keys.map((key) => put(store, key));
  progress("fetching");
  // As it is: hits are gathered and written every two seconds, the stamp once a day.
  const daily = timesOf(keys, fetches, (key) => store.fetch(key));
  store.close();
  const Database = createRequire(import.meta.url)("libsql") as typeof LibSQL;
  const database = new Database(join(folder, "kernels.sqlite"));
  const fetch = database.prepare(statements.fetch);
  const never = timesOf(keys, fetches, (key) => fetch.get(key));
  const stamp = database.prepare("UPDATE kernel SET last_use = ?, hits = hits + 1 WHERE key = ?");
  const always = timesOf(keys, stampedFetches, (key) => {
    fetch.get(key);
    stamp.run(Date.now(), key);
  });
  database.close();
  progress("opening");
  const opened = await openTimes(folder, keys[0] ?? "");
  const size = `${binaryBytes / 1000} KB among ${entries}`;
  return [
    ...fetchTrials("daily", `fetch of ${size}, last use stamped once a day`, daily),
    ...fetchTrials("never", `fetch of ${size}, never stamped (and not checked)`, never),
    ...fetchTrials("always", `fetch of ${size}, stamped every time`, always),
    { id: "cache/put", title: "put", unit: "ms", ours: median(puts), detail: { p99: quantile(puts, 0.99) } },
    opened,
  ];
}

/** Stores one kernel and returns the milliseconds. */
function put(store: DiskStore, key: string): number {
  const text = (bytes: number) => key.repeat(Math.ceil(bytes / key.length)).slice(0, bytes);
  const module = {
    binary: randomBytes(binaryBytes),
    assembly: text(assemblyBytes),
    log: "",
    kind: "cuda" as const,
    arch: "sm_90",
    compiler: "benchmark",
    flags: [],
    compileMs: 50,
  };
  const kernel = {
    key,
    symbol: "f",
    op: "op",
    variant: "contiguous",
    dtypes: ["float32"],
    source: text(sourceBytes),
    compileMs: 50,
  };
  const began = performance.now();
  store.put(module, [kernel]);
  return performance.now() - began;
}

/** Milliseconds of calls with keys in an order that no cache of pages foresees; the first tenth warms up. */
function timesOf(keys: readonly string[], count: number, call: (key: string) => unknown): number[] {
  const times: number[] = [];
  let at = 1;
  for (let i = 0; i < count * 1.1; i++) {
    at = (at * 48271) % 2147483647;
    const key = keys[at % keys.length] ?? "";
    const began = performance.now();
    call(key);
    times.push(performance.now() - began);
  }
  return times.slice(-count);
}

async function openTimes(folder: string, key: string): Promise<Trial> {
  const script = fileURLToPath(new URL("./cache-open.js", import.meta.url));
  const steps: { library: number; open: number; fetch: number }[] = [];
  for (let i = 0; i < opens; i++) {
    const { lines, failure } = await runProgram(process.execPath, [script, folder, key]);
    if (failure !== "") return { id: "cache/open", title: "open", unit: "ms", failure };
    steps.push(JSON.parse(lines[0] ?? "") as (typeof steps)[number]);
  }
  const step = (name: "library" | "open" | "fetch") => median(steps.map((times) => times[name]));
  return {
    id: "cache/open",
    title: "open, SQLite's library included",
    unit: "ms",
    ours: median(steps.map(({ library, open }) => library + open)),
    detail: { library: step("library"), open: step("open"), "first fetch": step("fetch") },
  };
}

function fetchTrials(id: string, title: string, times: readonly number[]): Trial[] {
  const detail = { mean: times.reduce((sum, time) => sum + time, 0) / times.length };
  return [
    { id: `cache/fetch-${id}`, title, unit: "ms", ours: median(times), detail },
    { id: `cache/fetch-${id}-p99`, title: "  p99", unit: "ms", ours: quantile(times, 0.99) },
  ];
}
