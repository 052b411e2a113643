// `jitlab cache`: the kernel cache from the command line.

import { formatAge, formatBytes, formatTime, plural } from "../magics/render/format.js";
import type { CacheEntry, CacheFilter, CacheStatus } from "../runtime/cache/status.js";
import { JitlabError } from "../runtime/errors.js";
import { cache } from "../runtime/index.js";

interface Action {
  /** True where it reads or writes a file. */
  readonly file: boolean;
  /** True where it works on some kernels only, if a filter names them. */
  readonly filtered: boolean;
  readonly run: (path: string, filter: CacheFilter) => unknown;
  readonly show: (result: never) => string;
}

const actions = {
  status: { file: false, filtered: false, run: () => cache.status(), show: showStatus },
  list: { file: false, filtered: true, run: (_, filter) => cache.list(filter), show: showList },
  clear: {
    file: false,
    filtered: true,
    run: (_, filter) => cache.clear(filter),
    show: (count: number) => `Deleted ${plural(count, "kernel")}.`,
  },
  verify: {
    file: false,
    filtered: false,
    run: () => cache.verify(),
    show: ({ checked, damaged }: ReturnType<typeof cache.verify>) =>
      `Checked ${plural(checked, "kernel")}; ${damaged} of them were damaged and are deleted.`,
  },
  export: {
    file: true,
    filtered: false,
    run: (path) => cache.export(path),
    show: ({ path, kernels, bytes }: ReturnType<typeof cache.export>) =>
      `Wrote ${plural(kernels, "kernel")} (${formatBytes(bytes)}) to ${path}.`,
  },
  import: {
    file: true,
    filtered: false,
    run: (path) => cache.import(path),
    show: ({ path, added, present }: ReturnType<typeof cache.import>) =>
      `Added ${plural(added, "kernel")} from ${path}; ${present} were there already.`,
  },
} as const satisfies Record<string, Action>;

/** What `jitlab cache` can do. */
export type CacheAction = keyof typeof actions;

/** The options of `jitlab cache`; those of {@link CacheFilter} choose the kernels of `list` and `clear`. */
export interface CacheOptions extends CacheFilter {
  readonly json?: boolean;
}

/** Runs one action of `jitlab cache` and prints its result as text or JSON. */
export function runCacheCommand(
  action: CacheAction,
  file: string | undefined,
  { json, ...filter }: CacheOptions,
): void {
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
  if (!record.filtered && Object.keys(filter).length > 0) {
    throw new JitlabError(
      "usage",
      `jitlab cache ${action} works on all kernels, but --op, --device or --older-than was given.`,
      "They choose the kernels of `jitlab cache list` and `jitlab cache clear`.",
    );
  }
  const result = record.run(file ?? "", filter);
  console.log(json ? JSON.stringify(result, null, 2) : record.show(result as never));
}

function showStatus(status: CacheStatus): string {
  if (status.mode === "memory") return `Kernels are kept in memory only: ${status.reason}`;
  return [
    `folder    ${status.path}`,
    `kernels   ${status.kernels}`,
    `size      ${formatBytes(status.bytes)} of at most ${formatBytes(status.maxBytes)}`,
    `hits      ${status.all.hits}`,
    `saved     ${formatTime(status.all.savedMs / 1000)} of compiling`,
  ].join("\n");
}

function showList(entries: readonly CacheEntry[]): string {
  if (entries.length === 0) return "No kernels.";
  const now = Date.now();
  const rows = entries.map((entry) => [
    entry.op,
    entry.variant,
    entry.dtypes.join(" "),
    entry.arch,
    formatBytes(entry.bytes),
    formatTime(entry.compileMs / 1000),
    `${entry.host}, process ${entry.pid}`,
    formatAge(now - entry.createdAt),
    `${entry.hits}`,
    formatAge(now - entry.lastUse),
  ]);
  const titles = [
    "op",
    "variant",
    "dtypes",
    "arch",
    "size",
    "compile",
    "compiled by",
    "when",
    "hits",
    "last use",
  ];
  const table = [titles, ...rows];
  const widths = titles.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
