// What the three heaps of a kernel hold once their garbage is collected: the parent's main thread, its language worker,
// and the child.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { KernelClient } from "../../dist/kernel/client.js";
import type { StartOptions } from "../../dist/kernel/kernel-process.js";
import { result, until } from "../support/kernel.js";

/** Bytes held by each part, and what the parent occupies in all. */
export interface Heaps {
  readonly main: number;
  readonly worker: number;
  readonly child: number;
  readonly parentResident: number;
  readonly childResident: number;
}

/** The heaps that must not grow. */
export const heapNames = ["main", "worker", "child"] as const;

const file = join(mkdtempSync(join(tmpdir(), "jitlab-heaps-")), "heaps.json");
const kernel = fileURLToPath(new URL("../../dist/kernel/main.js", import.meta.url));
const probe = new URL("heap-probe.mjs", import.meta.url).href;

/** Starts a kernel whose heaps can be measured. */
export const measurable: StartOptions = {
  argv: [process.execPath, "--expose-gc", "--import", probe, kernel, "kernel", "-f", "{connection_file}"],
  env: { HEAP_PROBE: file },
};

/** Measures an idle kernel. */
export async function measure(client: KernelClient): Promise<Heaps> {
  const { pid } = client.kernel as { pid: number };
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  let parent: { main: number; worker: number } | undefined;
  await until(() => {
    parent = read();
    return parent !== undefined;
  });
  const answer = await client.execute(
    `require("node:v8").setFlagsFromString("--expose-gc");
     for (let turn = 0; turn < 4; turn++) {
       require("node:vm").runInNewContext("gc")();
       await new Promise((resolve) => setImmediate(resolve));
     }
     JSON.stringify([process.pid, process.memoryUsage().heapUsed])`,
    { storeHistory: false },
  );
  const [childPid, child] = JSON.parse((result(answer) as string).slice(1, -1)) as [number, number];
  return {
    ...(parent as { main: number; worker: number }),
    child,
    parentResident: resident(pid),
    childResident: resident(childPid),
  };
}

/** One line for the log. */
export function describeHeaps(heaps: Heaps): string {
  return Object.entries(heaps)
    .map(([name, bytes]) => `${name} ${(bytes / 1e6).toFixed(1)}`)
    .join(", ");
}

function read(): { main: number; worker: number } | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function resident(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}
