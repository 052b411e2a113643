// %%compile, %program and %guards in the child: compiled programs, and why there are several.
import type { CompiledFunction, Program } from "../library.js";
import { UsageError } from "../magic.js";
import { curveColors, type Figure, ink } from "../render/figure.js";
import { formatBytes, plural } from "../render/format.js";
import type { Table } from "../render/table.js";
import type { MagicContext } from "./context.js";

const right = { align: "right" } as const;
const mostRows = 100;
const mostDrawn = 40;

/**
 * Defers the operations of the running cell; the returned function ends deferral, and reports the plans unless the cell
 * failed.
 */
export function startProgram(context: MagicContext, exact: boolean): (failed: boolean) => void {
  const { host, jl } = context;
  const before = { ...host.locals };
  const open = jl.openProgram("the cell", exact);
  let program: Program | undefined;
  host.ending((value) => {
    const bound = Object.entries(host.locals).filter(([name, one]) => one !== before[name]);
    program = open.compute([value, ...bound.map(([, one]) => one)]);
  });
  return (failed) => {
    // For a failed cell, only its writes are computed.
    program ??= open.compute([]);
    if (failed) return;
    context.line(
      program.operations.length === 0 ? "The cell computed no operations as a program." : summary(program),
    );
    for (const { text } of program.breaks) context.line(`The elements of ${text} were read before the end.`);
  };
}

/** Shows the last call of a compiled function, after `call` if given. */
export function showProgram(context: MagicContext, name: string, fn: unknown, call?: () => unknown): void {
  const compiled = compiledFunction("%program", name, fn);
  call?.();
  const program = compiled.program();
  if (program === undefined) {
    throw new UsageError(
      `%program: ${name} was not called yet, or its last call was part of another program. Pass arguments: %program ${name}(...)`,
    );
  }
  // The report uses the name that the cell gave it.
  const named = { ...program, name };
  context.table(operationsTable(named), kernelsTable(named));
  const { advice } = compiled.report();
  if (advice !== undefined) context.line(advice);
  const { length } = program.operations;
  if (length > 1 && length <= mostDrawn) context.figure(programFigure(named));
}

/** Shows the programs of a compiled function, and the calls that needed another one. */
export function showGuards(context: MagicContext, name: string, fn: unknown): void {
  const report = compiledFunction("%guards", name, fn).report();
  const { calls, hits, programs, misses, breaks, replayed, unreplayed } = report;
  const replays = replayed > 0 ? `, ${plural(replayed, "call")} did not run the function` : "";
  const heading = `${name}: ${plural(calls, "call")}, ${plural(programs.length, "program")}, ${plural(hits, "call")} reused one${replays}`;
  const tables: Table[] = [
    {
      heading,
      columns: [
        { title: "program", ...right },
        {
          title: "needs",
          doc: "Dtypes and extents of the input tensors; equal letters are equal sizes.",
        },
        { title: "operations", ...right },
        { title: "kernels", ...right },
        { title: "hits", doc: "Calls that reused it.", ...right },
        { title: "peak", doc: "The peak memory of its results.", ...right },
      ],
      rows: programs.map(({ needs, operations, kernels, hits: found, peakBytes }, i) => [
        `${i + 1}`,
        { text: needs === "" ? "no tensors" : needs, code: true },
        `${operations}`,
        `${kernels}`,
        `${found}`,
        formatBytes(peakBytes),
      ]),
    },
  ];
  if (misses.length > 0) tables.push(linesTable("Calls that took another path", misses));
  if (breaks.length > 0) tables.push(linesTable("Elements were read before the end", breaks));
  if (unreplayed.length > 0) tables.push(linesTable("Why calls are not replayed", unreplayed));
  context.table(...tables);
}

/** `14 operations in 2 kernels, 0.27 of the traffic, peak 512 MiB instead of 1.5 GiB`. */
export function summary({ operations, kernels, traffic, peak }: Program): string {
  const moved = traffic.separate === 0 ? 1 : traffic.program / traffic.separate;
  const [planned, separate] = [formatBytes(peak.program), formatBytes(peak.separate)];
  return [
    `${plural(operations.length, "operation")} in ${plural(kernels.length, "kernel")}`,
    `${Number(moved.toPrecision(2))} of the traffic`,
    planned === separate ? `peak ${planned}` : `peak ${planned} instead of ${separate}`,
  ].join(", ");
}

/** Recognizes a compiled function by its methods. */
function compiledFunction(magic: string, name: string, fn: unknown): CompiledFunction {
  const { program, report } = (typeof fn === "function" ? fn : {}) as Partial<CompiledFunction>;
  if (program && report) return fn as unknown as CompiledFunction;
  throw new UsageError(
    `${magic}: ${name} is not a compiled function. jl.compile makes one: const step = jl.compile((x) => x.sin().add(1))`,
  );
}

