// %cache and %%cache in the child.
import type { CacheAction } from "../cache.js";
import type { CacheEntry, CacheStatus, Recording } from "../library.js";
import { formatAge, formatBytes, formatCount, formatMs, formatTime, plural } from "../render/format.js";
import type { Cell, Table } from "../render/table.js";
import type { MagicContext } from "./context.js";
import { dtypeText, kernelCells, launchesByKey, originCell } from "./describe.js";

const actions: Readonly<Record<CacheAction, (context: MagicContext) => void>> = {
  status: (context) => context.table(statusTable(context.jl.cache.status())),
  list: (context) => {
    const entries = context.jl.cache.list();
    context.table(listTable(context, `${plural(entries.length, "kernel")} in the cache`, entries));
  },
  clear: (context) => {
    const { bytes } = context.jl.cache.status();
    const deleted = context.jl.cache.clear();
    context.line(`Cleared the kernel cache: ${plural(deleted, "kernel")}, ${formatBytes(bytes)}.`);
  },
  verify: (context) => {
    const { checked, damaged } = context.jl.cache.verify();
    const verdict =
      damaged === 0
        ? "all are intact"
        : `${formatCount(damaged)} of them had a wrong checksum or seal and were deleted`;
    context.line(`Checked ${plural(checked, "kernel")}: ${verdict}.`);
  },
};

// The maximum number of kernels that the note of %%cache explains, and that %cache lists.
const mostMisses = 5;
const mostListed = 20;

/** Runs one action of %cache; without one, shows the kernels and the totals. */
export function runCacheAction(context: MagicContext, action?: CacheAction): void {
  if (action === undefined) showOverview(context);
  else actions[action](context);
}

/** The kernels of this process, then the most recently used others. */
function showOverview(context: MagicContext): void {
  const entries = context.jl.cache.list();
  const used = entries.filter((entry) => entry.here !== undefined);
  const others = entries.filter((entry) => entry.here === undefined);
  const listed = [...used, ...others].slice(0, mostListed);
  const left = entries.length - listed.length;
  const heading = `Kernel cache: ${plural(entries.length, "kernel")}, ${formatCount(used.length)} of them used here`;
  const kernels = listTable(context, heading, listed);
  const note = left > 0 ? { note: `And ${formatCount(left)} more: %cache list shows all.` } : {};
  context.table(statusTable(context.jl.cache.status()), { ...kernels, ...note });
}

function statusTable(status: CacheStatus): Table {
  const { process: own, all } = status;
  const place =
    status.mode === "disk" ? status.path : { text: `memory only: ${status.reason}`, tone: "bad" as const };
  const share = status.maxBytes > 0 ? `, ${((100 * status.bytes) / status.maxBytes).toFixed(1)} %` : "";
  return {
    heading: "Totals of the kernel cache",
    columns: [{ title: "what" }, { title: "value" }],
    rows: [
      ["place", place],
      ["kernels", formatCount(status.kernels)],
      ["size", `${formatBytes(status.bytes)} (of ${formatBytes(status.maxBytes)}${share})`],
      [
        "compiled by this process",
        { text: withTime(plural(own.compiled, "kernel"), " in ", own.compileMs), tone: "compiled" },
      ],
      [
        "fetched from disk",
        {
          text: withTime(plural(own.disk, "kernel"), ", saving ", own.savedMs - own.remoteSavedMs),
          tone: "disk",
        },
      ],
      ...(status.remote === undefined ? [] : sharedRows(status.remote, own)),
      ["hit rate of this process", hitRate(own.disk + own.remote, own.compiled)],
      ["launches served from memory", { text: formatCount(own.memoryHits), tone: "memory" }],
      ["fetches by every process", withTime(formatCount(all.hits), ", saving ", all.savedMs)],
      ["hit rate of every process", hitRate(all.hits, status.kernels)],
    ],
    ...(own.lastMiss ? { note: `Why was this compiled? ${missText(own.lastMiss)}` } : {}),
  };
}

function sharedRows(address: string, { remote, remoteSavedMs }: CacheStatus["process"]): Table["rows"] {
  const fetched = withTime(plural(remote, "kernel"), ", saving ", remoteSavedMs);
  return [
    ["shared cache", address],
    ["fetched from there", { text: fetched, tone: "remote" }],
  ];
}

// The fraction of fetched kernels among fetched and compiled ones; every stored kernel was compiled once.
function hitRate(fetched: number, compiled: number): string {
  const all = fetched + compiled;
  // A new cache has nothing to fetch.
  if (fetched === 0) return "–";
  return `${((100 * fetched) / all).toFixed(0)} % (${formatCount(fetched)} of ${plural(all, "kernel")})`;
}

