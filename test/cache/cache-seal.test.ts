// Foreign code in the cache, by every known attack, and the key that rejects it.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, test } from "vitest";
import { type DiskStore as Disk, DiskStore } from "../../dist/runtime/cache/disk.js";
import { isSealed, sealOf } from "../../dist/runtime/cache/seal.js";
import { origins, results, use } from "../support/cache-process.js";

const Database = createRequire(import.meta.url)("libsql");
const script = join(import.meta.dirname, "..", "support", "cache-process.mjs");
const root = mkdtempSync(join(tmpdir(), "jitlab-seal-"));
chmodSync(root, 0o755);
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
function freshFolder(mode = 0o700): string {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
}

const isRoot = process.getuid?.() === 0;
const attacker = 65534;

/** Makes a database that has other code under the key of a kernel, as another user where we may; gives its write-ahead log. */
async function plantedLog(name: string): Promise<string> {
  const folder = freshFolder();
  const cache = join(folder, "cache");
  if (isRoot) chownSync(folder, attacker, attacker);
  const env = { ...process.env, JITLAB_CACHE_DIR: cache, XDG_STATE_HOME: join(folder, "state") };
  const child = spawn(process.execPath, [script, JSON.stringify({ action: "plant", name })], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
    ...(isRoot && { uid: attacker, gid: attacker }),
  });
  try {
    const said = JSON.parse(await firstLine(child));
    expect(said.used).toMatchObject([{ origin: "disk", result: "E" }]);
    const log = join(folder, "planted-wal");
    copyFileSync(join(cache, "kernels.sqlite-wal"), log);
    return log;
  } finally {
    child.kill("SIGKILL");
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    child.stdout?.once("data", (data) => done(String(data)));
    child.once("close", (status) => fail(new Error(`the process ended with status ${status}`)));
  });
}

/** Puts a log beside the database in a folder that anybody may write to, which its user then closes. */
function plant(log: string, folder: string, owner: number): void {
  chmodSync(folder, 0o777);
  for (const suffix of ["-wal", "-shm"]) rmSync(join(folder, `kernels.sqlite${suffix}`), { force: true });
  const planted = join(folder, "kernels.sqlite-wal");
  copyFileSync(log, planted);
  chmodSync(planted, 0o644);
  if (isRoot) chownSync(planted, owner, owner);
  chmodSync(folder, 0o700);
}

