// Processes that MPI's launcher starts: collectives over tensors of the processor, beside one process that does the same over lists.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { joined } from "../../dist/runtime/collectives/copies.js";
import * as jl from "../../dist/runtime/index.js";
import { isWhole } from "../support/draw.js";
import { refusal } from "../support/refusal.js";

const script = join(import.meta.dirname, "..", "support", "world-process.mjs");
const size = 4;

const here = ["mpirun.openmpi", "mpirun.mpich"].filter(
  (command) => spawnSync(command, ["--version"], { encoding: "utf8" }).status === 0,
);
/** The launchers that are here, by their names: each day the first one. */
const launchers = isWhole ? here : here.slice(0, 1);
if (launchers.length === 0)
  console.log("SKIPPED: there is no MPI (Debian: openmpi-bin or mpich), so that no processes are launched.");

const environment = {
  ...process.env,
  // Root, more processes than processors, and containers that forbid reading another process's memory.
  ...{ OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" },
  ...{ OMPI_MCA_rmaps_base_oversubscribe: "1", OMPI_MCA_btl_vader_single_copy_mechanism: "none" },
};

/** What the processes of a job find, by rank, and its exit status. */
function job(launcher: string, program: string, changes: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-job-"));
  const { stderr, status } = spawnSync(
    launcher,
    ["-n", String(size), process.execPath, script, program, folder],
    { encoding: "utf8", env: { ...environment, ...changes }, timeout: 120_000 },
  );
  const found = readdirSync(folder)
    .sort()
    .map((rank) => JSON.parse(readFileSync(join(folder, rank), "utf8")) as unknown);
  rmSync(folder, { recursive: true });
  return { found, stderr, status };
}

describe.each(launchers)("processes of %s", (launcher) => {
  test("know each other, and run each collective", () => {
    const { found, status } = job(launcher, "all");
    expect(status).toBe(0);
    expect(found).toEqual(
      Array.from({ length: size }, (_, rank) => ({
        world: [rank, size, rank, "cpu"],
        sum: [1111, 2222, 3333, 4444],
        mean: [277.75, 555.5, 833.25, 1111],
        max: [1000, 2000, 3000, 4000],
        broadcast: [100, 200, 300, 400],
        gathered: [1, 2, 10, 20, 100, 200, 1000, 2000],
        part: [1111 * (rank + 1)],
        scalar: 11110,
        none: [0, 3],
        int16: [6, 6, 6],
        gradient: [1, 2, 3, 4].map((x) => 2 * size * x * 10 ** rank),
        compiled: [Array.from({ length: 5 }, (_, i) => 2223 + 8 * i), []],
      })),
    );
  });

  test("different shapes or calls are an error on all of them, and the next call works", () => {
    const { found, status } = job(launcher, "differs", { JITLAB_CHECK_COLLECTIVES: "1" });
    expect(status).toBe(0);
    for (const [rank, told] of (found as [string, string, number[]][]).entries()) {
      expect(told[0]).toMatch(
        /^collective-differs: allReduce: rank 0 calls allReduce sum of float32 \[2\], root 0; rank 2 calls allReduce sum of float32 \[3\], root 0\./,
      );
      expect(told[0]).toContain(`This is rank ${rank} of 4.`);
      expect(told[1]).toMatch(/^collective-differs: .*rank 0 calls allReduce .*; rank 1 calls broadcast /);
      expect(told[2]).toEqual([1111, 2222, 3333, 4444]);
    }
  });

  test("a process that the others wait for too long is an error with the rank and the call", () => {
    const { found, status } = job(launcher, "late");
    expect(status).not.toBe(0);
    // The first of them to end ends the job.
    const waited = (found as [string, number[], string][]).filter(({ length }) => length > 0);
    expect(waited.length).toBeGreaterThan(0);
    for (const [told, own, again] of waited) {
      expect(told).toMatch(
        /^collective-failed: allReduce: rank [123] of 4 has waited 3\d\d ms for the others\./,
      );
      const rank = Number(/rank (\d)/.exec(told)?.[1]);
      expect(own).toEqual([1, 2, 3, 4].map((x) => x * 10 ** rank));
      expect(again).toMatch(/^collective-failed: allReduce: rank \d of 4 gave up allReduce earlier/);
    }
  });

  test("cells of `jitlab run` take part, and a cell that fails ends the job", () => {
    const folder = mkdtempSync(join(tmpdir(), "jitlab-job-"));
    const notebook = (name: string, text: string) => {
      const path = join(folder, name);
      writeFileSync(path, `// %%\nimport * as jl from "jitlab";\n${text}`);
      const main = join(import.meta.dirname, "../../dist/kernel/main.js");
      const words = ["-n", "2", process.execPath, main, "run", path, "--device", "cpu"];
      return spawnSync(launcher, words, { encoding: "utf8", env: environment, timeout: 120_000 });
    };
    const sum = "const sum = jl.allReduce(jl.full([2], jl.world().rank + 1)).toArray();";
    const write = `require("fs").writeFileSync(${JSON.stringify(folder)} + "/" + jl.world().rank, String(sum));`;
    expect(notebook("sum.ts", `${sum}\n${write}`).status).toBe(0);
    expect([0, 1].map((rank) => readFileSync(join(folder, `${rank}`), "utf8"))).toEqual(["3,3", "3,3"]);
    const fails = `${sum}\nif (jl.world().rank === 1) throw new Error("no");\njl.allReduce(jl.ones([2]));`;
    expect(notebook("fails.ts", fails).status).not.toBe(0);
    rmSync(folder, { recursive: true });
  });

  test("faults stay errors that the process handles", () => {
    const { found, status } = job(launcher, "trap");
    expect([status, found]).toEqual([0, Array.from({ length: size }, () => "RuntimeError")]);
  });

  test("a process that is killed ends the job", () => {
    const { status, found } = job(launcher, "killed");
    expect(status).not.toBe(0);
    expect(found).toEqual([]);
  });

  test("training gives the bits of one process that adds gradients in the order of the ranks", () => {
    const { found, status } = job(launcher, "training");
    expect(status).toBe(0);
    jl.setDevice("cpu");
    const loss = ({ w, b }: { w: jl.Tensor; b: jl.Tensor }, x: jl.Tensor, y: jl.Tensor) =>
      x.matmul(w).add(b).sub(y).square().mean();
    jl.manualSeed(5);
    const [x, y] = [jl.randn([16, 3]), jl.randn([16, 1])];
    const adam = jl.optim.adam({ lr: 0.1 });
    let parameters = { w: jl.ones([3, 1]), b: jl.zeros([1]) };
    let state = adam.init(parameters);
    let value = jl.zeros([]) as jl.Tensor;
    for (let i = 0; i < 10; i++) {
      const parts = [0, 4, 8, 12].map((at) =>
        jl.valueAndGrad(loss)(parameters, x.narrow(0, at, 4), y.narrow(0, at, 4)),
      );
      value = joined(
        "mean",
        parts.map((part) => part.value),
      );
      const grad = {
        w: joined(
          "mean",
          parts.map((part) => part.grad.w as jl.Tensor),
        ),
        b: joined(
          "mean",
          parts.map((part) => part.grad.b as jl.Tensor),
        ),
      };
      ({ parameters, state } = adam.step(parameters, grad as never, state));
    }
    const bits = [value, parameters.w, parameters.b].map((one) =>
      Buffer.from(one.data().buffer).toString("hex"),
    );
    expect(found).toEqual(Array.from({ length: size }, () => bits));
  });

  test("300 random programs give the bits of one process", async () => {
    const { found, status } = job(launcher, "random");
    expect(status).toBe(0);
    jl.setDevice("cpu");
    const { randomProgram } = await import(join(script, "..", "collective-programs.mjs"));
    for (let seed = 0; seed < 300; seed++) {
      const want = randomProgram(seed, size, undefined, inTurn) as string[];
      expect(
        (found as string[][]).map((one) => one[seed]),
        `seed ${seed}`,
      ).toEqual(want);
    }
  });
});

/** A collective over a list of tensors on one device, as one process computes it. */
function inTurn(
  tensors: jl.Tensor[],
  name: string,
  { op = "sum", root = 0 }: { op?: jl.CollectiveOp; root?: number },
): jl.Tensor[] {
  const [first] = tensors as [jl.Tensor];
  const dtype = first.dtype.name;
  if (name === "broadcast") return tensors.map(() => tensors[root] as jl.Tensor);
  if (name === "allGather") return tensors.map(() => jl.cat(tensors));
  const all = joined(op, tensors).to(dtype);
  const part = (first.shape[0] as number) / size;
  return tensors.map((_, i) => (name === "allReduce" ? all : all.narrow(0, i * part, part)));
}

const launcherVariables = Object.values(jl.variables).flatMap(({ name }) =>
  /RANK|WORLD_SIZE|PMI_SIZE|COMM_WORLD|SLURM/.test(name) ? [name] : [],
);

/** What `jl.world()` finds with these variables of launchers and no others. */
function launched(changes: Record<string, string>): unknown {
  for (const name of launcherVariables) vi.stubEnv(name, changes[name]);
  try {
    return { ...jl.world(), device: "cpu" };
  } catch (error) {
    return `${(error as jl.JitlabError).code} ${(error as Error).message}`;
  } finally {
    vi.unstubAllEnvs();
  }
}

describe("the environment of a launcher", () => {
  const found = (rank: number, of: number, localRank: number) => ({
    rank,
    size: of,
    localRank,
    device: "cpu",
  });

  test("names this process", () => {
    expect(launched({})).toEqual(found(0, 1, 0));
    expect(launched({ RANK: "5", WORLD_SIZE: "8", LOCAL_RANK: "1" })).toEqual(found(5, 8, 1));
    expect(launched({ SLURM_PROCID: "3", SLURM_NTASKS: "4", SLURM_LOCALID: "1" })).toEqual(found(3, 4, 1));
    expect(launched({ PMI_RANK: "1", PMI_SIZE: "2", MPI_LOCALRANKID: "0" })).toEqual(found(1, 2, 0));
    const open = { OMPI_COMM_WORLD_RANK: "1", OMPI_COMM_WORLD_SIZE: "2", OMPI_COMM_WORLD_LOCAL_RANK: "1" };
    expect(launched(open)).toEqual(found(1, 2, 1));
    // torchrun within Slurm, and an allocation of Slurm whose processes nothing has started.
    expect(launched({ RANK: "0", WORLD_SIZE: "2", SLURM_PROCID: "0", SLURM_NTASKS: "1" })).toEqual(
      found(0, 2, 0),
    );
    expect(launched({ SLURM_NTASKS: "4" })).toEqual(found(0, 1, 0));
  });

  test("is refused by name if a part is missing or wrong", () => {
    const told = /^bad-environment world: /;
    expect(launched({ RANK: "0" })).toMatch(
      /^bad-environment world: RANK is set, but WORLD_SIZE is not\.\s.*torchrun/,
    );
    expect(launched({ WORLD_SIZE: "2" })).toMatch(/WORLD_SIZE is set, but RANK is not/);
    expect(launched({ SLURM_PROCID: "1" })).toMatch(/SLURM_PROCID is set, but SLURM_NTASKS is not/);
    expect(launched({ PMI_SIZE: "1" })).toMatch(/PMI_SIZE is set, but PMI_RANK is not/);
    expect(launched({ RANK: "2", WORLD_SIZE: "2" })).toMatch(/RANK is 2, but WORLD_SIZE is 2/);
    expect(launched({ RANK: "-1", WORLD_SIZE: "2" })).toMatch(/RANK is "-1", not a count/);
    expect(launched({ RANK: "0", WORLD_SIZE: "two" })).toMatch(/WORLD_SIZE is "two", not a count/);
    expect(launched({ RANK: "0", WORLD_SIZE: "2", LOCAL_RANK: "x" })).toMatch(told);
  });
});

test("without a launcher one tensor is the identity", () => {
  const x = jl.tensor([1, 2], { device: "cpu" });
  for (const same of [jl.allReduce(x), jl.broadcast(x), jl.allGather(x), jl.reduceScatter(x)])
    expect(same).toBe(x);
  expect(refusal(() => jl.allReduce(x, { timeout: 0 }))).toMatch(/^bad-argument: allReduce: timeout is 0/);
  expect(refusal(() => jl.allReduce(x, { timeout: "1" as never }))).toMatch(/timeout is "1", not a number/);
});
