// %timings and %%timings in the child: tables and figures of kernels' costs.

import { didYouMean } from "../../runtime/base/errors.js";
import { median } from "../../runtime/base/units.js";
import type { KernelTiming, Launch, Origin, ProgramTiming, Recording, Region } from "../library.js";
import { UsageError } from "../magic.js";
import { type Figure, palette, type Span } from "../render/figure.js";
import { formatMs, formatRatio, formatTime, plural } from "../render/format.js";
import type { Table } from "../render/table.js";
import type { MagicContext } from "./context.js";
import { dtypeText, kernelCells, kernelLabel, launchesByKey, originCell } from "./describe.js";

/** A kernel's row: from jl.timings(), or for one cell. */
type Row = Omit<KernelTiming, "origin"> & { readonly origin: Origin };

/** A program's row: from jl.programTimings(), or for one cell. */
type ProgramRow = ProgramTiming & { readonly launchMs?: number | undefined };

const phases = [
  { key: "generateMs", name: "generate", color: palette.generate, doc: "Render the source." },
  {
    key: "lookupMs",
    name: "look up",
    color: palette.lookup,
    doc: "Hash the source, query the caches, or wait for another process's compile.",
  },
  {
    key: "compileMs",
    name: "compile",
    color: palette.compile,
    doc: "Run the compiler.",
  },
  { key: "loadMs", name: "load", color: palette.load, doc: "Load the machine code." },
  { key: "firstLaunchMs", name: "first launch", color: palette.launch, doc: "The first launch." },
] as const;

const maxRowsInFigure = 24;

/** Shows the kernels of this process, or those of one op. */
export function showTimings(context: MagicContext, options: { name?: string; plot: boolean }): void {
  const all: readonly Row[] = context.jl.timings();
  const name = options.name?.replace(/^jl\./, "");
  const rows = name === undefined ? all : all.filter((row) => row.op === name);
  if (rows.length === 0) {
    if (name === undefined || all.length === 0) {
      context.line("No kernels yet: the first call of an operation on a tensor makes one.");
      return;
    }
    const known = [...new Set(all.map((row) => row.op))];
    const hint = didYouMean(name, known);
    throw new UsageError(`%timings: no kernel of ${JSON.stringify(name)} ran yet.${hint && ` ${hint}`}`);
  }
  const programs = name === undefined ? context.jl.programTimings() : [];
  show(context, rows, `${plural(rows.length, "kernel")} in this process`, options.plot, programs);
}

/** Shows the kernels that a cell launched. */
export function showCellTimings(context: MagicContext, recording: Recording<unknown>, plot: boolean): void {
  const rows = rowsOf(recording.launches);
  if (rows.length === 0) {
    context.line("The cell launched no kernels.");
    return;
  }
  const count = plural(recording.launches.length, "launch");
  const heading = `${count} of ${plural(rows.length, "kernel")} in ${formatTime(recording.durationMs / 1e3)}`;
  show(context, rows, heading, plot, programsOf(recording.regions));
}

/** The programs that ran in a cell, each with the median of its later launches. */
function programsOf(regions: readonly Region[]): ProgramRow[] {
  const groups = new Map<string, Region[]>();
  for (const region of regions) {
    const key = `${region.name} ${region.operations} ${region.kernels}`;
    groups.set(key, [...(groups.get(key) ?? []), region]);
  }
  return [...groups.values()].map((group) => {
    const [{ name, operations, kernels }] = group as [Region];
    const sum = (phase: keyof Region["phases"]) => group.reduce((ms, { phases }) => ms + phases[phase], 0);
    const launchMs = median(group.map(({ phases }) => phases.launchMs));
    return {
      name,
      operations,
      kernels,
      runs: group.length,
      planMs: sum("planMs"),
      compileMs: sum("compileMs"),
      launchMs,
    };
  });
}

function rowsOf(launches: readonly Launch[]): Row[] {
  return launchesByKey(launches).map((group): Row => {
    const [first] = group;
    const { key, op, variant, dtypes, device, origin } = first;
    const warm = group.filter((one) => one.origin === "memory").map((one) => one.phases.launchMs * 1e3);
    const onDevice = group.flatMap(({ deviceUs }) => deviceUs ?? []);
    const { launchMs, ...obtained } = first.phases;
    const row = { key, op, variant, dtypes, device, origin, ...obtained, launches: group.length };
    const firstLaunchMs = origin === "memory" ? 0 : launchMs;
    const launchUs = warm.length > 0 ? median(warm) : 0;
    return {
      ...row,
      firstLaunchMs,
      launchUs,
      ...(onDevice.length > 0 ? { deviceUs: median(onDevice) } : {}),
    };
  });
}

function show(
  context: MagicContext,
  rows: readonly Row[],
  heading: string,
  plot: boolean,
  programs: readonly ProgramRow[],
): void {
  context.table(
    { ...timingsTable(context, rows, heading), ...sharedNote(context, rows) },
    ...(programs.length > 0 ? [programsTable(programs)] : []),
  );
  if (plot && rows.some((row) => firstCallMs(row) > 0)) context.figure(timingsFigure(rows));
}

