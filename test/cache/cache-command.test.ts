import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DiskStore } from "../../dist/runtime/cache/disk.js";

const commandLine = join(import.meta.dirname, "..", "..", "dist", "kernel", "main.js");
const root = mkdtempSync(join(tmpdir(), "jitlab-command-"));
const folder = join(root, "cache");
const day = 24 * 3600 * 1000;
afterAll(() => rmSync(root, { recursive: true, force: true }));

function jitlab(...args: string[]): Promise<{ status: number; output: string }> {
  return new Promise((done) => {
    const env = { ...process.env, JITLAB_CACHE_DIR: folder };
    execFile(process.execPath, [commandLine, ...args], { env }, (error, stdout, stderr) =>
      done({ status: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

async function keysOf(...filter: string[]): Promise<string[]> {
  const { output } = await jitlab("cache", "list", "--json", ...filter);
  return JSON.parse(output)
    .map(({ key }: { key: string }) => key)
    .sort();
}

// What a process stored whose clock said so.
function put(key: string, op: string, kind: "cpu" | "cuda", ageMs: number): void {
  const now = Date.now;
  Date.now = () => now() - ageMs;
  try {
    const store = new DiskStore(folder, 2 ** 30);
    store.open();
    const module = { binary: Buffer.from(key.repeat(1000)), assembly: "", log: "", compileMs: 1500 };
    store.put({ ...module, kind, arch: `${kind}-arch`, compiler: "c", flags: [] }, [
      { key, symbol: "f", op, variant: "contiguous", dtypes: ["float32"], source: "text", compileMs: 1500 },
    ]);
    store.close();
  } finally {
    Date.now = now;
  }
}

beforeAll(() => {
  put("k1", "add", "cpu", 40 * day);
  put("k2", "add", "cuda", 2 * day);
  put("k3", "gcd", "cuda", 0);
});

test("status and list say sizes and times in words", async () => {
  const status = await jitlab("cache");
  expect(status.output).toMatch(/^kernels {3}3$/m);
  expect(status.output).toMatch(/^size {6}\d+(\.\d)? KiB of at most 1\.0 GiB$/m);
  expect(status.output).toMatch(/^saved {5}0 ns of compiling$/m);
  const { output } = await jitlab("cache", "list");
  const lines = output.trimEnd().split("\n");
  expect(lines.filter((line) => !line.startsWith(" "))).toEqual([
    "gcd contiguous float32",
    "add contiguous float32",
    "add contiguous float32",
  ]);
  expect(lines.slice(lines.lastIndexOf("add contiguous float32") + 1).join(" ")).toMatch(
    /^ +cpu-arch, 2\.0 KiB, compiled in 1\.5 s by process \d+ on \S+ +40 days ago, 0 +hits, +last +used 40 days ago$/,
  );
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("list and clear take filters by op, device and age", async () => {
  expect(await keysOf()).toEqual(["k1", "k2", "k3"]);
  expect(await keysOf("--op", "add")).toEqual(["k1", "k2"]);
  expect(await keysOf("--device", "cuda")).toEqual(["k2", "k3"]);
  expect(await keysOf("--device", "cuda:1", "--op", "add")).toEqual(["k2"]);
  expect(await keysOf("--older-than", "30h")).toEqual(["k1", "k2"]);
  expect((await jitlab("cache", "list", "--op", "nothing")).output).toBe("No kernels.\n");
  expect((await jitlab("cache", "clear", "--older-than", "30d")).output).toBe("Deleted 1 kernel.\n");
  expect((await jitlab("cache", "clear", "--device", "cuda", "--op", "gcd", "--json")).output).toBe("1\n");
  expect(await keysOf()).toEqual(["k2"]);
  expect((await jitlab("cache", "verify")).output).toBe(
    "Checked 1 kernel; 0 of them had a wrong checksum or seal and were deleted.\n",
  );
});

test.each([
  ["an age without a unit", ["list", "--older-than", "5"], /argument '5' is invalid\. It must look like 90s/],
  [
    "a filter where all kernels are meant",
    ["verify", "--op", "add"],
    /jitlab cache verify works on all kernels/,
  ],
  [
    "an unknown action",
    ["empty"],
    /'empty' is invalid.*Allowed choices are status, list, .*, import, remote\./s,
  ],
  ["an unknown option", ["list", "--older", "5d"], /unknown option '--older'/],
])("%s is refused in words", async (_, args, why) => {
  const { status, output } = await jitlab("cache", ...args);
  expect(status).not.toBe(0);
  expect(output).toMatch(why);
  expect(output).not.toMatch(/\n {4}at /);
});
