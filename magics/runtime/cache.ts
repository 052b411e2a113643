// %cache and %%cache in the child.
import type { CacheAction } from "../cache.js";
import type { CacheEntry, CacheStatus, Recording } from "../library.js";
import { formatAge, formatBytes, formatCount, formatMs, formatTime, plural } from "../render/format.js";
import type { Table } from "../render/table.js";
import type { MagicContext } from "./context.js";
import { dtypeText, launchesByKey, originCell } from "./describe.js";

const actions: Readonly<Record<CacheAction, (context: MagicContext) => void>> = {
  status: (context) => context.table(statusTable(context.jl.cache.status())),
  list: (context) => context.table(listTable(context.jl.cache.list())),
  clear: (context) => {
    const { bytes } = context.jl.cache.status();
    const deleted = context.jl.cache.clear();
    context.line(`Cleared the kernel cache: ${plural(deleted, "kernel")}, ${formatBytes(bytes)}.`);
  },
  verify: (context) => {
    const { checked, damaged } = context.jl.cache.verify();
    const verdict = damaged === 0 ? "all are intact" : `${formatCount(damaged)} of them damaged and deleted`;
    context.line(`Checked ${plural(checked, "kernel")}: ${verdict}.`);
  },
};

// The note below a table of %%cache explains so many kernels.
const mostMisses = 5;

/** Runs one action of %cache. */
export function runCacheAction(context: MagicContext, action: CacheAction): void {
  actions[action](context);
}

function statusTable(status: CacheStatus): Table {
  const { process: own, all } = status;
  const place =
    status.mode === "disk" ? status.path : { text: `memory only: ${status.reason}`, tone: "bad" as const };
  const share = status.maxBytes > 0 ? `, ${((100 * status.bytes) / status.maxBytes).toFixed(1)} %` : "";
  return {
    heading: "Kernel cache",
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
        { text: withTime(plural(own.disk, "kernel"), ", saving ", own.savedMs), tone: "disk" },
      ],
      ...(own.lastMiss ? [["compiled last", missText(own.lastMiss)]] : []),
      ["launches served from memory", { text: formatCount(own.memoryHits), tone: "memory" }],
      ["since the cache was made", withTime(plural(all.hits, "fetch"), ", saving ", all.savedMs)],
    ],
  };
}

function listTable(entries: readonly CacheEntry[]): Table {
  const number = { align: "right" } as const;
  const now = Date.now();
  return {
    heading: `${plural(entries.length, "kernel")} in the cache`,
    columns: [
      { title: "kernel" },
      { title: "dtypes" },
      { title: "layout" },
      { title: "for", doc: "The architecture." },
      { title: "size", ...number },
      { title: "compile", ...number },
      { title: "compiled by", doc: "Host and process." },
      { title: "when" },
      { title: "hits", doc: "Fetches from disk, by every process.", ...number },
      { title: "here", doc: "Where this process has it from." },
    ],
    rows: entries.map((entry) => [
      { text: entry.op, code: true },
      dtypeText(entry.dtypes),
      entry.variant,
      { text: entry.arch, title: entry.compiler },
      formatBytes(entry.bytes),
      formatMs(entry.compileMs),
      makerOf(entry),
      formatAge(now - entry.createdAt),
      formatCount(entry.hits),
      entry.here === undefined ? { text: "–", tone: "quiet" as const } : originCell(entry.here),
    ]),
  };
}

/** Shows where each kernel of a cell came from. */
export function showCellCache(context: MagicContext, recording: Recording<unknown>): void {
  const groups = launchesByKey(recording.launches);
  if (groups.length === 0) {
    context.line("The cell launched no kernels.");
    return;
  }
  const entries = new Map(context.jl.cache.list().map((entry) => [entry.key, entry]));
  let saved = 0;
  const rows = groups.map((launches) => {
    const [first] = launches;
    const entry = entries.get(first.key);
    const { generateMs, lookupMs, compileMs, loadMs } = first.phases;
    const cost = generateMs + lookupMs + compileMs + loadMs;
    const gain = first.origin === "disk" ? Math.max(0, (entry?.compileMs ?? 0) - lookupMs - loadMs) : 0;
    saved += gain;
    return [
      { text: first.op, code: true },
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
    heading: `Where the cell's ${plural(groups.length, "kernel")} came from`,
    columns: [
      { title: "kernel" },
      { title: "dtypes" },
      { title: "layout" },
      { title: "from" },
      { title: "launches", ...number },
      { title: "cost", doc: "What the first launch in this cell spent before it ran.", ...number },
      { title: "saved", doc: "Compile time that the cache on disk saved.", ...number },
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

function makerOf(entry: CacheEntry): string {
  return entry.pid === process.pid ? "this process" : `${entry.host}, process ${entry.pid}`;
}

function seconds(ms: number): string {
  return formatTime(ms / 1e3);
}

function withTime(count: string, between: string, ms: number): string {
  return ms > 0 ? `${count}${between}${seconds(ms)}` : count;
}
