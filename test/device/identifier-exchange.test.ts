// Processes of a job that has no MPI find each other: process 0 gives an identifier to those that know the job's secret.
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { meetingPlace } from "../../dist/runtime/collectives/meeting-place.js";

const script = join(import.meta.dirname, "..", "support", "identifier-process.mjs");
const identifier = "07".repeat(128);

/** A port whose next one is free, too, most likely. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port - 1));
    });
  });
}

/** What a process of a job prints that waits so many milliseconds. */
function member(rank: number, port: number, changes: Record<string, string> = {}, timeoutMs = 20_000) {
  return new Promise<string>((resolve) => {
    const environment = {
      ...process.env,
      ...{ RANK: `${rank}`, WORLD_SIZE: "3", MASTER_ADDR: "127.0.0.1", MASTER_PORT: `${port}` },
      ...{ JITLAB_JOB_SECRET: "a secret of the job", ...changes },
    };
    const child = spawn(process.execPath, [script, `${timeoutMs}`], { env: environment });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    child.on("exit", () => resolve(text));
    running.push(child);
    // Process 0 stays for the others.
    if (rank === 0) child.stdout.once("data", () => setTimeout(() => resolve(text), 50));
  });
}

const running: ReturnType<typeof spawn>[] = [];
const ended = () => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
};

describe("the identifier of a job", { timeout: 60_000 }, () => {
  test("goes from process 0 to the others, of which some start before it", async () => {
    const port = await freePort();
    const early = member(2, port);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const all = await Promise.all([member(0, port), member(1, port), early]);
    ended();
    expect(all).toEqual([identifier, identifier, identifier]);
  });

  test("is not given to a process with another secret or another size, nor to one that speaks otherwise", async () => {
    const port = await freePort();
    const first = member(0, port);
    const told =
      /^collective-failed allReduce: rank 1 of \d did not connect: 127\.0\.0\.1:\d+ has another secret/;
    expect(await member(1, port, { JITLAB_JOB_SECRET: "another" })).toMatch(told);
    expect(await member(1, port, { WORLD_SIZE: "4" })).toMatch(told);
    const answer = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(port + 1, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\n\r\n"));
      socket.setEncoding("hex").on("data", (part: string) => {
        text += part;
      });
      socket.on("error", () => undefined).on("close", () => resolve(text));
    });
    expect(answer).not.toContain(identifier.slice(0, 16));
    // The others still get it.
    expect([await member(1, port), await member(2, port), await first]).toEqual(
      Array.from({ length: 3 }, () => identifier),
    );
    ended();
  });

  test("is an error after the timeout if nothing answers, and at once if the port is taken", async () => {
    const port = await freePort();
    expect(await member(1, port, {}, 400)).toMatch(
      /^collective-failed allReduce: rank 1 of 3 did not connect: 127\.0\.0\.1:\d+ does not answer \(.*ECONNREFUSED.*\)\./,
    );
    const taken = createServer().listen(port + 1);
    expect(await member(0, port)).toMatch(
      /rank 0 of 3 did not connect: rank 0 cannot listen at port \d+ \(.*EADDRINUSE/,
    );
    taken.close();
    ended();
  });
});

test("the address is the launcher's", () => {
  const at = (launcher: string, changes: Record<string, string>) => {
    for (const name of ["MASTER_ADDR", "MASTER_PORT", "SLURM_STEP_NODELIST", "SLURM_JOB_ID"])
      vi.stubEnv(name, changes[name]);
    try {
      return meetingPlace({ launcher, rank: 1, size: 2 });
    } catch (error) {
      return (error as Error).message;
    } finally {
      vi.unstubAllEnvs();
    }
  };
  const torchrun = (address?: string, port?: string) =>
    at("torchrun", {
      ...(address === undefined ? {} : { MASTER_ADDR: address }),
      ...(port === undefined ? {} : { MASTER_PORT: port }),
    });
  expect(torchrun("first", "29500")).toEqual({ host: "first", port: 29501 });
  expect(torchrun("first")).toMatch(/^world: MASTER_PORT is not set, so that .*torchrun sets it/s);
  expect(torchrun(undefined, "29500")).toMatch(/^world: MASTER_ADDR is not set/);
  expect(torchrun()).toMatch(/^world: MASTER_ADDR is not set/);
  for (const wrong of ["0", "65535", "-1", "x", "295000"])
    expect(torchrun("first", wrong)).toMatch(/^world: MASTER_PORT is ".*", not a port from 1 to 65534/);
  const slurm = (nodes: string, job = "1234567") =>
    at("Slurm", { SLURM_STEP_NODELIST: nodes, SLURM_JOB_ID: job });
  expect(slurm("gpu[03-05,11],cpu2")).toEqual({ host: "gpu03", port: 24567 });
  expect(slurm("node7")).toEqual({ host: "node7", port: 24567 });
  expect(slurm("a-b.example,c")).toEqual({ host: "a-b.example", port: 24567 });
  expect(slurm("rack[1-2]-gpu,x")).toEqual({ host: "rack1-gpu", port: 24567 });
  expect(slurm("")).toMatch(/^world: SLURM_STEP_NODELIST is ""/);
  expect(slurm("node7", "x")).toMatch(/SLURM_JOB_ID is "x"/);
  expect(at("Slurm", { MASTER_ADDR: "h", MASTER_PORT: "5000" })).toEqual({ host: "h", port: 5001 });
});
