// State that a process shares between threads and copies of the library: the dynamic linker's list, its limits.
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import * as jl from "../../dist/runtime/index.js";
import { listDevices } from "../../dist/runtime/launch/devices.js";

const root = join(import.meta.dirname, "..", "..");
const support = join(import.meta.dirname, "..", "support");
const folder = mkdtempSync(join(tmpdir(), "jitlab-threads-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const there = (kind: string) => listDevices().some((device) => device.kind === kind && device.available);

async function run(script: string, cache: string, args: readonly string[], env = {}) {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(support, script), ...args], {
    env: { ...process.env, JITLAB_CACHE_DIR: join(folder, cache), ...env },
  });
  // On a busy machine one process waits for another's compile, and says so.
  return { said: JSON.parse(stdout), stderr: stderr.replace(/^jitlab: Waiting for process .*\n/gm, "") };
}

const right = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ small: [i + 1, i + 1], wrong: [] }));

describe("worker threads with functors of their own", () => {
  test.skipIf(!there("cpu"))(
    "run these one after the other, cold and warm (needs a C++ compiler)",
    async () => {
      for (const _cache of ["cold", "warm"]) {
        const { said, stderr } = await run("thread-process.mjs", "in-turn", ["cpu", "in-turn", "6"]);
        expect(said).toEqual(right(6));
        expect(stderr).toBe("");
      }
    },
  );

  test.skipIf(!there("cpu"))("run these at once on the cpu (needs a C++ compiler)", async () => {
    for (const _cache of ["cold", "warm"]) {
      const { said, stderr } = await run("thread-process.mjs", "at-once", ["cpu", "at-once", "4"]);
      expect(said).toEqual(right(4));
      expect(stderr).toBe("");
    }
  });

  test.skipIf(!there("wasm"))(
    "run these on wasm, in turn and at once (needs the embedded compiler)",
    async () => {
      for (const order of ["in-turn", "at-once"]) {
        const { said, stderr } = await run("thread-process.mjs", "wasm", ["wasm", order, "3"]);
        expect(said).toEqual(right(3));
        expect(stderr).toBe("");
      }
    },
  );

  test.skipIf(!there("cuda"))("run these at once on a GPU (needs a GPU)", async () => {
    for (const _cache of ["cold", "warm"]) {
      const { said, stderr } = await run("thread-process.mjs", "cuda", ["cuda", "at-once", "4"]);
      expect(said).toEqual(right(4));
      expect(stderr).toBe("");
    }
  });
});

describe.skipIf(!there("cpu"))("one process's dynamic linker (needs a C++ compiler)", () => {
  test("keeps the kernels of two copies of the library apart", async () => {
    const paths = ["one", "two"].map((name) => {
      const copy = join(folder, name);
      mkdirSync(copy);
      cpSync(join(root, "dist"), join(copy, "dist"), { recursive: true });
      cpSync(join(root, "package.json"), join(copy, "package.json"));
      symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
      return join(copy, "dist", "runtime", "index.js");
    });
    for (const _cache of ["cold", "warm"]) {
      const { said, stderr } = await run("two-copies.mjs", "copies", paths);
      expect(said).toEqual([1, 2, 3, 4, 5, 6]);
      expect(stderr).toBe("");
    }
  });

  test("keeps the static variables of equal names in different functors apart", () => {
    const x = jl.zeros([1], { device: "cpu" });
    const texts = [
      (n: number) =>
        `template <typename T> T f(T x) { static const T t[2] = {T(${n}), 0}; return t[int(x)]; }`,
      (n: number) => `inline int& kept() { static int c = ${n}; return c; }
template <typename T> T f(T x) { return x + T(kept()); }`,
    ];
    for (const text of texts) {
      const got = [1, 2, 3].map((n) => jl.jit(text(n), { name: "f" })(x).item());
      expect(got).toEqual([1, 2, 3]);
    }
  });

  describe("without room for another kernel", () => {
    const library = join(folder, "few-maps.so");
    const few = (maps: number, cache: string) => {
      const { path, args } = findCompiler();
      const flags = ["-x", "c", "-shared", "-fPIC", "-o", library, join(support, "few-maps.c"), "-ldl"];
      execFileSync(path, [...args, ...flags]);
      return run("few-maps.mjs", cache, [], { LD_PRELOAD: library, FEW_MAPS: String(maps) });
    };

    test("unloads kernels and goes on, and compiles none of them again", async () => {
      const { said, stderr } = await few(5, "few");
      const once = Array.from({ length: 12 }, (_, n) => n + 1);
      expect(said.results).toEqual([...once, ...once]);
      expect(said.error).toBeUndefined();
      expect(said.compiled).toBe(said.kernels);
      expect(stderr).toBe("");
    });

    test("says so where nothing is left to unload, and leaves the stored kernels alone", async () => {
      const { said: before } = await few(1000, "none");
      const { said, stderr } = await few(0, "none");
      expect(said.error).toMatchObject({ name: "DeviceError", code: "out-of-memory" });
      expect(said.error.message).toMatch(/no room to open compiled code: failed to map.*max_map_count/s);
      expect(said).toMatchObject({ kernels: before.kernels, compiled: 0 });
      expect(stderr).toBe("");
    });
  });
});
