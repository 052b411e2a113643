// Unusable or untrusted locations of the database: created, mounted or imitated here.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { act, origins, results, use } from "../support/cache-process.js";

const Database = createRequire(import.meta.url)("libsql");
const networkDisk = join(import.meta.dirname, "..", "support", "network-disk.mjs");
const root = mkdtempSync(join(tmpdir(), "jitlab-recovery-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
function freshFolder(): string {
  const folder = join(root, String(folders++));
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

test("code that the device refuses is deleted, compiled again and told once", async () => {
  const folder = freshFolder();
  const outcome = await act(folder, { action: "refused", name: "alpha" });
  expect(origins(outcome)).toEqual(["compiled", "disk"]);
  expect(results(outcome)).toEqual(["a", "a"]);
  expect(outcome.stderr.match(/^jitlab: /gm)).toHaveLength(1);
  expect(outcome.stderr).toMatch(
    /The device cpu refused the cached kernel alpha \(contiguous\): .* compiled again\./,
  );
  expect(origins(await use(folder, ["alpha"]))).toEqual(["disk"]);
});

test("a database of an older version is emptied and used", async () => {
  const folder = freshFolder();
  const file = join(folder, "kernels.sqlite");
  const old = new Database(file);
  old.exec(
    "CREATE TABLE kernel (key TEXT, code BLOB); INSERT INTO kernel VALUES ('k', 'old'); PRAGMA user_version = 0",
  );
  old.close();
  chmodSync(file, 0o600);
  const outcome = await use(folder, ["alpha", "alpha"]);
  expect(origins(outcome)).toEqual(["compiled", "disk"]);
  expect(outcome).toMatchObject({ stderr: "", status: { mode: "disk", kernels: 1 } });
});

test("on a network file system processes share no memory, and one's kernels are the other's", async () => {
  const folder = freshFolder();
  const first = await use(folder, ["alpha", "beta"], { preload: networkDisk });
  expect(origins(first)).toEqual(["compiled", "compiled"]);
  expect(existsSync(join(folder, "kernels.sqlite-wal"))).toBe(false);
  const mode = new Database(join(folder, "kernels.sqlite")).prepare("PRAGMA journal_mode").get();
  expect(mode).toMatchObject({ journal_mode: "delete" });
  const others = await Promise.all(
    [1, 2, 3].map(() => use(folder, ["alpha", "gamma", "beta"], { preload: networkDisk })),
  );
  expect(others.flatMap(origins).filter((origin) => origin === "compiled")).toHaveLength(1);
  expect([first, ...others].map(({ stderr }) => stderr).join("")).toBe("");
});

test("on a file system without locks kernels stay in memory, with one message", async () => {
  const library = join(root, "no-locks.so");
  const source = join(import.meta.dirname, "..", "support", "no-locks.c");
  execFileSync("cc", ["-shared", "-fPIC", "-o", library, source, "-ldl"]);
  const folder = freshFolder();
  const outcome = await use(folder, ["alpha", "beta", "alpha"], { env: { LD_PRELOAD: library } });
  expect(results(outcome)).toEqual(["a", "b", "a"]);
  expect(outcome.status).toMatchObject({ mode: "memory", reason: "its file system has no locks" });
  expect(outcome.stderr.match(/^jitlab: /gm)).toHaveLength(1);
  expect(readdirSync(folder)).toEqual(["kernels.sqlite"]);
});

test("a new database that another process has locked at first is used later, and not taken for damaged", async () => {
  const folder = freshFolder();
  const file = join(folder, "kernels.sqlite");
  writeFileSync(file, "", { mode: 0o600 });
  const outcome = await act(folder, { action: "locked", file, names: ["alpha", "alpha"] });
  expect(origins(outcome)).toEqual(["compiled", "disk"]);
  const status = { mode: "disk", kernels: 1 };
  expect(outcome).toMatchObject({ answer: "locked", stderr: "", status });
});

test("a lock that another process keeps is waited for twice, with one message", async () => {
  const folder = freshFolder();
  await use(folder, ["alpha"]);
  const other = new Database(join(folder, "kernels.sqlite"));
  other.exec("BEGIN IMMEDIATE");
  const outcome = await use(folder, ["alpha", "beta", "gamma", "beta"]);
  expect(results(outcome)).toEqual(["a", "b", "g", "b"]);
  expect(outcome.status).toMatchObject({
    mode: "memory",
    reason: expect.stringContaining("keeps it locked"),
  });
  expect(outcome.stderr.match(/^jitlab: /gm)).toHaveLength(1);
  other.exec("ROLLBACK");
  other.close();
  expect(origins(await use(folder, ["alpha"]))).toEqual(["disk"]);
});

/** Mounts a small file system; false where that is not allowed. */
function mount(folder: string, size: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=0700`, "none", folder], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

function unmount(folder: string): void {
  execFileSync("umount", ["--lazy", folder]);
}

function mayMount(): boolean {
  const folder = freshFolder();
  const done = mount(folder, "64k");
  if (done) unmount(folder);
  return done;
}

describe.skipIf(!mayMount())("a disk (mounting one needs root)", () => {
  const names = [..."abcdefghijklmnop"].map((letter) => `${letter}_kernel`);

  test.each([0, 64, 128, 256])("with %s KiB free: memory, one warning, right results", async (free) => {
    const folder = freshFolder();
    mount(folder, "1m");
    try {
      writeFileSync(join(folder, "ballast"), Buffer.alloc(1024 * (1024 - free)));
      const thrice = [...names, ...names, ...names];
      const outcome = await use(folder, thrice);
      expect(results(outcome)).toEqual(thrice.map((name) => name[0]));
      // What was stored before the disk was full may be compiled again, once.
      expect(origins(outcome).slice(2 * names.length)).toEqual(names.map(() => "disk"));
      expect(outcome.status.mode).toBe("memory");
      expect(outcome.stderr.match(/^jitlab: /gm)).toHaveLength(1);
      expect(outcome.stderr).toMatch(/ENOSPC|full|I\/O/);
    } finally {
      unmount(folder);
    }
  });

  test("that is read-only: new kernels stay in memory, with one warning", async () => {
    const folder = freshFolder();
    mount(folder, "4m");
    try {
      expect(origins(await use(folder, ["alpha"]))).toEqual(["compiled"]);
      execFileSync("mount", ["-o", "remount,ro", folder]);
      const outcome = await use(folder, ["alpha", "beta", "beta"]);
      expect(results(outcome)).toEqual(["a", "b", "b"]);
      expect(origins(outcome).slice(1)).toEqual(["compiled", "disk"]);
      expect(outcome.status.mode).toBe("memory");
      expect(outcome.stderr.match(/^jitlab: /gm)).toHaveLength(1);
    } finally {
      unmount(folder);
    }
  });
});
