import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { DiskStore } from "../../dist/runtime/cache/disk.js";
import { origins, results, use } from "../support/cache-process.js";

const root = mkdtempSync(join(tmpdir(), "jitlab-cache-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
const freshFolder = () => join(root, String(folders++));

describe("the cache between processes", () => {
  test("a second process compiles nothing", async () => {
    const folder = freshFolder();
    const first = await use(folder, ["alpha", "beta"]);
    expect(origins(first)).toEqual(["compiled", "compiled"]);
    const second = await use(folder, ["beta", "alpha"], { env: { PATH: process.env.PATH ?? "" } });
    expect(origins(second)).toEqual(["disk", "disk"]);
    expect(results(second)).toEqual(["b", "a"]);
    expect(second.stderr).toBe("");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("a kernel that is listed but has lost its code is compiled again, and nobody waits for it", async () => {
    const folder = freshFolder();
    await use(folder, ["alpha", "beta"]);
    const Database = createRequire(import.meta.url)("libsql");
    const database = new Database(join(folder, "kernels.sqlite"));
    database.pragma("foreign_keys = OFF");
    database.exec("UPDATE kernel SET module = 987654321");
    database.close();
    const second = await use(folder, ["alpha", "beta"]);
    expect(results(second)).toEqual(["a", "b"]);
    expect(origins(await use(folder, ["alpha", "beta"]))).toEqual(["disk", "disk"]);
  });

  test("what runs while the process ends finds the cache whole", async () => {
    const folder = freshFolder();
    const library = new URL("../../dist/runtime/index.js", import.meta.url).href;
    const code = `import * as jl from ${JSON.stringify(library)};
      jl.setDevice("cpu");
      jl.ones([2]);
      process.on("exit", () => console.log(jl.ones([2]).add(1).toArray().join(), jl.cache.list().length));`;
    const run = () =>
      new Promise<string>((done, fail) => {
        const env = { ...process.env, JITLAB_CACHE_DIR: folder };
        execFile(process.execPath, ["--input-type=module", "-e", code], { env }, (error, stdout, stderr) =>
          error ? fail(error) : done(stdout + stderr),
        );
      });
    const said = await run();
    expect(said).toMatch(/^2,2 \d\n$/);
    expect(await run()).toBe(said);
  });

  test("processes that start together compile each kernel once", async () => {
    const folder = freshFolder();
    const names = ["one", "two", "three", "four"];
    const outcomes = await Promise.all([
      use(folder, names),
      use(folder, names),
      use(folder, [...names].reverse()),
    ]);
    for (const name of names) {
      const all = outcomes.flatMap(({ used }) => used.filter((kernel) => kernel.name === name));
      expect(all.map(({ origin }) => origin).sort()).toEqual(["compiled", "disk", "disk"]);
      expect(new Set(all.map(({ result }) => result))).toEqual(new Set([name[0]]));
    }
  });
});

describe("a database in trouble", () => {
  test("garbage is moved aside and the database is built anew, said once", async () => {
    const folder = freshFolder();
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, "kernels.sqlite"), "this is no database".repeat(1000));
    const outcome = await use(folder, ["alpha", "beta"]);
    expect(origins(outcome)).toEqual(["compiled", "compiled"]);
    expect(outcome.stderr.match(/is damaged .* moved aside/g)).toHaveLength(1);
    expect(existsSync(join(folder, "kernels.sqlite.damaged"))).toBe(true);
    const next = await use(folder, ["alpha", "beta"]);
    expect(origins(next)).toEqual(["disk", "disk"]);
    expect(next.stderr).toBe("");
  });

  test("flipped bits and lost tails never give a wrong kernel, and it always recovers", async () => {
    const damage = join(import.meta.dirname, "..", "support", "cache-damage.mjs");
    const argument = JSON.stringify({ folder: freshFolder(), rounds: 100, seed: 20261121 });
    const output = await new Promise<string>((done, fail) => {
      execFile(process.execPath, [damage, argument], (error, stdout, stderr) =>
        error ? fail(new Error(`${error.message}\n${stderr}`)) : done(stdout),
      );
    });
    const { wrong, hits, misses } = JSON.parse(output);
    expect(wrong).toEqual([]);
    expect(hits).toBeGreaterThan(100);
    expect(misses).toBeGreaterThan(10);
  });

  test.each([
    [
      "a file where the folder should be",
      (folder: string) => writeFileSync(folder, ""),
      /EEXIST|ENOTDIR|not a folder/,
    ],
    ["a folder that others may write to", (folder: string) => mkdirSync(folder, 0o777), /written by others/],
    ["a database of a newer version", makeNewer, /newer jitlab/],
  ])("%s: kernels stay in memory, with one warning", async (_, prepare, why) => {
    const folder = freshFolder();
    const mask = process.umask(0);
    try {
      prepare(folder);
    } finally {
      process.umask(mask);
    }
    const outcome = await use(folder, ["alpha", "beta", "alpha"]);
    expect(origins(outcome)).toEqual(["compiled", "compiled", "disk"]);
    expect(outcome.status.mode).toBe("memory");
    expect(outcome.status.reason).toMatch(why);
    expect(outcome.stderr.match(/^jitlab: /gm)).toHaveLength(1);
    expect(outcome.stderr).toMatch(/JITLAB_CACHE_DIR names another folder/);
  });

  const root = process.getuid?.() === 0;
  test.skipIf(!root)("a folder of another user is not used (needs root to make one)", async () => {
    const folder = freshFolder();
    await use(folder, ["alpha"]);
    const open = mkdtempSync("/tmp/jitlab-foreign-");
    try {
      const outcome = await use(open, ["alpha"], { uid: 65534 });
      expect(outcome.status.mode).toBe("memory");
      expect(outcome.status.reason).toMatch(/another user|EACCES/);
    } finally {
      rmSync(open, { recursive: true });
    }
  });

  test("a cap that is not a size is said once, and the default is used", async () => {
    const outcome = await use(freshFolder(), ["alpha"], { env: { JITLAB_CACHE_MAX_BYTES: "-5" } });
    expect(outcome.stderr).toMatch(/JITLAB_CACHE_MAX_BYTES is "-5"/);
    expect(outcome.status.mode).toBe("disk");
  });
});

describe("the store on disk", () => {
  const moduleOf = (text: string, kind: "cpu" | "cuda" = "cpu") => ({
    binary: Buffer.from(text.repeat(20_000)),
    assembly: `asm ${text}`,
    log: "",
    kind,
    arch: "a",
    compiler: "c",
    flags: [],
    compileMs: 10,
  });
  const kernelOf = (key: string, op = "add") => ({
    key,
    symbol: "f",
    op,
    variant: "contiguous",
    dtypes: ["float32"],
    source: "source",
    compileMs: 10,
  });
  function opened(maxBytes = 2 ** 30) {
    const folder = freshFolder();
    const store = new DiskStore(folder, maxBytes);
    store.open();
    return { store, folder };
  }

  test("keeps several kernels of one compile once, and fetches each with what came with it", () => {
    const { store } = opened();
    store.put(moduleOf("x"), [kernelOf("k1"), kernelOf("k2", "mul")]);
    expect(Buffer.from(store.fetch("k2")?.binary ?? []).toString()).toBe("x".repeat(20_000));
    expect(store.fetchText("k1")).toEqual({ assembly: "asm x", log: "" });
    expect(store.fetch("k3")).toBeUndefined();
    expect(store.totals().bytes).toBeLessThan(100_000);
    expect(store.list().map(({ op, hits }) => [op, hits])).toEqual([
      ["mul", 1],
      ["add", 0],
    ]);
    store.close();
  });

  test("drops what was not used for the longest time when it is full", () => {
    const { store } = opened(400_000);
    for (let i = 0; i < 40; i++) store.put(moduleOf(String.fromCharCode(65 + i)), [kernelOf(`k${i}`)]);
    expect(store.totals().bytes).toBeLessThanOrEqual(400_000);
    expect(store.fetch("k39")).toBeDefined();
    expect(store.fetch("k0")).toBeUndefined();
    store.close();
  });

  test("clears by op, device and age", () => {
    const { store } = opened();
    store.put(moduleOf("x"), [kernelOf("k1"), kernelOf("k2", "mul")]);
    store.put(moduleOf("y", "cuda"), [kernelOf("k3")]);
    expect(store.clear({ olderThanMs: 60_000 })).toBe(0);
    expect(store.clear({ op: "mul" })).toBe(1);
    expect(store.fetch("k1")).toBeDefined();
    expect(store.clear({ device: "cuda:0" })).toBe(1);
    expect(store.clear({})).toBe(1);
    expect(store.totals().kernels).toBe(0);
    store.close();
  });

  test("verification finds and deletes what is damaged", () => {
    const { store, folder } = opened();
    for (const name of ["a", "b", "c", "e"]) store.put(moduleOf(name), [kernelOf(name)]);
    store.close();
    const Database = createRequire(import.meta.url)("libsql");
    const database = new Database(join(folder, "kernels.sqlite"));
    database.exec("UPDATE module SET log = 'a warning' WHERE assembly = 'asm e'");
    database.exec("UPDATE module SET binary = zeroblob(20000) WHERE assembly = 'asm b'");
    database.exec("UPDATE module SET assembly = 'asm d' WHERE assembly = 'asm c'");
    database.close();
    const again = new DiskStore(folder, 2 ** 30);
    again.open();
    expect(again.verify()).toEqual({ checked: 4, damaged: 3 });
    expect(again.verify()).toEqual({ checked: 1, damaged: 0 });
    again.close();
  });

  test("stamps the last use once a day, whichever way the clock jumps", () => {
    const { store, folder } = opened();
    for (const name of ["a", "b", "c"]) store.put(moduleOf(name), [kernelOf(name)]);
    store.close();
    const now = Date.now();
    const hour = 3600 * 1000;
    const Database = createRequire(import.meta.url)("libsql");
    const database = new Database(join(folder, "kernels.sqlite"));
    const stamp = database.prepare("UPDATE kernel SET last_use = ? WHERE key = ?");
    stamp.run(now - hour, "a");
    stamp.run(now - 30 * hour, "b");
    stamp.run(now + 300 * hour, "c");
    database.close();
    const again = new DiskStore(folder, 2 ** 30);
    again.open();
    for (const name of ["a", "b", "c"]) again.fetch(name);
    const uses = new Map(again.list().map(({ key, lastUse }) => [key, lastUse]));
    expect(uses.get("a")).toBe(now - hour);
    expect(uses.get("b")).toBeGreaterThanOrEqual(now);
    expect(uses.get("c")).toBeLessThan(now + hour);
    again.close();
  });
});

function makeNewer(folder: string) {
  mkdirSync(folder, 0o700);
  const Database = createRequire(import.meta.url)("libsql");
  const database = new Database(join(folder, "kernels.sqlite"));
  database.exec("PRAGMA user_version = 99");
  database.close();
}
