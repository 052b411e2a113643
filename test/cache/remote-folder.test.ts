// The content of a shared folder, and its expiry.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { FolderTransport } from "../../dist/runtime/cache/remote/folder-transport.js";

const day = 24 * 3600;
const key = (digit: string) => digit.repeat(64);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jitlab-shared-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function opened(
  settings: { folder?: string; ttlMs?: number; maxBytes?: number } = {},
): Promise<FolderTransport> {
  const transport = new FolderTransport({
    ...{ url: "", folder, address: folder, secret: new Uint8Array(), prefix: "" },
    ...{ ttlMs: 30 * day * 1000, maxBytes: 2 ** 30 },
    ...settings,
  });
  await transport.open();
  return transport;
}

const files = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[0-9a-f]{64}/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

/** Makes a file look as old as so many seconds. */
function age(path: string, seconds: number): void {
  utimesSync(path, Date.now() / 1000 - seconds, Date.now() / 1000 - seconds);
}

test("a module is one file, under the key of each of its kernels, and nothing half written stays", async () => {
  const transport = await opened();
  await transport.put([key("a"), key("b")], Buffer.from("module"));
  expect(files().map((file) => readFileSync(file, "utf8"))).toEqual(["module", "module"]);
  expect(new Set(files().map((file) => statSync(file).ino)).size).toBe(1);
  expect(await transport.totals()).toEqual({ kernels: 2, bytes: 6 });
  await transport.put([key("b")], Buffer.from("another"));
  const rows = await transport.fetch([key("a"), key("b"), key("c")]);
  expect(rows.map((row) => row && Buffer.from(row).toString())).toEqual(["module", "another", undefined]);
  expect(await transport.clear()).toBe(2);
  expect(files()).toEqual([]);
});

test("a kernel goes that nobody used for its time, and a use is noted once a day", async () => {
  const transport = await opened({ ttlMs: 10 * day * 1000 });
  await transport.put([key("a")], Buffer.from("row"));
  const [file = ""] = files();
  age(file, 5 * day);
  expect((await transport.fetch([key("a")]))[0]).toBeDefined();
  expect(Date.now() - statSync(file).mtimeMs).toBeLessThan(day * 1000);
  age(file, 11 * day);
  expect(await transport.fetch([key("a")])).toEqual([undefined]);
});

test("who stores a kernel on a new day removes what is old, then what is too much, the oldest first", async () => {
  const transport = await opened({ ttlMs: 10 * day * 1000, maxBytes: 250 });
  for (const digit of "abcd") await transport.put([key(digit)], Buffer.alloc(100, digit));
  const ages = { a: 11, b: 3, c: 2, d: 1 };
  for (const [digit, days] of Object.entries(ages)) {
    age(files().find((file) => file.endsWith(key(digit))) ?? "", days * day);
  }
  await transport.put([key("e")], Buffer.alloc(100, "e"));
  expect(files()).toHaveLength(5); // swept today already
  age(join(folder, readdirSync(folder)[0] ?? "", "leases", "swept"), 2 * day);
  await transport.put([key("f")], Buffer.alloc(100, "f"));
  const left = files().map((file) => file.at(-1));
  expect(left.sort()).toEqual(["e", "f"]);
});

test("one machine has the lease of a key until it stores the kernel, or for its time", async () => {
  const [one, other] = [await opened(), await opened()];
  expect(await one.look(key("a"), 1000)).toBe("ours");
  expect(await other.look(key("a"), 1000)).toBe("taken");
  expect(await other.look(key("b"), 1000)).toBe("ours");
  age(join(folder, readdirSync(folder)[0] ?? "", "leases", key("a")), 2);
  expect(await other.look(key("a"), 1000)).toBe("ours");
  expect(await one.look(key("a"), 1000)).toBe("taken");
  await other.put([key("a")], Buffer.from("row"));
  expect(await one.look(key("a"), 1000)).toEqual(Buffer.from("row"));
});