function operationsTable(program: Program): Table {
  const { operations, breaks } = program;
  const rows = operations
    .slice(0, mostRows)
    .map((one, i) => [
      `${i + 1}`,
      { text: one.text, code: true },
      one.place,
      one.reads.map((index) => `${index + 1}`).join(", "),
      { text: one.result, code: true },
      one.kernels.map((kernel) => kernel + 1).join(", "),
      one.isStored ? formatBytes(one.bytes) : { text: "–", tone: "quiet" as const },
    ]);
  const notes = breaks.map(({ kernel, text }) => `After kernel ${kernel} the elements of ${text} were read.`);
  for (const [i, { name, unfusable }] of operations.entries()) {
    if (unfusable !== undefined)
      notes.push(`Operation ${i + 1}, ${name}, has a kernel of its own: ${unfusable}.`);
  }
  const hidden = operations.length - rows.length;
  if (hidden > 0) notes.push(`${plural(hidden, "operation")} more.`);
  return {
    heading: `${program.name}: ${summary(program)}`,
    columns: [
      { title: "", ...right },
      { title: "operation" },
      { title: "place" },
      { title: "reads", doc: "The operations whose results it reads." },
      { title: "result" },
      { title: "kernel", ...right },
      { title: "in memory", doc: "The bytes of stored results.", ...right },
    ],
    rows,
    ...(notes.length > 0 && { note: notes.join("\n") }),
  };
}

/** A box for each kernel with its operations, and arcs with the bytes that it leaves for others. */
export function programFigure({ name, operations, kernels, breaks }: Program): Figure {
  // A view has no kernel: it is with what it reads.
  const homes: (readonly number[])[] = [];
  for (const { kernels: own, reads } of operations)
    homes.push(own.length > 0 ? own : (homes[reads[0] ?? -1] ?? []));
  const rows: { label: string; note: string; isStored?: boolean }[] = [];
  const addRows = (isHere: (home: readonly number[]) => boolean) => {
    for (const [i, { name: label, result, place, bytes, isStored }] of operations.entries()) {
      if (!isHere(homes[i] ?? [])) continue;
      const note = [result, formatBytes(bytes), place].filter((part) => part !== "").join(", ");
      rows.push({ label: `${i + 1} ${label}`, note, isStored });
    }
  };
  addRows((home) => home.length === 0);
  const series = kernels.map((kernel, k) => {
    const first = rows.length;
    rows.push({
      label: `kernel ${k + 1}`,
      note: `${kernel.name}, reads and writes ${formatBytes(kernel.bytes)}`,
    });
    addRows((home) => home.includes(k));
    const stored = rows.flatMap(({ isStored }, row) => (row > first && isStored ? [row] : []));
    const color = curveColors[k % curveColors.length] ?? ink.text;
    return { name: `kernel ${k + 1}`, color, first, last: rows.length - 1, stored };
  });
  const edges = edgesOf(operations, homes);
  const most = Math.max(...edges.map(({ bytes }) => bytes));
  return {
    title: `${name}: kernels and the bytes between them; dots are stored`,
    rows: rows.map(({ label }) => label),
    panels: [
      {
        kind: "flow",
        title: "",
        x: { label: "", scale: "linear", unit: "count" },
        series,
        edges: edges.map(({ from, to, bytes }) => ({
          from,
          to,
          text: 100 * bytes < most ? "" : formatBytes(bytes),
          weight: most === 0 ? 0 : bytes / most,
        })),
        breaks: breaks.map(({ kernel }) => series[kernel - 1]?.last ?? rows.length - 1),
        notes: rows.map(({ note }) => note),
      },
    ],
  };
}

/** The bytes that one kernel stores and another one reads. */
function edgesOf(
  operations: Program["operations"],
  homes: readonly (readonly number[])[],
): { from: number; to: number; bytes: number }[] {
  const edges = new Map<string, { from: number; to: number; bytes: number }>();
  for (const [i, { bytes }] of operations.entries()) {
    const own = homes[i] ?? [];
    const [from] = own;
    if (from === undefined) continue;
    const readers = new Set(
      operations.flatMap(({ reads }, at) => (reads.includes(i) ? (homes[at] ?? []) : [])),
    );
    // A kernel that computes it again does not read it.
    for (const to of readers) {
      if (own.includes(to)) continue;
      const known = edges.get(`${from} ${to}`)?.bytes ?? 0;
      edges.set(`${from} ${to}`, { from, to, bytes: known + bytes });
    }
  }
  return [...edges.values()];
}

function kernelsTable({ name: program, kernels, operations }: Program): Table {
  return {
    columns: [
      { title: "kernel", ...right },
      { title: "name" },
      { title: "operations" },
      { title: "reads and writes", ...right },
    ],
    rows: kernels
      .slice(0, mostRows)
      .map(({ name, bytes }, k) => [
        `${k + 1}`,
        { text: name, code: true, title: `%inspect ${program}(...) shows its code` },
        ranges(operations.flatMap((one, i) => (one.kernels.includes(k) ? [i + 1] : []))),
        formatBytes(bytes),
      ]),
  };
}

/** `1 to 4, 7`. */
function ranges(numbers: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const number of numbers) {
    const last = parts.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else parts.push([number, number]);
  }
  return parts.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)).join(", ");
}

function linesTable(title: string, lines: readonly string[]): Table {
  return { columns: [{ title }], rows: lines.map((text) => [{ text, code: true }]) };
}
