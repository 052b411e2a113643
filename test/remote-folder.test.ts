// The content of a shared folder, and its expiry.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FolderTransport } from "../dist/runtime/cache/remote/folder-transport.js";

const day = 24 * 3600;
const key = (digit: string) => digit.repeat(64);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jitlab-shared-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function opened(limits: { ttlMs?: number; maxBytes?: number } = {}): Promise<FolderTransport> {
  const transport = new FolderTransport({
    ...{ url: "", folder, address: folder, secret: new Uint8Array(), prefix: "" },
    ...{ ttlMs: 30 * day * 1000, maxBytes: 2 ** 30 },
    ...limits,
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
