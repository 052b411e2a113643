// `npm run bench:remote`: the cache that several machines share, with redis-server on this one: what a fetch costs beside a
// compile, how often machines that start at once compile a kernel, and what a server that fails adds to a call.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { describeMachine } from "./machine.js";
import { runProgram } from "./process.js";
import { formatRun, writeRun } from "./report.js";
import { median, progress, quantile, type Trial } from "./trial.js";

const port = 16379;
const proxyPort = 16380;
const server = `redis://127.0.0.1:${port}/0`;
const clients = 8;
const perFault = 8;
const secret = "the secret of the benchmark";
const child = fileURLToPath(new URL("./remote-child.js", import.meta.url));

interface Kernel {
  readonly origin: string;
  readonly ms: number;
  readonly compilerMs: number;
}

const results = fileURLToPath(new URL("../../bench/results", import.meta.url));
const program = new Command("bench:remote")
  .description("Measures the shared cache; needs redis-server and a C++ compiler.")
  .option("--kernels <n>", "kernels of one machine", Number, 200)
  .option("--out <folder>", "where to write the result", results);

const folder = mkdtempSync(join(tmpdir(), "jitlab-bench-"));
let machines = 0;

/** What a machine with an empty cache of its own gets, from the shared cache or by compiling. */
async function machine(address: string, count: number, first = 0, key = secret): Promise<Kernel[]> {
  const { lines, failure } = await runProgram(process.execPath, [child, `${count}`, `${first}`], {
    JITLAB_CACHE_DIR: join(folder, `machine-${machines++}`),
    JITLAB_REMOTE_CACHE: address,
    JITLAB_REMOTE_CACHE_KEY: key,
  });
  if (failure !== "") throw new Error(failure);
  return JSON.parse(lines.at(-1) ?? "") as Kernel[];
}

async function startServer(): Promise<ChildProcess> {
  const started = spawn("redis-server", ["--port", `${port}`, "--save", "", "--appendonly", "no"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(started.stdout, "data");
  await new Promise((resolve) => setTimeout(resolve, 500));
  return started;
}

program.action(async ({ kernels, out }: { kernels: number; out: string }) => {
  const redis = await startServer();
  try {
    const trials = [
      ...(await fetches("remote/redis", "a Redis server on this machine", server, kernels)),
      ...(await fetches(
        "remote/folder",
        "a folder on this machine",
        `file://${join(folder, "shared")}`,
        kernels,
      )),
      await together(kernels),
      ...(await faults(redis)),
    ];
    const run = { subject: "remote" as const, machine: describeMachine(), peers: {}, trials, figures: [] };
    process.stdout.write(formatRun(run));
    writeRun(run, out);
  } finally {
    redis.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});
await program.parseAsync();

/** What a kernel costs a machine that compiles it, and one that fetches it. */
async function fetches(id: string, place: string, address: string, count: number): Promise<Trial[]> {
  progress(`${place}: ${count} kernels compiled, then fetched`);
  const compiled = (await machine(address, count)).map(({ ms }) => ms);
  const second = await machine(address, count);
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

/** How often each kernel is compiled where machines start at once. */
async function together(count: number): Promise<Trial> {
  progress(`${clients} machines at once, ${count} kernels each`);
  const runs = await Promise.all(Array.from({ length: clients }, () => machine(server, count, 100_000)));
  const compiled = runs.flat().filter(({ origin }) => origin === "compiled").length;
  return {
    id: "remote/together",
    title: `compiles of each kernel, ${clients} machines at once`,
    unit: "",
    ours: compiled / count,
    detail: { compiled, kernels: count },
  };
}

/** What a call waits beyond its compile, at most, where the server fails in different ways. */
async function faults(redis: ChildProcess): Promise<Trial[]> {
  let first = 200_000;
  const trial = async (name: string, title: string, address: string, key?: string): Promise<Trial> => {
    progress(title);
    first += perFault;
    const kernels = (await machine(address, perFault, first, key)).filter(
      ({ origin }) => origin === "compiled",
    );
    const beyond = kernels.map(({ ms, compilerMs }) => ms - compilerMs);
    const detail = { median: median(beyond), compiled: kernels.length };
    return {
      id: `remote/fault-${name}`,
      title: `beyond the compile: ${title}`,
      unit: "ms",
      ours: Math.max(...beyond),
      detail,
    };
  };
  const proxy = createServer((socket) => {
    const to = connect(port, "127.0.0.1");
    socket.pipe(to);
    to.on("data", (chunk) => setTimeout(() => socket.write(chunk), 200));
    for (const end of [socket, to]) end.on("error", () => end.destroy());
    socket.on("close", () => to.destroy());
  }).listen(proxyPort);
  const { port: slow } = proxy.address() as AddressInfo;
  const trials = [
    await trial("none", "no shared cache", ""),
    await trial("well", "a server that is well", server),
    await trial("slow", "a server 200 ms away", `redis://127.0.0.1:${slow}/0`),
    await trial("gone", "nothing listens", "redis://127.0.0.1:1/0"),
  ];
  proxy.close();
  redis.kill("SIGSTOP");
  trials.push(await trial("stopped", "a stopped server", server));
  redis.kill("SIGCONT");
  // The rows of another group: every one has a wrong seal.
  await machine(server, perFault, first + perFault);
  trials.push(await trial("forged", "rows with a wrong seal", server, "the secret of another group"));
  return trials;
}
