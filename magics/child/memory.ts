// %%memory and %memory --timeline in the child: the memory of lines over a cell, or over a call, as areas and as a table.
import type { MemoryReport, MemoryTimeline } from "../library.js";
import { curveColors, type Figure, ink, type LinePanel } from "../render/figure.js";
import { formatBytes, formatCount } from "../render/format.js";
import type { Column, Table } from "../render/table.js";
import { cellLines, lineOf } from "./cell-lines.js";
import type { MagicContext } from "./context.js";

const mostLines = 20;
const mostPoints = 400;
const smallBlocks = "Small tensors share blocks of 64 KiB.";

/** Traces the memory of the running cell; the returned function shows it. */
export function startMemory(context: MagicContext, options: { collect: boolean }): (failed: boolean) => void {
  const trace = context.jl.traceMemory(options);
  return (failed) => {
    const found = trace.stop();
    if (failed) return;
    if (found.lines.length === 0) {
      context.line("The cell took no device memory.");
      return;
    }
    const { startBytes, peakBytes, endBytes, garbageBytes } = found;
    const named = byLine(found, cellLines(context));
    const garbage =
      garbageBytes > 0
        ? `${formatBytes(garbageBytes)} at the end was garbage, which using or dispose() frees at once; --collect measures the peak without garbage. `
        : "";
    context.table({
      heading: `Peak ${formatBytes(peakBytes)}, of which ${formatBytes(startBytes)} before the cell; ${formatBytes(endBytes)} reachable at its end.`,
      ...linesTable(named, {
        title: "at the end",
        doc: "What of it is reachable.",
        bytesOf: ({ endBytes: bytes }) => bytes,
      }),
      note: `${garbage}${smallBlocks}`,
    });
    context.figure(areasFigure(named));
  };
}

/** Shows the memory of a call, what of its peak is garbage, and what measured changes save. */
export function memoryOfCall(
  context: MagicContext,
  name: string,
  fn: (...args: never[]) => unknown,
  args: readonly unknown[],
): void {
  const { plannedBytes, savings, ...found } = context.jl.memoryTimeline(fn, ...(args as never[]));
  if (found.timeline.lines.length === 0) {
    context.line(`${name} took no device memory.`);
    return;
  }
  const code = cellLines(context);
  const [timeline, live] = [byLine(found.timeline, code), byLine(found.live, code)];
  const used = ({ startBytes, peakBytes }: MemoryTimeline) => formatBytes(peakBytes - startBytes);
  const planned = plannedBytes === undefined ? "" : `; its plan has ${formatBytes(plannedBytes)}`;
  const alive = new Map(live.lines.map(({ place, peakBytes }) => [place, peakBytes]));
  context.table({
    heading: `${name} took ${used(timeline)} at its peak, ${used(live)} without garbage${planned}.`,
    ...linesTable(timeline, {
      title: "without garbage",
      doc: "The same of a call whose garbage was freed before each block.",
      bytesOf: ({ place }) => alive.get(place) ?? 0,
    }),
    note: [...savings.map(savingText), smallBlocks].join(" "),
  });
  context.figure(areasFigure(live, timeline));
}

const savingTexts = {
  using: "With garbage freed at once, as using does",
  donate: "Compiled with donate",
  checkpoint: "With jl.checkpoint around it, between the passes of a gradient",
} as const;

function savingText({ by, before, after }: MemoryReport["savings"][number]): string {
  return `${savingTexts[by]}: ${formatBytes(after)} instead of ${formatBytes(before)}.`;
}

interface OwnColumn {
  readonly title: string;
  readonly doc: string;
  bytesOf(line: MemoryTimeline["lines"][number]): number;
}

function linesTable({ lines }: MemoryTimeline, own: OwnColumn): Pick<Table, "columns" | "rows"> {
  const numbers: readonly Column[] = [
    { title: "at the peak", doc: "What it had taken and was owned then." },
    own,
    { title: "taken", doc: "The bytes of all its blocks." },
    { title: "blocks" },
  ];
  return {
    columns: [{ title: "line" }, ...numbers.map((one) => ({ ...one, align: "right" as const }))],
    rows: lines
      .slice(0, mostLines)
      .map((one) => [
        { text: one.place, code: one.place !== library },
        formatBytes(one.peakBytes),
        formatBytes(own.bytesOf(one)),
        formatBytes(one.bytes),
        formatCount(one.allocations),
      ]),
  };
}

