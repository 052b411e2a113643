// %%memory in the child: the memory that the lines of a cell take, over the cell.
import type { MemoryTimeline } from "../library.js";
import { curveColors, type Figure } from "../render/figure.js";
import { formatBytes, formatCount } from "../render/format.js";
import type { Table } from "../render/table.js";
import { cellLines, lineOf } from "./cell-lines.js";
import type { MagicContext } from "./context.js";

const mostLines = 20;

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
    context.table(linesTable(found, cellLines(context)));
    if (found.owned.length > 1) context.figure(timelineFigure(found));
  };
}

function linesTable(found: MemoryTimeline, code: readonly string[]): Table {
  const { lines, startBytes, peakBytes, endBytes, garbageBytes } = found;
  const right = { align: "right" } as const;
  const shown = lines.slice(0, mostLines);
  return {
    heading: `Peak ${formatBytes(peakBytes)}, of which ${formatBytes(startBytes)} before the cell; ${formatBytes(endBytes)} reachable at its end.`,
    columns: [
      { title: "line" },
      { title: "at the peak", doc: "What it had taken and was owned then.", ...right },
      { title: "at the end", doc: "What of it is reachable.", ...right },
      { title: "taken", doc: "The bytes of all its blocks.", ...right },
      { title: "blocks", ...right },
    ],
    rows: shown.map((one) => [
      { text: one.place === "" ? "the library" : lineOf(one.place, code), code: one.place !== "" },
      formatBytes(one.peakBytes),
      formatBytes(one.endBytes),
      formatBytes(one.bytes),
      formatCount(one.allocations),
    ]),
    note: `${garbageBytes > 0 ? `${formatBytes(garbageBytes)} at the end was garbage, which using or dispose() frees at once; --collect measures the peak without garbage. ` : ""}Small tensors share blocks of 64 KiB.`,
  };
}

function timelineFigure({ owned }: MemoryTimeline): Figure {
  const color = curveColors[0] as string;
  const points = owned.map((bytes, i) => [i + 1, bytes / 2 ** 20] as const);
  return {
    title: "Owned memory",
    rows: [],
    panels: [
      {
        kind: "lines",
        title: "After each block that is taken or given back",
        x: { label: "block", scale: "linear", unit: "count" },
        y: { label: "MiB", scale: "linear", unit: "amount" },
        series: [{ name: "owned", color, points, marks: "line" }],
      },
    ],
  };
}