function listTable({ jl }: MagicContext, heading: string, entries: readonly CacheEntry[]): Table {
  const named = kernelCells(jl);
  const number = { align: "right" } as const;
  const now = Date.now();
  return {
    heading,
    columns: [
      { title: "kernel" },
      { title: "dtypes" },
      { title: "layout" },
      { title: "for", doc: "The architecture." },
      { title: "from", doc: "Its origin in this process." },
      { title: "compiled by", doc: "Host and process." },
      { title: "when" },
      { title: "size", ...number },
      { title: "compile", ...number },
      { title: "hits here", doc: "Fetches from disk by this process.", ...number },
      { title: "elsewhere", doc: "Fetches from disk by other processes.", ...number },
    ],
    rows: entries.map((entry) => [
      named(entry),
      dtypeText(entry.dtypes),
      entry.variant,
      { text: entry.arch, title: entry.compiler },
      fromCell(entry),
      makerOf(entry),
      formatAge(now - entry.createdAt),
      formatBytes(entry.bytes),
      formatMs(entry.compileMs),
      formatCount(entry.hitsHere),
      formatCount(entry.hits - entry.hitsHere),
    ]),
  };
}

/** Shows the origin of each kernel of a cell. */
export function showCellCache(context: MagicContext, recording: Recording<unknown>): void {
  const groups = launchesByKey(recording.launches);
  if (groups.length === 0) {
    context.line("The cell launched no kernels.");
    return;
  }
  const entries = new Map(context.jl.cache.list().map((entry) => [entry.key, entry]));
  const named = kernelCells(context.jl);
  let saved = 0;
  const rows = groups.map((launches) => {
    const [first] = launches;
    const entry = entries.get(first.key);
    const { generateMs, lookupMs, compileMs, loadMs } = first.phases;
    const cost = generateMs + lookupMs + compileMs + loadMs;
    const isFetched = first.origin === "disk" || first.origin === "remote";
    const gain = isFetched ? Math.max(0, (entry?.compileMs ?? 0) - lookupMs - loadMs) : 0;
    saved += gain;
    return [
      named(first),
      dtypeText(first.dtypes),
      first.variant,
      originCell(first.origin),
      `${launches.length}`,
      formatMs(cost),
      formatMs(gain),
      entry ? makerOf(entry) : "–",
      entry ? formatBytes(entry.bytes) : "–",
      entry ? formatCount(entry.hits) : "–",
    ];
  });
  const misses = groups
    .filter(([first]) => first.origin === "compiled")
    .map(([first]) => missText({ ...first, why: context.jl.cache.why(first.key) }));
  const notes = [
    ...(misses.length > 0 ? ["Why compiled?", ...misses.slice(0, mostMisses)] : []),
    ...(misses.length > mostMisses ? [`and ${misses.length - mostMisses} more.`] : []),
    ...(saved > 0 ? [`The cache saved ${seconds(saved)} of compiling.`] : []),
  ];
  const number = { align: "right" } as const;
  context.table({
    heading: `Origin of the cell's ${plural(groups.length, "kernel")}`,
    columns: [
      { title: "kernel" },
      { title: "dtypes" },
      { title: "layout" },
      { title: "from" },
      { title: "launches", ...number },
      { title: "cost", doc: "Time before the first launch in this cell ran.", ...number },
      { title: "saved", doc: "Compile time that the caches saved.", ...number },
      { title: "compiled by" },
      { title: "size", ...number },
      { title: "hits", ...number },
    ],
    rows,
    ...(notes.length > 0 ? { note: notes.join("\n") } : {}),
  });
}

/** `gcd int64: the nearest stored kernel has other dtypes (int32 there, int64 here).` */
function missText(miss: { op: string; dtypes: readonly string[]; why: string }): string {
  return `${miss.op} ${dtypeText(miss.dtypes)}: ${miss.why || "it is no longer stored"}.`;
}

/** A kernel in memory was compiled or fetched by this process before. */
function fromCell({ here, own }: CacheEntry): Cell {
  if (here === undefined) return { text: "–", tone: "quiet" };
  if (here === "memory")
    return own ? { text: "compiled here", tone: "compiled" } : { text: "fetched here", tone: "disk" };
  return originCell(here);
}

function makerOf(entry: CacheEntry): string {
  return entry.own ? "this process" : `${entry.host}, process ${entry.pid}`;
}

function seconds(ms: number): string {
  return formatTime(ms / 1e3);
}

function withTime(count: string, between: string, ms: number): string {
  return ms > 0 ? `${count}${between}${seconds(ms)}` : count;
}
