// `jitlab cache remote` and doctor's line about the shared cache.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import { origins, use } from "../support/cache-process.js";
import { noRedis, startRedis } from "../support/redis.js";

const commandLine = join(import.meta.dirname, "..", "..", "dist", "kernel", "main.js");
const root = mkdtempSync(join(tmpdir(), "jitlab-remote-command-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const noCompiler = findCompiler().path === "" ? " (skipped: no C++ compiler)" : "";

function jitlab(
  machine: string,
  address: string,
  ...args: string[]
): Promise<{ status: number; output: string }> {
  return new Promise((done) => {
    const env = {
      ...process.env,
      JITLAB_CACHE_DIR: join(root, machine),
      JITLAB_REMOTE_CACHE: address,
      JITLAB_REMOTE_CACHE_KEY: "a secret of the group",
    };
    execFile(process.execPath, [commandLine, ...args], { env }, (error, stdout, stderr) =>
      done({ status: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

async function doctorsLine(address: string): Promise<{ status: string; detail: string; help: string }> {
  const { output } = await jitlab("doctor", address, "doctor", "--json");
  return JSON.parse(output).findings.find(({ name }: { name: string }) => name === "shared cache");
}

const places = [
  ["a folder", "", async () => ({ address: `file://${join(root, "shared")}`, stop: async () => undefined })],
  [
    "a Redis server",
    noRedis,
    async () => {
      const { port, stop } = await startRedis();
      return { address: `redis://127.0.0.1:${port}/0`, stop };
    },
  ],
] as const;

describe.each(places)("%s", (name, skipped, start) => {
  const missing = noCompiler || skipped;

  test.skipIf(missing)(`is filled, shown, fetched and emptied by hand${missing}`, async () => {
    const { address, stop } = await start();
    const remote = (machine: string, ...args: string[]) =>
      jitlab(`${name} ${machine}`, address, "cache", "remote", ...args);
    try {
      await use(join(root, `${name} one`), ["alpha", "beta"]); // without a shared cache
      expect((await remote("one", "push")).output).toBe(
        `Stored 2 kernels in ${shown(address)}; 0 were already stored.\n`,
      );
      expect((await remote("one", "push")).output).toMatch(
        /^Stored 0 kernels in .*; 2 were already stored\.$/m,
      );
      expect((await remote("one")).output).toMatch(
        /^address {3}\S+\nanswers {3}in [\d.]+ .?s\nkernels {3}2\nsize {6}\d+(\.\d)? KiB\n$/,
      );
      expect((await remote("two", "pull")).output).toBe(
        `Fetched 2 kernels from ${shown(address)}; 0 were already here.\n`,
      );
      expect(JSON.parse((await remote("two", "pull", "--json")).output)).toMatchObject({
        ...{ pulled: 0, present: 2, refused: 0 },
      });
      expect(origins(await use(join(root, `${name} two`), ["beta", "alpha"]))).toEqual(["disk", "disk"]);
      expect(await doctorsLine(address)).toMatchObject({
        status: "ok",
        detail: expect.stringMatching(/: answers in [\d.]+ .?s$/),
      });
      const asked = await remote("two", "clear");
      expect(asked).toMatchObject({
        status: 1,
        output: expect.stringContaining("Add --yes where nobody needs them."),
      });
      expect((await remote("two", "clear", "--yes")).output).toBe("Deleted 2 kernels.\n");
      expect((await remote("one", "status")).output).toMatch(/^kernels {3}0$/m);
    } finally {
      await stop();
    }
  });
});

const shown = (address: string) => address.replace("file://", "");

test("without one, or with one that does not answer, commands and doctor say so", async () => {
  const none = await jitlab("none", "", "cache", "remote");
  expect(none.status).toBe(1);
  expect(none.output).toMatch(/^jitlab: There is no shared cache\.\nJITLAB_REMOTE_CACHE names one/);
  expect(await doctorsLine("")).toMatchObject({ status: "ok", detail: "none is set (JITLAB_REMOTE_CACHE)" });
  const file = join(root, "file");
  writeFileSync(file, "");
  const unusable = await jitlab("none", `file://${file}`, "cache", "remote", "push");
  expect(unusable.status).toBe(1);
  expect(unusable.output).toMatch(/^jitlab: The shared cache \S+file cannot be used: ENOTDIR/);
  expect(await doctorsLine(`file://${file}`)).toMatchObject({
    status: "missing",
    detail: expect.stringContaining("cannot be used: ENOTDIR"),
    help: expect.stringContaining("every machine compiles its kernels"),
  });
});
