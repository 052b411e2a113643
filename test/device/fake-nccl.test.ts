// Calls into NCCL without a GPU: a job's communicator, and what happens to collectives that fail or wait without end.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import { buildFakeCuda, buildFakeNccl } from "../support/fake-cuda.js";

const support = join(import.meta.dirname, "..", "support");
const folder = mkdtempSync(join(tmpdir(), "jitlab-nccl-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { path } = findCompiler();

describe.skipIf(path === "" || findNvrtc() === undefined)(
  "collectives by a libnccl that has no GPU (needs a C++ compiler and NVRTC)",
  () => {
    beforeAll(() => {
      buildFakeCuda(folder);
      buildFakeNccl(folder);
    });
    const log = join(folder, "log");
    let port = 21_000 + (process.pid % 8000);

    /** What a program prints, as process 0 of a job or alone, and the calls of NCCL. */
    function run(program: string, mode = "", isJob = true) {
      writeFileSync(log, "");
      const job = { RANK: "0", WORLD_SIZE: "2", MASTER_ADDR: "127.0.0.1", MASTER_PORT: `${port++}` };
      const printed = execFileSync(process.execPath, [join(support, "fake-nccl-process.mjs"), program], {
        env: {
          ...process.env,
          ...{ LD_LIBRARY_PATH: folder, JITLAB_DEVICE: "cuda:0", JITLAB_CACHE_DIR: join(folder, "cache") },
          ...{ JITLAB_NCCL: join(folder, "libnccl.so.2"), FAKE_NCCL_LOG: log, FAKE_NCCL: mode },
          ...{ FAKE_CUDA_DEVICES: "2", FAKE_CUDA_LOG: join(folder, "launches"), ...(isJob ? job : {}) },
        },
        encoding: "utf8",
        timeout: 60_000,
      });
      return { found: JSON.parse(printed) as unknown[], calls: readFileSync(log, "utf8").trim().split("\n") };
    }

    test("a job's processes connect at the first collective, and leave in order", () => {
      const { found, calls } = run("job");
      expect(found).toEqual([[1, 2, 3, 4], [1, 2, 3, 4], [1, 2], [8], 0]);
      expect(calls).toEqual([
        "init 0 of 2",
        ...["all-reduce 16", "broadcast 16", "reduce-scatter 8", "all-gather 16"],
        ...["finalize 0", "destroy 0"],
      ]);
    });

    const late = /^collective-failed: allReduce: rank 0 of 2 has waited [34]\d\d ms for the others\./;
    const lost = /^collective-failed: broadcast: rank 0 of 2 gave up allReduce earlier\./;

    test("a collective that the others never join is an error after the timeout, and tensors stay", () => {
      const { found, calls } = run("waits", "collective");
      expect(found).toEqual([
        expect.stringMatching(late),
        [1, 2, 3, 4],
        expect.stringMatching(lost),
        [1, 2, 3, 4],
      ]);
      expect(calls).toEqual(["init 0 of 2", "all-reduce 16", "abort 0"]);
    });

    test("so is a job whose others never connect", () => {
      const { found, calls } = run("waits", "connect");
      expect(found.slice(0, 3)).toEqual([
        expect.stringMatching(late),
        [1, 2, 3, 4],
        expect.stringMatching(lost),
      ]);
      expect(calls).toEqual(["init 0 of 2", "abort 0"]);
    });

    test("an error of another process ends the wait for it", () => {
      const { found } = run("waits", "error");
      expect(found.slice(0, 3)).toEqual([
        expect.stringMatching(
          /^collective-failed: NCCL 2\.27\.3 failed in a communicator with status 6: a fake reason\./,
        ),
        [1, 2, 3, 4],
        expect.stringMatching(lost),
      ]);
    });

    test("an interrupt ends what the GPU waits for, and nothing else", () => {
      const { found, calls } = run("interrupted", "collective");
      expect(found).toEqual([[1, 2, 3, 4], expect.stringMatching(lost)]);
      expect(calls).toEqual(["init 0 of 2", "all-reduce 16", "abort 0"]);
      expect(run("late").found).toEqual([1, 2, 3, 4]);
    });

    test("a list whose second call is refused ends its group, and connects anew", () => {
      const { found, calls } = run("list", "refuse", false);
      expect(found).toEqual([
        expect.stringMatching(/^collective-failed: NCCL 2\.27\.3 failed in ncclAllReduce with status 3/),
        [
          [1, 2, 3, 4],
          [1, 2, 3, 4],
        ],
      ]);
      expect(calls).toEqual([
        ...["init all 2", "all-reduce 16", "abort 0", "abort 1"],
        ...["init all 2", "all-reduce 16", "all-reduce 16"],
      ]);
    });
  },
);
