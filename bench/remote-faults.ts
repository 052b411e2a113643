// The cost of a failing shared cache per call: runs with and without it take turns, so that a busy machine slows both, and
// calls with the same number are compared.

import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../runtime/base/median.js";
import { type RedisServer, startRedis, startSlowProxy } from "./redis-server.js";
import type { Kernel, Machines } from "./remote-machine.js";
import { progress, type Trial } from "./trial.js";

// Calls of one run; the first one waits for the thread that compiles.
const calls = 8;
const slowMs = 200;
// A run takes longer.
const untilFailureMs = 20;
const kernels = "*:kernel:*";
const damage = `for _, key in ipairs(redis.call("keys", "${kernels}")) do redis.call("set", key, string.rep("x", 5000)) end`;

type Run = (first: number, machines: Machines) => Promise<readonly Kernel[]>;

const addressOf = (port: number) => `redis://127.0.0.1:${port}/0`;

async function withServer<T>(work: (redis: RedisServer) => Promise<T>): Promise<T> {
  const redis = await startRedis();
  try {
    return await work(redis);
  } finally {
    await redis.stop();
  }
}

/** Waits until a run has stored its first kernel. */
async function inUse(redis: RedisServer): Promise<void> {
  while (redis.ask("keys", kernels) === "") await sleep(untilFailureMs);
}

const failing: readonly (readonly [name: string, title: string, run: Run])[] = [
  [
    "well",
    "a server that is well",
    (first, machines) => withServer(({ port }) => machines.run(addressOf(port), calls, first)),
  ],
  [
    "slow",
    `a server ${slowMs} ms away`,
    (first, machines) =>
      withServer(async ({ port }) => {
        const proxy = await startSlowProxy(port, slowMs);
        try {
          return await machines.run(addressOf(proxy.port), calls, first);
        } finally {
          proxy.stop();
        }
      }),
  ],
  ["gone", "nothing listens", (first, machines) => machines.run(addressOf(1), calls, first)],
  [
    "stopped",
    "a stopped server",
    (first, machines) =>
      withServer((redis) => {
        redis.process.kill("SIGSTOP");
        return machines.run(addressOf(redis.port), calls, first);
      }),
  ],
  [
    "killed",
    "a server that is killed meanwhile",
    (first, machines) =>
      withServer(async (redis) => {
        const running = machines.run(addressOf(redis.port), calls, first);
        await inUse(redis);
        await redis.stop();
        return running;
      }),
  ],
  [
    "restarted",
    "a server that is restarted meanwhile",
    (first, machines) =>
      withServer(async (redis) => {
        const running = machines.run(addressOf(redis.port), calls, first);
        await inUse(redis);
        await redis.stop();
        const again = await startRedis([], redis.port);
        return running.finally(() => again.stop());
      }),
  ],
  [
    "full",
    "a full server",
    (first, machines) =>
      withServer((redis) => {
        redis.ask("config", "set", "maxmemory", "1");
        return machines.run(addressOf(redis.port), calls, first);
      }),
  ],
  [
    "damaged",
    "damaged rows",
    (first, machines) =>
      withServer(async (redis) => {
        await machines.run(addressOf(redis.port), calls, first);
        redis.ask("eval", damage, "0");
        return machines.run(addressOf(redis.port), calls, first);
      }),
  ],
  [
    "forged",
    "rows of another group",
    (first, machines) =>
      withServer(async ({ port }) => {
        await machines.run(addressOf(port), calls, first);
        return machines.run(addressOf(port), calls, first, "the secret of another group");
      }),
  ],
];

/** The maximum added time per kind of failure. */
export async function faults(machines: Machines, rounds: number): Promise<Trial[]> {
  const trials: Trial[] = [];
  let first = 200_000;
  for (const [name, title, run] of failing) {
    progress(title);
    const added: (readonly number[])[] = [];
    let compiled = 0;
    for (let round = 0; round < rounds; round++) {
      first += calls;
      const base = beyondOf(await machines.run("", calls, first));
      first += calls;
      const got = await run(first, machines);
      compiled += got.filter(({ origin }) => origin === "compiled").length;
      added.push(beyondOf(got).map((ms, call) => ms - (base[call] ?? Number.NaN)));
    }
    const ofCall = Array.from({ length: calls }, (_, call) =>
      median(added.map((row) => row[call] ?? Number.NaN)),
    );
    const [start = Number.NaN] = ofCall;
    trials.push({
      ...{
        id: `remote/fault-${name}`,
        title: `added to a call: ${title}`,
        unit: "ms",
        ours: Math.max(...ofCall),
      },
      detail: { "first call": start, median: median(ofCall), rounds, compiled },
    });
  }
  return trials;
}

/** Each call's time beyond its compile. */
function beyondOf(run: readonly Kernel[]): number[] {
  return run.map(({ ms, compilerMs }) => ms - compilerMs);
}
