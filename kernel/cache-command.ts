// `jitlab cache`: the kernel cache from the command line.

import type { CacheEntry, CacheStatus } from "../runtime/cache/status.js";
import { JitlabError } from "../runtime/errors.js";
import { cache } from "../runtime/index.js";

interface Action {
  /** True where it reads or writes a file. */
  readonly file: boolean;
  readonly run: (path: string) => unknown;
  readonly show: (result: never) => string;
}

const actions = {
  status: { file: false, run: () => cache.status(), show: showStatus },
  list: { file: false, run: () => cache.list(), show: showList },
  clear: { file: false, run: () => cache.clear(), show: (count: number) => `Deleted ${count} kernels.` },
  verify: {
    file: false,
    run: () => cache.verify(),
    show: ({ checked, damaged }: ReturnType<typeof cache.verify>) =>
      `Checked ${checked} kernels; ${damaged} were damaged and are deleted.`,
  },
  export: {
    file: true,
    run: (path: string) => cache.export(path),
    show: ({ path, kernels, bytes }: ReturnType<typeof cache.export>) =>
      `Wrote ${kernels} kernels (${megabytes(bytes)}) to ${path}.`,
  },
  import: {
    file: true,
    run: (path: string) => cache.import(path),
    show: ({ path, added, present }: ReturnType<typeof cache.import>) =>
      `Added ${added} kernels from ${path}; ${present} were there already.`,
  },
} as const;

/** What `jitlab cache` can do. */
export type CacheAction = keyof typeof actions;

/** Runs one action of `jitlab cache` and prints its result as text or JSON. */
export function runCacheCommand(action: CacheAction, file: string | undefined, json: boolean): void {
  const record: Action = actions[action];
  if (record.file !== (file !== undefined)) {
    throw record.file
      ? new JitlabError(
          "usage",
          `jitlab cache ${action} needs a file.`,
          `jitlab cache ${action} kernels.seed`,
        )
      : new JitlabError("usage", `jitlab cache ${action} takes no file, but ${file} was given.`);
  }
  const result = record.run(file ?? "");
  console.log(json ? JSON.stringify(result, null, 2) : record.show(result as never));
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
