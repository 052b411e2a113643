// Waiting for another process's compile: lease owners that live, die, stop, hang and have wrong clocks.
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { DiskStore } from "../../dist/runtime/cache/disk.js";
import { mayCompile, self } from "../../dist/runtime/cache/lease-owner.js";
import { origins, stay, use } from "../support/cache-process.js";

const Database = createRequire(import.meta.url)("libsql");
const script = join(import.meta.dirname, "..", "support", "cache-process.mjs");
const root = mkdtempSync(join(tmpdir(), "jitlab-lease-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

// Less than the minute for which the lease of a process that may be compiling counts.
const soon = { timeout: 40_000 };

let folders = 0;
function freshFolder(): string {
  const folder = join(root, String(folders++));
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** A compiler that does something else the first time it is run. */
function compilerWith(folder: string, first: string): string {
  const compiler = join(folder, "odd-cxx");
  writeFileSync(`${compiler}.first`, "");
  writeFileSync(compiler, `#!/bin/sh\nrm "$0.first" 2>/dev/null && ${first}\nexec c++ "$@"\n`, {
    mode: 0o755,
  });
  return compiler;
}

describe("a process that compiles what others need", () => {
  test("is waited for while it lives, which is said, and not once it is killed", async () => {
    const folder = freshFolder();
    const { child: holder, said } = await stay(folder, { action: "hold", name: "gamma" });
    expect(said).toEqual({ claim: "ours" });
    const env = { ...process.env, JITLAB_CACHE_DIR: folder };
    const action = JSON.stringify({ action: "use", names: ["gamma"] });
    let stderr = "";
    const waiting = new Promise<string>((done) => {
      const child = execFile(process.execPath, [script, action], { env }, (_, stdout) => done(stdout));
      child.stderr?.on("data", (data) => {
        stderr += data;
        holder.kill("SIGKILL");
      });
    });
    expect(origins(JSON.parse(await waiting))).toEqual(["compiled"]);
    expect(stderr).toMatch(
      /^jitlab: Waiting for process \d+ on .*, which compiles gamma \(contiguous\)\.\n$/,
    );
    expect(stderr).toContain(`process ${holder.pid} on ${self().host},`);
  });

  test("holds nobody up after it was interrupted", async () => {
    const folder = freshFolder();
    const env = { CXX: compilerWith(folder, "exec sleep 50") };
    const { child, said } = await stay(folder, { action: "interrupted", name: "delta" }, env);
    expect(said).toEqual({ error: "Script execution timed out after 1000ms" });
    expect(origins(await use(folder, ["delta"], { env }))).toEqual(["compiled"]);
    child.kill("SIGKILL");
  });

  test("holds nobody up while it is stopped", soon, async () => {
    const folder = freshFolder();
    const { child } = await stay(folder, { action: "hold", name: "gamma" });
    child.kill("SIGSTOP");
    expect(origins(await use(folder, ["gamma"]))).toEqual(["compiled"]);
    child.kill("SIGKILL");
  });

  test("holds nobody up once the clock was set back", soon, async () => {
    const folder = freshFolder();
    const { child } = await stay(folder, { action: "hold", name: "gamma" });
    const database = new Database(join(folder, "kernels.sqlite"));
    database.prepare("UPDATE lease SET since = ?").run(Date.now() + 3600 * 1000);
    database.close();
    expect(origins(await use(folder, ["gamma"]))).toEqual(["compiled"]);
    child.kill("SIGKILL");
  });

  test("holds nobody up while its compiler is stopped", soon, async () => {
    const folder = freshFolder();
    const env = { CXX: compilerWith(folder, `echo $$ > "$0.pid" && kill -STOP $$`) };
    const { child } = await stay(folder, { action: "start", name: "delta" }, env);
    while (!existsSync(`${env.CXX}.pid`)) await sleep(20);
    expect(origins(await use(folder, ["delta"], { env }))).toEqual(["compiled"]);
    child.kill("SIGKILL");
    execFileSync("sh", ["-c", `kill -KILL $(cat '${env.CXX}.pid') 2>&1 || :`]);
  });

  test("holds nobody up with the lease of a thread that was terminated", soon, async () => {
    const folder = freshFolder();
    const { child, said } = await stay(folder, { action: "holdInThread", name: "gamma" });
    expect(said).toEqual({ terminated: true });
    expect(origins(await use(folder, ["gamma"]))).toEqual(["compiled"]);
    child.kill("SIGKILL");
  });
});

describe("a lease", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    ["ahead", 365 * 24 * 3600 * 1000],
    ["behind", -365 * 24 * 3600 * 1000],
  ])("of another host whose clock is %s counts for ten seconds of this one's", (_, offset) => {
    const folder = freshFolder();
    const store = new DiskStore(folder, 2 ** 30);
    store.open();
    const database = new Database(join(folder, "kernels.sqlite"));
    const holder = { host: "elsewhere.example", pid: 7, start: "1/7" };
    database
      .prepare("INSERT INTO lease (key, host, pid, start, since) VALUES ('k', ?, ?, ?, ?)")
      .run(holder.host, holder.pid, holder.start, Date.now() + offset);
    database.close();
    vi.useFakeTimers({ toFake: ["performance"] });
    expect(store.claim("k")).toEqual(holder);
    vi.advanceTimersByTime(9_900);
    expect(store.claim("k")).toEqual(holder);
    vi.advanceTimersByTime(200);
    expect(store.claim("k")).toBe("ours");
    store.close();
  });

  test("names its thread by number and start time", () => {
    const [time, thread] = self().start.split("/");
    expect(Number(thread)).toBeGreaterThan(0);
    expect(mayCompile(self())).toBe(false);
    expect(mayCompile({ ...self(), start: `${Number(time) + 1}/${thread}` })).toBe(false);
    expect(mayCompile({ ...self(), start: `${time}/${2 ** 30}` })).toBe(false);
    expect(mayCompile({ ...self(), pid: 2 ** 30 })).toBe(false);
    expect(mayCompile({ ...self(), host: "elsewhere.example" })).toBe(true);
  });
});
