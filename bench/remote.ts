// `npm run bench:remote`: the cache that several machines share, with redis-server on this one: what a fetch costs beside a
// compile, how often machines that start at once compile a kernel, and what a server that fails adds to a call.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { median } from "../runtime/base/median.js";
import { describeMachine } from "./machine.js";
import { startRedis } from "./redis-server.js";
import { faults } from "./remote-faults.js";
import { Machines } from "./remote-machine.js";
import { formatRun, writeRun } from "./report.js";
import { progress, quantile, type Trial } from "./trial.js";

const clients = 8;

const results = fileURLToPath(new URL("../../bench/results", import.meta.url));
const program = new Command("bench:remote")
  .description("Measures the shared cache; needs redis-server and a C++ compiler.")
  .option("--kernels <n>", "kernels of one machine", Number, 200)
  .option("--rounds <n>", "pairs of runs with and without a shared cache that fails", Number, 5)
  .option("--out <folder>", "where to write the result", results);

const machines = new Machines();

program.action(async ({ kernels, rounds, out }: { kernels: number; rounds: number; out: string }) => {
  const redis = await startRedis();
  const server = `redis://127.0.0.1:${redis.port}/0`;
  const shared = `file://${join(machines.folder, "shared")}`;
  try {
    const trials = [
      ...(await fetches("remote/redis", "a Redis server on this machine", server, kernels)),
      ...(await fetches("remote/folder", "a folder on this machine", shared, kernels)),
      await together(server, kernels),
      ...(await faults(machines, rounds)),
    ];
    const run = { subject: "remote" as const, machine: describeMachine(), peers: {}, trials, figures: [] };
    process.stdout.write(formatRun(run));
    writeRun(run, out);
  } finally {
    await redis.stop();
    machines.remove();
  }
});
await program.parseAsync();

/** The cost of a kernel for a machine that compiles it, and for one that fetches it. */
async function fetches(id: string, place: string, address: string, count: number): Promise<Trial[]> {
  progress(`${place}: ${count} kernels compiled, then fetched`);
  const compiled = (await machines.run(address, count)).map(({ ms }) => ms);
  const second = await machines.run(address, count);
  // The first one waits for the thread and for the connection.
  const [first = Number.NaN, ...fetched] = second
    .filter(({ origin }) => origin === "remote")
    .map(({ ms }) => ms);
  const detail = { "median compile": median(compiled), first, fetched: fetched.length + 1 };
  return [
    { id: `${id}-fetch`, title: `fetch from ${place}`, unit: "ms", ours: median(fetched), detail },
    { id: `${id}-fetch-p99`, title: "  p99", unit: "ms", ours: quantile(fetched, 0.99) },
  ];
}

/** How often each kernel is compiled when machines start at once. */
async function together(server: string, count: number): Promise<Trial> {
  progress(`${clients} machines at once, ${count} kernels each`);
  const runs = await Promise.all(Array.from({ length: clients }, () => machines.run(server, count, 100_000)));
  const compiled = runs.flat().filter(({ origin }) => origin === "compiled").length;
  return {
    id: "remote/together",
    title: `compiles of each kernel, ${clients} machines at once`,
    unit: "",
    ours: compiled / count,
    detail: { compiled, kernels: count },
  };
}
