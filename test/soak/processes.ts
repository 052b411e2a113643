// What a kernel's three processes hold once their garbage is collected, and what they occupy.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KernelClient } from "../../dist/kernel/cli/client.js";
import type { StartOptions } from "../../dist/kernel/cli/kernel-process.js";
import { until } from "../support/kernel.js";

/** The processes by what each is for. */
export const roles = ["parent", "language", "child"] as const;

const programs = { language: /language\/main\.js|--snapshot-blob/, child: /child\/main\.js/ };

/** One process of a kernel, in bytes. */
export interface Memory {
  /** The heap without its garbage. */
  readonly held: number;
  readonly resident: number;
}

/** The processes of a kernel. */
export type Memories = Readonly<Record<(typeof roles)[number], Memory>>;

const folder = mkdtempSync(join(tmpdir(), "jitlab-heaps-"));
const probe = new URL("heap-probe.mjs", import.meta.url).href;

/** Starts a kernel whose heaps can be measured; without a cache, since a process from a snapshot preloads nothing. */
export const measurable: StartOptions = {
  env: { NODE_OPTIONS: `--import=${probe}`, HEAP_PROBE: folder, JITLAB_CACHE_DIR: join(folder, "cache") },
};

/** The process that has a role in a kernel; undefined where it is being replaced. */
export function processOf(client: KernelClient, role: (typeof roles)[number]): number | undefined {
  const parent = client.kernel?.pid as number;
  if (role === "parent") return parent;
  const started = read(`/proc/${parent}/task/${parent}/children`).split(" ").filter(Boolean).map(Number);
  return started.find((pid) => programs[role].test(read(`/proc/${pid}/cmdline`)));
}

/** Measures an idle kernel. */
export async function measure(client: KernelClient): Promise<Memories> {
  const entries = roles.map(
    async (role) => [role, await memoryOf(processOf(client, role) as number)] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as Memories;
}

/** One line for the log. */
export function describeMemories(memories: Memories): string {
  const text = (bytes: number) => (bytes / 1e6).toFixed(1);
  return roles
    .map((role) => `${role} ${text(memories[role].held)} of ${text(memories[role].resident)}`)
    .join(", ");
}

async function memoryOf(pid: number): Promise<Memory> {
  const file = join(folder, String(pid));
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  let held = 0;
  await until(() => {
    held = Number(read(file));
    return held > 0;
  });
  return { held, resident: Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1]) * 1024 };
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // not there yet
  }
}