/** A folder elsewhere with files as old as what a sweep deletes, and a link to it in the place of one of the shared folder's. */
async function linked(place: string): Promise<{ victim: string; intact(): void }> {
  const victim = mkdtempSync(join(tmpdir(), "jitlab-victim-"));
  onTestFinished(() => rmSync(victim, { recursive: true, force: true }));
  const names = ["notes.txt", key("d"), "swept"];
  for (const name of names) {
    writeFileSync(join(victim, name), "precious");
    age(join(victim, name), 40 * day);
  }
  const times = () => names.map((name) => statSync(join(victim, name)).mtimeMs);
  const old = times();
  rmSync(join(own(), place), { recursive: true, force: true });
  symlinkSync(victim, join(own(), place));
  return {
    victim,
    intact: () => {
      expect(readdirSync(victim).toSorted()).toEqual(names.toSorted());
      expect(times()).toEqual(old);
    },
  };
}

function writtenTo(path: string): string {
  writeFileSync(path, "");
  return path;
}

const own = () => join(folder, readdirSync(folder)[0] ?? "");

test.each(["kernels/dd", "kernels", "leases"])(
  "a link in the place of %s makes nobody delete, change or create files elsewhere",
  async (place) => {
    const transport = await opened();
    await transport.put([key("a")], Buffer.from("row"));
    age(join(own(), "leases", "swept"), 2 * day);
    const { intact } = await linked(place);
    const calls = [
      () => transport.put([key("b")], Buffer.from("row")), // with the daily sweep
      () => transport.put([key("d")], Buffer.from("row")),
      () => transport.look(key("d"), 1000),
      () => transport.look(key("e"), 1000),
      () => transport.clear(),
      () => opened(),
    ];
    for (const call of calls) {
      await call().catch((error: Error) =>
        expect(error.message).toMatch(/ is a link or leads through one; remove it/),
      );
      intact();
    }
  },
);

test("a link in the place of the folder of this version is refused", async () => {
  await opened();
  const name = readdirSync(folder)[0] ?? "";
  rmSync(join(folder, name), { recursive: true });
  const victim = mkdtempSync(join(tmpdir(), "jitlab-victim-"));
  onTestFinished(() => rmSync(victim, { recursive: true, force: true }));
  symlinkSync(victim, join(folder, name));
  await expect(opened()).rejects.toThrow(`${join(folder, name)} is a link or leads through one`);
  expect(readdirSync(victim)).toEqual([]);
});

test("the shared folder itself may be named by a link", async () => {
  const link = `${folder}-link`;
  symlinkSync(folder, link);
  onTestFinished(() => rmSync(link, { force: true }));
  const transport = await opened({ folder: link });
  await transport.put([key("a")], Buffer.from("row"));
  expect(await transport.look(key("a"), 1000)).toEqual(Buffer.from("row"));
});

test("files that jitlab did not write are neither counted nor deleted", async () => {
  const transport = await opened({ ttlMs: 10 * day * 1000, maxBytes: 10 });
  await transport.put([key("a")], Buffer.from("row"));
  const foreign = [join(own(), "kernels", "aa", "big"), join(own(), "kernels", "other")];
  mkdirSync(foreign[1] ?? "");
  for (const path of [foreign[0] ?? "", join(foreign[1] ?? "", key("e"))]) {
    writeFileSync(path, "");
    truncateSync(path, 1000);
    age(path, 40 * day);
  }
  age(join(own(), "leases", "swept"), 2 * day);
  await transport.put([key("a")], Buffer.from("row"));
  await transport.clear();
  expect(foreign.map((path) => existsSync(path))).toEqual([true, true]);
  expect(files()).toEqual([join(foreign[1] ?? "", key("e"))]);
});

test.each([
  ["a pipe without a writer", (path: string) => void execFileSync("mkfifo", [path])],
  ["a link to an endless device", (path: string) => symlinkSync("/dev/zero", path)],
  ["a link to a row", (path: string) => symlinkSync(join(own(), "kernels", "bb", key("b")), path)],
  ["a file larger than any row", (path: string) => truncateSync(writtenTo(path), 2 ** 40)],
])("%s in the place of a row is no row, and the next one replaces it", async (_what, plant) => {
  const transport = await opened();
  for (const digit of "ab") await transport.put([key(digit)], Buffer.from("row"));
  const path = join(own(), "kernels", "aa", key("a"));
  rmSync(path);
  plant(path);
  expect(await transport.fetch([key("a")])).toEqual([undefined]);
  expect(await transport.look(key("a"), 1000)).toBe("ours");
  await transport.put([key("a")], Buffer.from("new"));
  expect(await transport.fetch([key("a")])).toEqual([Buffer.from("new")]);
});
