// %%compile, %program and %guards in the child: compiled programs, and why there are several.
import type { CompiledFunction, Program } from "../library.js";
import { UsageError } from "../magic.js";
import { curveColors, type Figure } from "../render/figure.js";
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

/** The operations from the top, each in the color of its kernel; arcs connect readers with the operations that they read. */
export function programFigure({ name, operations, kernels, breaks }: Program): Figure {
  const series = kernels.map((kernel, k) => ({
    name: `kernel ${k + 1}: ${kernel.name}`,
    color: curveColors[k % curveColors.length] ?? "#808890",
    dots: operations.flatMap((one, row) => (one.kernels[0] === k ? [{ row, isStored: one.isStored }] : [])),
  }));
  return {
    title: `${name}: data flow; larger dots are stored`,
    rows: operations.map((one, i) => `${i + 1} ${one.name}`),
    panels: [
      {
        kind: "flow",
        title: "",
        x: { label: "", scale: "linear", unit: "count" },
        series,
        edges: operations.flatMap(({ reads }, to) => reads.map((from) => ({ from, to }))),
        breaks: breaks.map(({ kernel }) =>
          operations.findLastIndex(({ kernels: [first = 0] }) => first < kernel),
        ),
        notes: operations.map(({ result, place, bytes }) =>
          [result, formatBytes(bytes), place].filter((part) => part !== "").join(", "),
        ),
      },
    ],
  };
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
