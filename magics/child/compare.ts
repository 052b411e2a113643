// %%compare in the child: one cell as separate calls and as a compiled program.
import { median } from "../../runtime/base/median.js";
import type { Backend, Program, Tensor } from "../library.js";
import { formatBytes, formatRatio, formatTime, plural } from "../render/format.js";
import type { Cell, Table } from "../render/table.js";
import type { MagicContext } from "./context.js";
import { type Difference, differenceOf } from "./differences.js";

type Results = Readonly<Record<string, unknown>>;

interface Outcome {
  readonly backend: Backend;
  readonly results: Results;
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
  const [first, ...others] = outcomes as [Outcome, ...Outcome[]];
  context.table(costTable(outcomes, apartPeak(context, outcomes, body)), resultTable(context, first, others));
}

function runBy(context: MagicContext, backend: Backend, body: () => Results): Outcome {
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
    backend,
    results: first.results,
    program: run.program(),
    launches,
    firstSeconds: first.seconds,
    seconds,
  };
}

/** The memory of the separate calls, from a program of the same operations. */
function apartPeak(context: MagicContext, outcomes: readonly Outcome[], body: () => Results): number {
  const known = outcomes.find(({ program }) => program)?.program;
  if (known) return known.peak.apart;
  const run = context.jl.compile(body, { backend: "steps" });
  run();
  return run.program()?.peak.apart ?? 0;
}

function costTable(outcomes: readonly Outcome[], apart: number): Table {
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
    rows: outcomes.map(({ backend, launches, firstSeconds, seconds, program }) => [
      { text: backend, code: true },
      `${launches}`,
      formatTime(firstSeconds),
      formatTime(seconds),
      formatRatio(slowest / seconds),
      formatBytes(program?.peak.program ?? apart),
    ]),
  };
}

function resultTable({ jl }: MagicContext, first: Outcome, others: readonly Outcome[]): Table {
  const tensors = Object.entries(first.results).filter(([, one]) => one instanceof jl.Tensor) as [
    string,
    Tensor,
  ][];
  const rows = tensors.map(([name, tensor]) => [
    { text: name, code: true },
    { text: `${tensor.dtype.name}[${tensor.shape}]`, code: true },
    ...others.map((outcome): Cell => {
      const other = outcome.results[name];
      return verdict(other instanceof jl.Tensor ? differenceOf(tensor, other) : "no tensor", tensor.size);
    }),
  ]);
  const left = Object.keys(first.results).length - tensors.length;
  return {
    columns: [
      { title: "result" },
      { title: "" },
      ...others.map(({ backend }) => ({ title: `${backend} against ${first.backend}` })),
    ],
    rows,
    ...(left > 0 && { note: `${plural(left, "name")} more that are not tensors.` }),
  };
}

function verdict(difference: Difference | string | undefined, size: number): Cell {
  if (difference === undefined) return { text: "equal bits", tone: "good" };
  if (typeof difference === "string") return { text: difference, tone: "bad" };
  const { ulp, count, index } = difference;
  const most = Number.isFinite(ulp) ? `${Number(ulp.toPrecision(3))} ULP` : "NaN against a number";
  return { text: `${count} of ${size} differ, at most ${most} at [${index}]`, tone: "bad" };
}
