// The report of a run: ours, the goal and the peers, as a table and as JSON.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Figures, goalOf, type Limit, type Subject } from "./goals.js";
import type { Machine } from "./machine.js";
import type { Trial } from "./trial.js";

/** One figure of a peer, under the id of our trial, in its unit. */
export interface PeerFigure {
  readonly peer: string;
  readonly id: string;
  readonly value?: number | undefined;
  /** Why the value is missing. */
  readonly failure?: string;
}

/** The results of one run. */
export interface Run {
  readonly subject: Subject;
  readonly machine: Machine;
  /** Names and versions of the peers that were measured. */
  readonly peers: Readonly<Record<string, string>>;
  readonly trials: readonly Trial[];
  readonly figures: readonly PeerFigure[];
}

interface Row extends Trial {
  readonly goal?: Limit | undefined;
  readonly met?: boolean;
  readonly peers: Readonly<Record<string, number>>;
}

/** The trials of a run with goals and peers. */
function rowsOf(run: Run): Row[] {
  const figures: Figures = {
    ours: (id) => run.trials.find((trial) => trial.id === id)?.ours ?? Number.NaN,
    peer: (peer, id) => find(run.figures, peer, id) ?? Number.NaN,
  };
  return run.trials.map((trial) => {
    const goal = goalOf(run.subject, trial.id, figures);
    const peers = Object.fromEntries(
      Object.keys(run.peers).flatMap((peer) => {
        const value = find(run.figures, peer, trial.id);
        return value === undefined ? [] : [[peer, value]];
      }),
    );
    const met = goal && trial.ours !== undefined ? { met: meets(trial.ours, goal) } : {};
    return { ...trial, ...(goal ? { goal } : {}), ...met, peers };
  });
}

function find(figures: readonly PeerFigure[], peer: string, id: string): number | undefined {
  return figures.find((figure) => figure.peer === peer && figure.id === id)?.value;
}

function meets(value: number, { bound, side }: Limit): boolean {
  return side === "at most" ? value <= bound : value >= bound;
}

/** The run as text: a table per section, then the failures. */
export function formatRun(run: Run): string {
  const rows = rowsOf(run);
  const peers = Object.keys(run.peers);
  const header = ["", "unit", "goal", "ours", "", ...peers, ""];
  const body = rows.map((row) => [
    row.title,
    row.unit,
    row.goal ? `${row.goal.side === "at most" ? "<=" : ">="} ${number(row.goal.bound)}` : "",
    row.ours === undefined ? "failed" : number(row.ours),
    row.met === undefined ? "" : row.met ? "met" : "missed",
    ...peers.map((peer) => number(row.peers[peer])),
    detailText(row.detail),
  ]);
  const failures = [
    ...rows.flatMap((row) => (row.failure ? [`${row.title}: ${row.failure}`] : [])),
    ...run.figures.flatMap((figure) =>
      figure.failure ? [`${figure.peer} ${figure.id}: ${figure.failure}`] : [],
    ),
  ];
  return [
    ...Object.entries({ ...run.machine, ...run.peers }).map(([name, text]) => `${name}: ${text}`),
    "",
    ...alignColumns([header, ...body]),
    ...(failures.length > 0 ? ["", "Not measured:", ...failures] : []),
    "",
  ].join("\n");
}

/** Writes the run to `folder` as YYYY-MM-DD-<subject>.json and returns the file's path. */
export function writeRun(run: Run, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const date = new Date().toISOString();
  const file = join(folder, `${date.slice(0, 10)}-${run.subject}.json`);
  const { subject, machine, peers } = run;
  const failures = run.figures.filter((figure) => figure.failure !== undefined);
  const record = { date, subject, machine, peers, rows: rowsOf(run).map(rounded), failures };
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
  return file;
}

function rounded(row: Row): unknown {
  return JSON.parse(
    JSON.stringify(row, (_, value: unknown) =>
      typeof value === "number" ? Number(value.toPrecision(4)) : value,
    ),
  );
}

function number(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "-";
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

function detailText(detail: Trial["detail"]): string {
  return Object.entries(detail ?? {})
    .map(([name, value]) => `${name} ${number(value)}`)
    .join(", ");
}

/** The first and the last column are aligned left, numbers right. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(...rows.map((row) => (row[i] ?? "").length)),
  );
  return rows.map((row) =>
    row
      .map((cell, i) =>
        i === 0 || i === columns - 1
          ? cell.padEnd(i === 0 ? (widths[i] ?? 0) : 0)
          : cell.padStart(widths[i] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}
