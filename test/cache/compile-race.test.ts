// The race for a kernel between the shared cache and the compiler here, with another machine that holds the lease.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FolderTransport } from "../../dist/runtime/cache/remote/folder-transport.js";
import { RemoteCache } from "../../dist/runtime/cache/remote/remote-cache.js";
import { rowOf } from "../../dist/runtime/cache/remote/row.js";
import type { RemoteSettings } from "../../dist/runtime/cache/remote/settings.js";
import type { StoredModule } from "../../dist/runtime/cache/store.js";
import { type Attempt, raced, type Timed, timed } from "../../dist/runtime/compiler/race.js";

const key = "a".repeat(64);
const stored: StoredModule = {
  module: {
    ...{ binary: Buffer.from("code"), assembly: "", log: "", kind: "cpu", arch: "x86-64", compiler: "g++" },
    ...{ flags: [], compileMs: 100, made: { createdAt: 1, host: "another", pid: 1 } },
  },
  kernels: [{ key, symbol: "f", op: "f", variant: "contiguous", dtypes: [], source: "f", compileMs: 100 }],
};
const output = { binary: Buffer.from("own"), assembly: "", log: "" };

let folder: string;
let settings: RemoteSettings;
let another: FolderTransport;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "jitlab-race-"));
  settings = {
    ...{ url: "", folder, address: folder, secret: Buffer.from("a secret of the group"), prefix: "" },
    ...{ ttlMs: 3600_000, maxBytes: 2 ** 30 },
  };
  another = new FolderTransport(settings);
  await another.open();
  expect(await another.look(key, 10_000)).toBe("ours");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = () => another.put([key], rowOf(settings.secret, stored));
const race = (name: string, start: () => Attempt, isCancelled = () => false) =>
  raced(new RemoteCache(settings, () => undefined), key, name, start, isCancelled);
const done = (): Attempt => ({ compiled: Promise.resolve({ output, ms: 1 }), end: () => undefined });
/** A compile that lasts until it is ended. */
function endless(): Attempt & { ended: boolean } {
  let reject: (error: Error) => void = () => undefined;
  const compiled = new Promise<Timed>((_resolve, fail) => {
    reject = fail;
  });
  const attempt = {
    ended: false,
    compiled,
    end: () => {
      attempt.ended = true;
      reject(new Error("ended"));
    },
  };
  return attempt;
}

test("a kernel that another machine compiles is waited for", async () => {
  const attempts: { ended: boolean }[] = [];
  const answer = race("unseen", () => {
    const attempt = endless();
    attempts.push(attempt);
    return attempt;
  });
  await put();
  expect(await answer).toMatchObject({ found: { kernels: [{ key }] } });
  // None was started, but where the folder took longer to say so than it is waited for.
  expect(attempts.filter(({ ended }) => !ended)).toEqual([]);
});

test("one that takes longer than here is compiled here too, and the first ends the other", async () => {
  await timed("quick", async () => output);
  const own = endless();
  const puts: Promise<void>[] = [];
  const answer = race("quick", () => {
    puts.push(put());
    return own;
  });
  expect(await answer).toMatchObject({ found: { kernels: [{ key }] } });
  expect(own.ended).toBe(true);
  // The folder goes with the test: no put may be under way then.
  await Promise.all(puts);
});

test("one whose machine never stores it is compiled here", async () => {
  await timed("quick", async () => output);
  expect(await race("quick", done)).toEqual({ output, ms: 1 });
});

test("one whose lease is told of late is left to its machine by who has just started", async () => {
  const remote = new RemoteCache(settings, () => undefined);
  const answered = await remote.look(key);
  expect(answered).toBe("taken");
  const own = endless();
  let begin: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const late: Pick<RemoteCache, "ready" | "look" | "watch"> = {
    ready: () => remote.ready(),
    look: () => started.then(() => answered),
    watch: (...args) => remote.watch(...args),
  };
  const start = () => {
    begin();
    return own;
  };
  const answer = raced(late as RemoteCache, key, "unseen", start, () => false);
  await expect.poll(() => own.ended).toBe(true);
  await put();
  expect(await answer).toMatchObject({ found: { kernels: [{ key }] } });
});

test("a wait ends with the interrupted cell", async () => {
  await expect(race("unseen", endless, () => true)).rejects.toThrow("cancelled");
});
