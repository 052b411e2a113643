// `jitlab cache`: the kernel cache from the command line.

import type { CacheEntry, CacheStatus } from "../runtime/cache/status.js";
import { cache } from "../runtime/index.js";

const actions = {
  status: { run: () => cache.status(), show: showStatus },
  list: { run: () => cache.list(), show: showList },
  clear: { run: () => cache.clear(), show: (count: number) => `Deleted ${count} kernels.` },
  verify: {
    run: () => cache.verify(),
    show: ({ checked, damaged }: ReturnType<typeof cache.verify>) =>
      `Checked ${checked} kernels; ${damaged} were damaged and are deleted.`,
  },
} as const;

/** What `jitlab cache` can do. */
export type CacheAction = keyof typeof actions;

/** Runs one action of `jitlab cache` and prints its result as text or JSON. */
export function runCacheCommand(action: CacheAction, json: boolean): void {
  const { run, show } = actions[action] as { run: () => unknown; show: (result: never) => string };
  const result = run();
  console.log(json ? JSON.stringify(result, null, 2) : show(result as never));
}

function showStatus(status: CacheStatus): string {
  if (status.mode === "memory") return `Kernels are kept in memory only: ${status.reason}`;
  return [
    `folder    ${status.path}`,
    `kernels   ${status.kernels}`,
    `size      ${megabytes(status.bytes)} of at most ${megabytes(status.maxBytes)}`,
    `hits      ${status.all.hits}`,
    `saved     ${(status.all.savedMs / 1000).toFixed(1)} s of compiling`,
  ].join("\n");
}

function showList(entries: readonly CacheEntry[]): string {
  const rows = entries.map((entry) => [
    entry.op,
    entry.variant,
    entry.dtypes.join(" "),
    entry.arch,
    `${entry.compileMs.toFixed(0)} ms`,
    `${entry.hits}`,
    new Date(entry.lastUse).toISOString().slice(0, 10),
  ]);
  const table = [["op", "variant", "dtypes", "arch", "compile", "hits", "last use"], ...rows];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
