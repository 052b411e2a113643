// Processes that are killed at any moment of a compile leave no compiler and no temporary folder.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { until } from "../support/kernel.js";
import { processesOf } from "../support/processes.js";

const seconds = Number(process.env.CHAOS_SECONDS ?? 60);
const built = (name: string) =>
  JSON.stringify(new URL(`../../dist/runtime/${name}.js`, import.meta.url).href);
const script = `
  const { compile } = await import(${built("compiler/service")});
  const { hostTarget } = await import(${built("device/cpu/toolchain")});
  const { compiler, flags } = hostTarget();
  for (let i = 0; ; i++) {
    compile(compiler, { source: "int x" + i + ";", flags, name: "kernel" });
    if (i === 0) process.stdout.write("works");
  }
`;

test("killed processes leave no compiler and no folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-chaos-"));
  const end = performance.now() + seconds * 1000;
  let kills = 0;
  for (; kills === 0 || performance.now() < end; kills++) {
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((done) => child.once("exit", done));
    await new Promise((done) => child.stdout.once("data", done));
    await sleep(Math.random() * 100);
    child.kill("SIGKILL");
    await ended;
  }
  await until(() => readdirSync(folder).length === 0 && processesOf(folder).length === 0);
  console.log(`${kills} kills`);
  expect(kills).toBeGreaterThan(0);
  rmSync(folder, { recursive: true });
});
