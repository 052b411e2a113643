// Two processes with a GPU each, as torchrun starts them: NCCL between them. `kind === "cuda"` lets the stage of GPUs run it.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ncclVersion } from "../../dist/runtime/device/cuda/nccl.js";
import * as jl from "../../dist/runtime/index.js";

const script = join(import.meta.dirname, "..", "support", "world-process.mjs");
const gpus = jl.devices().filter(({ kind, available }) => kind === "cuda" && available).length;
const why = `(needs two GPUs and NCCL; there are ${gpus}, NCCL ${ncclVersion() ?? "is missing"})`;

/** What two processes find, by rank, and their exit statuses. */
async function job(program: string, changes: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-job-"));
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port - 1));
    });
  });
  const ended = [0, 1].map((rank) => {
    const environment = {
      ...{ RANK: `${rank}`, LOCAL_RANK: `${rank}`, WORLD_SIZE: "2" },
      ...{ MASTER_ADDR: "127.0.0.1", MASTER_PORT: `${port}`, ...changes },
    };
    const child = spawn(process.execPath, [script, program, folder, `cuda:${rank}`], {
      env: { ...process.env, JITLAB_DEVICE: "", ...environment },
      stdio: "inherit",
      timeout: 120_000,
    });
    return new Promise<number | null>((resolve) => child.on("exit", resolve));
  });
  const statuses = await Promise.all(ended);
  const found = [0, 1].map((rank) => {
    const path = join(folder, `${rank}`);
    return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as unknown) : undefined;
  });
  rmSync(folder, { recursive: true });
  return { found, statuses };
}

describe.skipIf(gpus < 2 || ncclVersion() === undefined)(`two processes ${why}`, { timeout: 180_000 }, () => {
  test("run each collective, and train with equal bits", async () => {
    const { found, statuses } = await job("pair");
    expect(statuses).toEqual([0, 0]);
    const trained = (found[0] as { trained: number[] }).trained;
    expect(trained[0]).toBeGreaterThan(trained[1] as number);
    expect(found).toEqual(
      [0, 1].map((rank) => ({
        device: `cuda:${rank}`,
        sum: [11, 22, 33, 44],
        mean: [5.5, 11, 16.5, 22],
        broadcast: [10, 20, 30, 40],
        gathered: [1, 2, 10, 20],
        part: rank === 0 ? [11, 22] : [33, 44],
        int16: [11, 22, 33, 44],
        gradient: [1, 2, 3, 4].map((x) => 4 * x * 10 ** rank),
        trained,
      })),
    );
  });

  test("a process that does not join is an error of the other one, whose tensors stay", async () => {
    const { found } = await job("late");
    const [told, own, again] = found[1] as [string, number[], string];
    expect(told).toMatch(/^collective-failed: allReduce: rank 1 of 2 has waited 3\d\d ms for the others\./);
    expect(own).toEqual([10, 20, 30, 40]);
    expect(again).toMatch(/^collective-failed: allReduce: rank 1 of 2 gave up allReduce earlier/);
  });

  test("different shapes are an error of both, and the next call works", async () => {
    const { found, statuses } = await job("unequal", { JITLAB_CHECK_COLLECTIVES: "1" });
    expect(statuses).toEqual([0, 0]);
    for (const [told, sum] of found as [string, number[]][]) {
      expect(told).toMatch(/^collective-differs: allReduce: rank 0 calls .*\[2\].*; rank 1 calls .*\[3\]/);
      expect(sum).toEqual([11, 22, 33, 44]);
    }
  });
});