const library = "the library";

/** The same with one entry for each line of code, under its text. */
function byLine(found: MemoryTimeline, code: readonly string[]): MemoryTimeline {
  const nameOf = (place: string) => (place === "" ? library : lineOf(place, code));
  const lines = new Map<string, MemoryTimeline["lines"][number]>();
  for (const one of found.lines) {
    const place = nameOf(one.place);
    const { allocations = 0, bytes = 0, peakBytes = 0, endBytes = 0 } = lines.get(place) ?? {};
    lines.set(place, {
      place,
      allocations: allocations + one.allocations,
      bytes: bytes + one.bytes,
      peakBytes: peakBytes + one.peakBytes,
      endBytes: endBytes + one.endBytes,
    });
  }
  return {
    ...found,
    lines: [...lines.values()].sort((a, b) => b.peakBytes - a.peakBytes),
    places: found.places.map((place) => (place === undefined ? place : nameOf(place))),
  };
}

/** The memory of lines on top of each other, and the curve of all; that of another run also has its garbage. */
function areasFigure(found: MemoryTimeline, whole = found): Figure {
  const colors = curveColors.slice(1);
  const shown = found.lines.slice(0, colors.length).map(({ place }) => place);
  const columns = columnsOf(found);
  let top = columns.map(() => 0);
  const areas = [undefined, ...shown].map((place, k) => {
    const bottom = top;
    top = columns.map(({ total, bytes }, i) => {
      const named = (one: string) => bytes.get(one) ?? 0;
      const own = place === undefined ? shown.reduce((rest, one) => rest - named(one), total) : named(place);
      return (bottom[i] as number) + own;
    });
    const edge = (heights: readonly number[]) =>
      columns.map(({ block }, i) => [block, (heights[i] as number) / 2 ** 20] as const);
    return {
      name: place ?? "others, and earlier code",
      color: place === undefined ? ink.axis : (colors[k - 1] as string),
      points: [...edge(top), ...edge(bottom).reverse()],
      marks: "area" as const,
    };
  });
  const owned: LinePanel["series"][number] = {
    name: whole === found ? "owned" : "owned, with garbage",
    color: curveColors[0] as string,
    points: (whole === found ? columns : columnsOf(whole)).map(
      ({ block, total }) => [block, total / 2 ** 20] as const,
    ),
    marks: "line",
  };
  return {
    title: "Owned memory",
    rows: [],
    panels: [
      {
        kind: "lines",
        title: "After each block that is taken, by line",
        x: { label: "block", scale: "linear", unit: "count" },
        y: { label: "MiB", scale: "linear", unit: "amount" },
        series: [...areas, owned],
      },
    ],
  };
}

interface MemoryColumn {
  readonly block: number;
  readonly total: number;
  readonly bytes: ReadonlyMap<string | undefined, number>;
}

/** What lines own after each block that is taken; of many blocks the largest of some neighbors. */
function columnsOf({ startBytes, owned, places }: MemoryTimeline): MemoryColumn[] {
  const held = new Map<string | undefined, number>();
  const columns: MemoryColumn[] = [];
  const taken = owned.filter((bytes, i) => bytes > (owned[i - 1] ?? startBytes)).length;
  const width = Math.ceil(taken / mostPoints);
  let block = 0;
  for (const [i, total] of owned.entries()) {
    const change = total - (owned[i - 1] ?? startBytes);
    const place = places[i];
    held.set(place, (held.get(place) ?? 0) + change);
    if (change < 0) continue;
    const last = columns.at(-1);
    const isFirst = block % width === 0;
    block++;
    if (!isFirst && last && last.total >= total) continue;
    columns[isFirst ? columns.length : columns.length - 1] = { block, total, bytes: new Map(held) };
  }
  return columns;
}
