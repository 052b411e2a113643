// %bench in the child: compares expressions, optionally over sizes.
import { median } from "../../runtime/base/units.js";
import { curveColors, type Figure } from "../render/figure.js";
import { formatCount, formatRatio, formatTime } from "../render/format.js";
import type { MagicContext } from "./context.js";
import { Progress } from "./progress.js";

/** The arguments of %bench. */
export interface BenchOptions {
  readonly labels: readonly string[];
  /** Undefined: the expressions are timed without sizes. */
  readonly sizes?: readonly number[];
}

/** What %bench gives: for each expression the milliseconds of a call, or a list of them where there are sizes. */
export type BenchResult<O extends BenchOptions> = Record<
  string,
  O extends { readonly sizes: readonly number[] } ? number[] : number
>;

type Cases = (n: number) => readonly (() => unknown)[];

const enoughMs = 60;
const rounds = 5;

/** Times every expression at every size, shows a table and, over sizes, curves, and returns the times. */
export async function bench<const O extends BenchOptions>(
  context: MagicContext,
  options: O,
  cases: Cases,
): Promise<BenchResult<O>> {
  const sizes = options.sizes ?? [0];
  const { labels } = options;
  const progress = new Progress(context);
  const total = sizes.length * labels.length;
  const results: number[][] = [];
  let done = 0;
  try {
    for (const n of sizes) {
      const row: number[] = [];
      const size = options.sizes === undefined ? "" : `, n = ${formatCount(n)}`;
      for (const [i, run] of cases(n).entries()) {
        row.push(await timeOne(context, run));
        progress.step(++done, total, `${labels[i] ?? ""}${size}`);
      }
      results.push(row);
    }
  } finally {
    progress.end();
  }
  show(context, options, sizes, results);
  const times = labels.map((label, i) => {
    const own = results.map((row) => row[i] ?? 0);
    return [label, options.sizes === undefined ? (own[0] ?? 0) : own] as const;
  });
  return Object.fromEntries(times) as BenchResult<O>;
}

// Measures the milliseconds of one call: the median of a few rounds, each long enough for the clock, after a warm-up call.
async function timeOne(context: MagicContext, run: () => unknown): Promise<number> {
  const round = async (loops: number): Promise<number> => {
    const began = performance.now();
    for (let i = 0; i < loops; i++) {
      const value = run();
      if (value instanceof Promise) await value;
    }
    context.jl.synchronize();
    return performance.now() - began;
  };
  // V8 compiles hot code late, so cheap calls warm up for a while.
  const warm = performance.now() + enoughMs;
  do await round(1);
  while (performance.now() < warm);
  const once = Math.max(1e-4, await round(3)) / 3;
  const loops = Math.max(1, Math.min(1e6, Math.round(enoughMs / rounds / once)));
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) times.push((await round(loops)) / loops);
  return median(times);
}

function show(
  context: MagicContext,
  options: BenchOptions,
  sizes: readonly number[],
  results: readonly (readonly number[])[],
): void {
  const { labels } = options;
  const right = { align: "right" } as const;
  if (options.sizes === undefined) {
    const times = results[0] ?? [];
    const best = Math.min(...times);
    context.table({
      columns: [
        { title: "expression" },
        { title: "time", ...right },
        { title: "relative to the fastest", ...right },
      ],
      rows: labels.map((label, i) => {
        const ms = times[i] ?? 0;
        return [
          { text: label, code: true },
          formatTime(ms / 1e3),
          ms === best ? "fastest" : formatRatio(ms / best),
        ];
      }),
    });
    return;
  }
  context.table({
    columns: [{ title: "n", ...right }, ...labels.map((title) => ({ title, ...right }))],
    rows: sizes.map((n, row) => {
      const times = results[row] ?? [];
      const best = Math.min(...times);
      return [
        formatCount(n),
        ...labels.map((_, i) => {
          const ms = times[i] ?? 0;
          return { text: formatTime(ms / 1e3), ...(ms === best ? { tone: "good" as const } : {}) };
        }),
      ];
    }),
  });
  if (sizes.length > 1) context.figure(benchFigure(labels, sizes, results));
}

/** The curves of times over sizes. */
export function benchFigure(
  labels: readonly string[],
  sizes: readonly number[],
  results: readonly (readonly number[])[],
): Figure {
  return {
    title: "Time of one call",
    rows: [],
    panels: [
      {
        kind: "lines",
        title: "",
        x: { label: "n", scale: "log", unit: "count" },
        y: { label: "time", scale: "log", unit: "time" },
        series: labels.map((name, i) => ({
          name,
          color: curveColors[i % curveColors.length] ?? "#808890",
          points: sizes.map((n, row) => [n, results[row]?.[i] ?? 0] as const),
        })),
      },
    ],
  };
}
