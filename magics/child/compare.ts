// %%compare in the child: one cell as separate calls and as a compiled program.
import { median } from "../../runtime/base/units.js";
import type { Backend, Program } from "../library.js";
import { formatBytes, formatRatio, formatTime, plural } from "../render/format.js";
import type { Cell, Table } from "../render/table.js";
import type { MagicContext } from "./context.js";
import { type Difference, differenceOf, type Elements } from "./differences.js";

/** The variables that a cell declared, by name. */
export type Results = Readonly<Record<string, unknown>>;

/** The results of one way to run a cell, by name; undefined for values that are not tensors. */
export interface Outcome {
  readonly title: string;
  readonly results: Readonly<Record<string, Elements | undefined>>;
}

interface Timed extends Outcome {
  readonly program: Program | undefined;
  readonly launches: number;
  readonly firstSeconds: number;
  readonly seconds: number;
}

const rounds = 5;

/** Runs a cell with each backend, and shows the time of each and how its results differ from the first one's. */
export function compare(context: MagicContext, backends: readonly Backend[], body: () => Results): void {
  const restore = context.jl.keepStream();
  const seeded = () => {
    restore();
    return body();
  };
  const outcomes = backends.map((backend) => runBy(context, backend, seeded));
  const [first, ...others] = outcomes as [Timed, ...Timed[]];
  context.table(costTable(outcomes, separatePeak(context, outcomes, body)), resultTable(first, others));
}

/** The results with other values. */
export function mapped<T>(results: Results, made: (one: unknown) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(results).map(([name, one]) => [name, made(one)]));
}

function runBy(context: MagicContext, backend: Backend, body: () => Results): Timed {
  const { jl } = context;
  const run = jl.compile(body, { name: "the cell", backend });
  const timed = () => {
    jl.synchronize();
    const began = performance.now();
    const results = run();
    jl.synchronize();
    return { results, seconds: (performance.now() - began) / 1e3 };
  };
  const recording = jl.startRecording();
  let first: ReturnType<typeof timed>;
  let launches: number;
  try {
    first = timed();
  } finally {
    launches = recording.stop().launches.length;
  }
  const seconds = median(Array.from({ length: rounds }, () => timed().seconds));
  return {
    title: backend,
    results: mapped(first.results, (one) => (one instanceof jl.Tensor ? one : undefined)),
    program: run.program(),
    launches,
    firstSeconds: first.seconds,
    seconds,
  };
}

/** The memory of the separate calls, from a program of the same operations. */
function separatePeak(context: MagicContext, outcomes: readonly Timed[], body: () => Results): number {
  const known = outcomes.find(({ program }) => program)?.program;
  if (known) return known.peak.separate;
  const run = context.jl.compile(body, { backend: "steps" });
  run();
  return run.program()?.peak.separate ?? 0;
}

function costTable(outcomes: readonly Timed[], apart: number): Table {
  const right = { align: "right" } as const;
  const slowest = Math.max(...outcomes.map(({ seconds }) => seconds));
  return {
    columns: [
      { title: "backend" },
      { title: "launches", ...right },
      { title: "first call", doc: "Including compiles.", ...right },
      { title: "time", doc: `The median of ${rounds} further calls.`, ...right },
      { title: "faster", doc: "Relative to the slowest.", ...right },
      { title: "peak", doc: "The peak memory of results, if each is freed after its last use.", ...right },
    ],
    rows: outcomes.map(({ title, launches, firstSeconds, seconds, program }) => [
      { text: title, code: true },
      `${launches}`,
      formatTime(firstSeconds),
      formatTime(seconds),
      formatRatio(slowest / seconds),
      formatBytes(program?.peak.program ?? apart),
    ]),
  };
}

/** How the results of other ways differ from those of the first. */
export function resultTable(first: Outcome, others: readonly Outcome[]): Table {
  const tensors = Object.entries(first.results).filter(([, one]) => one) as [string, Elements][];
  const rows = tensors.map(([name, elements]) => [
    { text: name, code: true },
    { text: `${elements.dtype.name}[${elements.shape}]`, code: true },
    ...others.map(({ results: { [name]: other } }) =>
      verdict(other ? differenceOf(elements, other) : "no tensor", elements.size),
    ),
  ]);
  const left = Object.keys(first.results).length - tensors.length;
  return {
    columns: [
      { title: "result" },
      { title: "" },
      ...others.map(({ title }) => ({ title: `${title} against ${first.title}` })),
    ],
    rows,
    ...(left > 0 && { note: `${plural(left, "name")} more that are not tensors.` }),
  };
}

/** A difference in words. */
export function verdict(difference: Difference | string | undefined, size: number): Cell {
  if (difference === undefined) return { text: "equal bits", tone: "good" };
  if (typeof difference === "string") return { text: difference, tone: "bad" };
  const { ulp, count, index } = difference;
  const most = Number.isFinite(ulp) ? `${Number(ulp.toPrecision(3))} ULP` : "NaN against a number";
  return { text: `${count} of ${size} differ, at most ${most} at [${index}]`, tone: "bad" };
}