describe("code of another user", () => {
  test.skipIf(!isRoot)("in a planted write-ahead log is not run (needs root to be two users)", async () => {
    const folder = freshFolder();
    await use(folder, ["beta"]);
    plant(await plantedLog("alpha"), folder, attacker);
    const outcome = await use(folder, ["alpha"]);
    expect(results(outcome)).toEqual(["a"]);
    expect(outcome.status.mode).toBe("memory");
    expect(outcome.stderr.match(/^jitlab: /gm)).toHaveLength(1);
    expect(outcome.stderr).toMatch(
      /kernels\.sqlite-wal belongs to another user \(id 65534\): use a new folder\..*JITLAB_CACHE_DIR/,
    );
  });

  test("in a write-ahead log that seems to be ours is deleted and said once", async () => {
    const folder = freshFolder();
    await use(folder, ["beta"]);
    plant(await plantedLog("alpha"), folder, process.getuid?.() ?? 0);
    const outcome = await use(folder, ["alpha", "alpha"]);
    expect(results(outcome)).toEqual(["a", "a"]);
    expect(origins(outcome)).toEqual(["compiled", "disk"]);
    expect(outcome.stderr.match(/^jitlab: /gm)).toHaveLength(1);
    expect(outcome.stderr).toMatch(/A cached kernel's seal is wrong .* deleted and compiled again\./);
    expect(origins(await use(folder, ["alpha"]))).toEqual(["disk"]);
  });

  test.skipIf(!isRoot).each(["", "-wal", "-shm", "-journal"])(
    "a foreign kernels.sqlite%s is not opened (needs root to make one)",
    async (suffix) => {
      const folder = freshFolder();
      const file = join(folder, `kernels.sqlite${suffix}`);
      writeFileSync(file, "");
      chownSync(file, attacker, attacker);
      const outcome = await use(folder, ["alpha"]);
      expect(results(outcome)).toEqual(["a"]);
      expect(outcome.status).toMatchObject({
        mode: "memory",
        reason: `${file} belongs to another user (id ${attacker}): use a new folder`,
      });
      expect(readFileSync(file, "utf8")).toBe("");
    },
  );

  test("a file that others can write to and one that leads elsewhere are not opened", async () => {
    const [writable, linked] = [freshFolder(), freshFolder()];
    writeFileSync(join(writable, "kernels.sqlite-shm"), "");
    chmodSync(join(writable, "kernels.sqlite-shm"), 0o666);
    symlinkSync("/nowhere", join(linked, "kernels.sqlite-journal"));
    expect((await use(writable, ["alpha"])).status.reason).toMatch(
      /-shm can be written by others.*new folder/,
    );
    expect((await use(linked, ["alpha"])).status.reason).toMatch(/-journal is not a file/);
  });
});

describe("a sealed kernel", () => {
  const moduleOf = (text: string) => ({
    binary: Buffer.from(text),
    assembly: "",
    log: "",
    kind: "cpu" as const,
    arch: "a",
    compiler: "c",
    flags: [],
    compileMs: 1,
  });
  const kernelOf = (key: string) => ({
    key,
    symbol: "f",
    op: "add",
    variant: "contiguous",
    dtypes: ["float32"],
    source: "source",
    compileMs: 1,
  });

  function opened(folder: string): Disk {
    const store = new DiskStore(folder, 2 ** 30);
    store.open();
    return store;
  }

  /** The store after an edit of its database, which held the kernels one and two. */
  function edited(statement: string): Disk {
    const folder = freshFolder();
    const store = opened(folder);
    for (const name of ["one", "two"]) store.put(moduleOf(name), [kernelOf(name)]);
    store.close();
    const database = new Database(join(folder, "kernels.sqlite"));
    database.exec(statement);
    database.close();
    return opened(folder);
  }

  test.each([
    ["moved to another key", "DELETE FROM kernel WHERE key = 'two'; UPDATE kernel SET key = 'two'"],
    [
      "led to another module",
      "UPDATE kernel SET module = (SELECT module FROM kernel WHERE key = 'one') WHERE key = 'two'",
    ],
    ["of another symbol", "UPDATE kernel SET symbol = 'g' WHERE key = 'two'"],
    ["of another compiler", "UPDATE module SET compiler = 'd' WHERE CAST(binary AS TEXT) = 'two'"],
    ["with another's seal", "UPDATE kernel SET seal = (SELECT seal FROM kernel WHERE key = 'one')"],
    ["without a seal", "UPDATE kernel SET seal = '' WHERE key = 'two'"],
  ])("%s is a miss", (_, statement) => {
    const store = edited(statement);
    expect(store.fetch("two")).toBeUndefined();
    expect(store.has("two")).toBe(false);
    store.close();
    const again = edited(statement);
    expect([...again.modules()].flatMap(({ kernels }) => kernels.map(({ key }) => key))).not.toContain("two");
    expect(again.verify().damaged).toBe(1);
    expect(again.verify().damaged).toBe(0);
    again.close();
  });

  test("depends on the secret and on every part", () => {
    const secret = randomBytes(32);
    const kernel = { key: "k", symbol: "f", compiler: "c", sha: "s" };
    const seal = sealOf(secret, kernel);
    expect(isSealed(secret, kernel, seal)).toBe(true);
    expect(isSealed(randomBytes(32), kernel, seal)).toBe(false);
    expect(isSealed(secret, kernel, seal.slice(1))).toBe(false);
    for (const part of Object.keys(kernel)) {
      expect(isSealed(secret, { ...kernel, [part]: "x" }, seal), part).toBe(false);
    }
  });

  test("is opened by who has the key, and compiled again by all others", async () => {
    const [folder, state] = [freshFolder(), freshFolder()];
    await use(folder, ["alpha", "beta"]);
    const other = await use(folder, ["alpha", "beta"], { env: { XDG_STATE_HOME: state } });
    expect(origins(other)).toEqual(["compiled", "compiled"]);
    expect(other.stderr.match(/seal is wrong/g)).toHaveLength(1);
    const key = join(state, "jitlab", "cache-key");
    expect(statSync(key)).toMatchObject({ size: 32 });
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(statSync(join(state, "jitlab")).mode & 0o777).toBe(0o700);
  });
});

describe("the key", () => {
  /** A place for a key, with one in it. */
  function keyPlace(): { state: string; key: string } {
    const state = freshFolder();
    mkdirSync(join(state, "jitlab"), { mode: 0o700 });
    const key = join(state, "jitlab", "cache-key");
    writeFileSync(key, randomBytes(32), { mode: 0o600 });
    return { state, key };
  }

  const troubles: readonly (readonly [string, (key: string) => void, RegExp])[] = [
    ["of mode 644", (key) => chmodSync(key, 0o644), /has mode 644 and 32 bytes: delete it/],
    ["that is truncated", (key) => writeFileSync(key, "short"), /has mode 600 and 5 bytes: delete it/],
    [
      "that is a symbolic link",
      (key) => {
        copyFileSync(key, `${key}.real`);
        rmSync(key);
        symlinkSync(`${key}.real`, key);
      },
      /is a symbolic link: delete it/,
    ],
    [
      "that is a folder",
      (key) => {
        rmSync(key);
        mkdirSync(key, 0o700);
      },
      /must be a file of mode 600/,
    ],
    ["in a folder that others can write to", (key) => chmodSync(join(key, ".."), 0o777), /written by others/],
  ];
  test.each(troubles)("%s is not used: memory, one warning", async (_, spoil, why) => {
    const { state, key } = keyPlace();
    const folder = freshFolder();
    spoil(key);
    const outcome = await use(folder, ["alpha", "alpha"], { env: { XDG_STATE_HOME: state } });
    expect(origins(outcome)).toEqual(["compiled", "disk"]);
    expect(outcome.status.mode).toBe("memory");
    expect(outcome.status.reason).toMatch(why);
    expect(outcome.stderr.match(/^jitlab: /gm)).toHaveLength(1);
    expect(outcome.stderr).toMatch(/XDG_STATE_HOME names another folder for the key\.\n$/);
  });

  test.skipIf(!isRoot)("of another user is not used (needs root to make one)", async () => {
    const { state, key } = keyPlace();
    chownSync(key, attacker, attacker);
    const { status } = await use(freshFolder(), ["alpha"], { env: { XDG_STATE_HOME: state } });
    expect(status).toMatchObject({ mode: "memory" });
    expect(status.reason).toMatch(/cache-key belongs to another user \(id 65534\)/);
  });

  test.each([
    ["cannot be written to", "/proc/nowhere", /cache-key cannot be used \(.*ENOENT/],
    ["is a file", "/dev/null", /cache-key cannot be used \(.*(ENOTDIR|EEXIST)/],
    ["is empty", "", /HOME is empty/],
  ])("is not kept where HOME %s: memory, one warning", async (_, home, why) => {
    const env = { HOME: home, XDG_STATE_HOME: "" };
    const outcome = await use(freshFolder(), ["alpha"], { env });
    expect(results(outcome)).toEqual(["a"]);
    expect(outcome.status).toMatchObject({ mode: "memory" });
    expect(outcome.status.reason).toMatch(why);
    expect(outcome.stderr.match(/^jitlab: /gm)).toHaveLength(1);
  });

  test("does not lie in the cache's folder", async () => {
    const folder = freshFolder();
    const { status } = await use(folder, ["alpha"], { env: { XDG_STATE_HOME: folder } });
    expect(status.reason).toMatch(/would be in the folder that it protects/);
    expect(readdirSync(folder)).not.toContain("jitlab");
  });

  test("is one for all processes that start together", async () => {
    const state = freshFolder();
    const names = ["one", "two", "three"];
    const folder = freshFolder();
    const outcomes = await Promise.all(
      names.map(() => use(folder, names, { env: { XDG_STATE_HOME: state } })),
    );
    expect(outcomes.flatMap(origins).filter((origin) => origin === "compiled")).toHaveLength(3);
    // On a busy machine they say for whose compile they wait.
    const said = outcomes.map(({ stderr }) => stderr).join("");
    expect(said.replace(/^jitlab: Waiting for process .*\n/gm, "")).toBe("");
    expect(readdirSync(join(state, "jitlab"))).toEqual(["cache-key"]);
  });

  test("is one for all that make it at the same moment", async () => {
    const states = Array.from({ length: 25 }, () => freshFolder());
    const together = 4;
    const arrived = new Int32Array(new SharedArrayBuffer(4));
    const library = new URL("../../dist/runtime/cache/seal.js", import.meta.url).href;
    const code = `
      const { workerData, parentPort } = require("node:worker_threads");
      const { arrived, together, states, library } = workerData;
      import(library).then(({ ownSecret }) => {
        const secrets = states.map((state, i) => {
          process.env.XDG_STATE_HOME = state;
          Atomics.add(arrived, 0, 1);
          while (Atomics.load(arrived, 0) < together * (i + 1));
          return ownSecret("/cache").toString("hex");
        });
        parentPort.postMessage(secrets);
      });`;
    const all = await Promise.all(
      Array.from({ length: together }, () => {
        const worker = new Worker(code, { eval: true, workerData: { arrived, together, states, library } });
        return new Promise<string[]>((done, fail) => worker.once("message", done).once("error", fail));
      }),
    );
    for (const secrets of all) expect(secrets).toEqual(all[0]);
    expect(new Set(all[0]).size).toBe(states.length);
  });
});