/** The machines that compiled the shared cache's kernels, and the saved time. */
function sharedNote(context: MagicContext, rows: readonly Row[]): Pick<Table, "note"> {
  const keys = new Set(rows.filter((row) => row.origin === "remote").map((row) => row.key));
  if (keys.size === 0) return {};
  const shared = context.jl.cache.list().filter((entry) => keys.has(entry.key));
  const hosts = [...new Set(shared.map((entry) => entry.host))].sort();
  const saved = shared.reduce((sum, entry) => sum + entry.compileMs, 0);
  const count = plural(keys.size, "kernel");
  return {
    note: `${count} came from the shared cache, compiled on ${hosts.join(", ")}, which saved ${formatTime(saved / 1e3)}.`,
  };
}

function firstCallMs(row: Row): number {
  return phases.reduce((sum, { key }) => sum + row[key], 0);
}

function programsTable(programs: readonly ProgramRow[]): Table {
  const number = { align: "right" } as const;
  return {
    columns: [
      { title: "program" },
      { title: "operations", ...number },
      { title: "kernels", ...number },
      { title: "runs", ...number },
      { title: "plan", doc: "Passes over the operations of a new program.", ...number },
      { title: "compile", doc: "Compiling its missing kernels together.", ...number },
      {
        title: "launch",
        doc: "Median host time to launch its kernels, if recorded.",
        ...number,
      },
    ],
    rows: programs.map((one) => [
      { text: one.name, code: true },
      `${one.operations}`,
      `${one.kernels}`,
      `${one.runs}`,
      formatMs(one.planMs),
      formatMs(one.compileMs),
      formatMs(one.launchMs),
    ]),
  };
}

/** The table of some kernels; their common properties are in the heading. */
function timingsTable({ jl }: MagicContext, rows: readonly Row[], heading: string): Table {
  const named = kernelCells(jl);
  const devices = new Set(rows.map((row) => row.device));
  const variants = new Set(rows.map((row) => row.variant));
  const common = [devices, variants].filter((set) => set.size === 1).flatMap((set) => [...set]);
  const number = { align: "right" } as const;
  return {
    heading: [heading, ...common].join(", "),
    columns: [
      { title: "kernel" },
      { title: "dtypes" },
      ...(variants.size > 1 ? [{ title: "layout" }] : []),
      ...(devices.size > 1 ? [{ title: "device" }] : []),
      {
        title: "from",
        doc: "compiled now, fetched from disk or from the shared cache, or in memory already",
      },
      ...phases.map(({ name, doc }) => ({ title: name, doc, ...number })),
      { title: "launches", ...number },
      { title: "warm launch", doc: "Median host time of the calls after the first.", ...number },
      { title: "on device", doc: "Median device time, if recorded.", ...number },
    ],
    rows: rows.map((row) => [
      named(row),
      dtypeText(row.dtypes),
      ...(variants.size > 1 ? [row.variant] : []),
      ...(devices.size > 1 ? [row.device] : []),
      originCell(row.origin),
      ...phases.map(({ key }) => formatMs(row[key])),
      `${row.launches}`,
      formatMs(row.launchUs / 1e3),
      formatMs(row.deviceUs === undefined ? undefined : row.deviceUs / 1e3),
    ]),
  };
}

/** The phases of the first call, and the first call against one warm launch. */
export function timingsFigure(all: readonly Row[]): Figure {
  const rows = [...all].sort((a, b) => firstCallMs(b) - firstCallMs(a)).slice(0, maxRowsInFigure);
  const labels = rows.map(kernelLabel);
  const spans = phases.map(({ key, name, color }, p) => ({
    name,
    color,
    spans: rows.flatMap((row, i): Span[] => {
      const from = phases.slice(0, p).reduce((sum, earlier) => sum + row[earlier.key], 0);
      if (row[key] === 0) return [];
      return [{ row: i, from, to: from + row[key], note: `${labels[i]}: ${name} ${formatMs(row[key])}` }];
    }),
  }));
  const first = rows.map((row) => firstCallMs(row) || undefined);
  const warm = rows.map((row) => row.launchUs / 1e3 || undefined);
  const notes = rows.map((_, i) => {
    const [cold, hot] = [first[i], warm[i]];
    return cold === undefined || hot === undefined ? "" : formatRatio(cold / hot);
  });
  const more = all.length > rows.length ? ` (the ${rows.length} slowest of ${all.length} kernels)` : "";
  return {
    title: `Compile and launch${more}`,
    rows: labels,
    panels: [
      {
        kind: "spans",
        title: "Phases of the first call",
        x: { label: "", scale: "linear", unit: "time" },
        series: spans,
      },
      {
        kind: "dots",
        title: "First call against one warm launch (log scale)",
        x: { label: "", scale: "log", unit: "time" },
        series: [
          { name: "warm launch", color: palette.warm, values: warm },
          { name: "first call", color: palette.first, values: first },
        ],
        notes,
      },
    ],
  };
}
