// `jitlab cache`: the kernel cache from the command line.
import { formatAge, formatBytes, formatTime, plural } from "../../magics/render/format.js";
import type { CacheEntry, CacheFilter, CacheStatus } from "../../runtime/api/cache-status.js";
import { JitlabError } from "../../runtime/base/errors.js";
import { addKernels, type CacheImport, makersOf, readSeed } from "../../runtime/cache/seed.js";
import { cache } from "../../runtime/index.js";
import { isConfirmed } from "./question.js";
import { wrapped } from "./wrapped.js";

interface Action {
  /** True if it reads or writes a file. */
  readonly file: boolean;
  /** True if a filter can select its kernels. */
  readonly filtered: boolean;
  readonly run: (path: string, filter: CacheFilter, yes: boolean) => unknown;
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
      `Checked ${plural(checked, "kernel")}; ${damaged} of them had a wrong checksum or seal and were deleted.`,
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
    run: importAsked,
    show: (result: Awaited<ReturnType<typeof importAsked>>) =>
      result
        ? `Added ${plural(result.added, "kernel")} from ${result.path}; ${result.present} were already stored.`
        : "Nothing was imported.",
  },
} as const satisfies Record<string, Action>;

/** The actions of `jitlab cache`. */
export type CacheAction = keyof typeof actions;

/** The options of `jitlab cache`; those of {@link CacheFilter} choose the kernels of `list` and `clear`. */
export interface CacheOptions extends CacheFilter {
  readonly json?: boolean;
  /** Imports without asking. */
  readonly yes?: boolean;
}

/** Runs one action of `jitlab cache` and prints its result as text or JSON. */
export async function runCacheCommand(
  action: CacheAction,
  file: string | undefined,
  options: CacheOptions,
): Promise<void> {
  const { json, yes, ...filter } = options;
  const record: Action = actions[action];
  if (record.file !== (file !== undefined)) {
    throw record.file
      ? new JitlabError(
          "usage",
          `jitlab cache ${action} needs a file.`,
          `jitlab cache ${action} kernels.seed`,
        )
      : new JitlabError("usage", `jitlab cache ${action} takes no file, but got ${file}.`);
  }
  if (!record.filtered && Object.keys(filter).length > 0) {
    throw new JitlabError(
      "usage",
      `jitlab cache ${action} works on all kernels, but --op, --device or --older-than was given.`,
      "They select kernels of `jitlab cache list` and `jitlab cache clear`.",
    );
  }
  if (yes && action !== "import") {
    throw new JitlabError("usage", `jitlab cache ${action} never asks, but --yes was given.`);
  }
  const result = await record.run(file ?? "", filter, yes ?? false);
  console.log(json ? JSON.stringify(result, null, 2) : record.show(result as never));
}

/** Undefined if the answer was no. */
async function importAsked(path: string, _: CacheFilter, yes: boolean): Promise<CacheImport | undefined> {
  if (yes) return cache.import(path);
  const modules = readSeed(path);
  const makers = makersOf(modules);
  const kernels = makers.reduce((sum, maker) => sum + maker.kernels, 0);
  const lines = makers.map(
    (maker) =>
      `  ${plural(maker.kernels, "kernel")} compiled on ${maker.host}, the last ${formatAge(Date.now() - maker.lastAt)}`,
  );
  console.error(
    [
      `${path} holds ${plural(kernels, "kernel")}:`,
      ...lines,
      "They are native code, which runs with your rights when a notebook needs one of them. Their author is not verified.",
    ].join("\n"),
  );
  const confirmed = await isConfirmed("Import them?", "jitlab cache import", "you trust the file");
  return confirmed ? addKernels(path, modules) : undefined;
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
  const shown = entries.map((entry) => {
    const { op, variant, dtypes, arch, bytes, compileMs, host, pid, createdAt, hits, lastUse } = entry;
    const facts = [
      arch,
      formatBytes(bytes),
      `compiled in ${formatTime(compileMs / 1000)} by process ${pid} on ${host} ${formatAge(now - createdAt)}`,
      `${plural(hits, "hit")}, last used ${formatAge(now - lastUse)}`,
    ];
    return `${wrapped([op, variant, ...dtypes].join(" "), 0)}\n${wrapped(facts.join(", "), 2)}`;
  });
  return shown.join("\n");
}
