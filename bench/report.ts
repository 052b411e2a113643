// The report of a run: ours, the goal and the peers, as a table and as JSON. Goals are fixed, or relative to the peers or to the
// machine in the same run.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine, PeerFigure, Trial } from "./trial.js";

/** The results of one run. */
export interface Run {
  /** The name of the bench, with the kind of its device unless that is the host. */
  readonly subject: string;
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

/** A bound on a figure, in the figure's unit. */
interface Limit {
  readonly bound: number;
  readonly side: "at most" | "at least";
}

/** Looks up figures of the same run; NaN for a missing one. */
interface Figures {
  ours(id: string): number;
  peer(peer: string, id: string): number;
}

type Goal = (figures: Figures, id: string) => number;
type Goals = readonly (readonly [RegExp, Limit["side"], Goal])[];

const half =
  (peer: string): Goal =>
  (figures, id) =>
    figures.peer(peer, id) / 2;
const least = (...values: readonly number[]): number => {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length > 0 ? Math.min(...known) : Number.NaN;
};

const memoryBound =
  /^bandwidth\/(copy-kernel|add|mul|neg|sqrt|where|jit|row|column|jit-column|scalar|mixed|half|compare|block|stride2)$/;

/** A part of a peer's figure. */
const share =
  (peer: string, part: number): Goal =>
  (figures, id) =>
    figures.peer(peer, id) * part;

const custom: Goals = [
  [/^custom\/reduction$/, "at least", (f) => 0.9 * f.ours("custom/sum")],
  [/^custom\/reduction-rows$/, "at least", (f) => 0.9 * f.ours("custom/sum-rows")],
  [/^custom\/raw-kernel$/, "at most", (f) => f.ours("custom/raw") + 1],
  [/^custom\/translate-/, "at most", () => 2],
  // What two equal functors differ by in turns on a quiet machine.
  [/^custom\/functor-/, "at most", (f, id) => 1.03 * f.ours(id.replace("functor-", "cpp-"))],
];

const tasks: Goals = [
  [/^tasks\/.*\/later$/, "at most", share("torch", 1)],
  [/^tasks\/.*\/early$/, "at most", (f, id) => 2 * f.peer("torch", id.replace("/early", "/later"))],
  [/^tasks\/peak$/, "at most", share("torch", 2)],
  [/^tasks\/.*\/over-eager$/, "at most", () => 1.05],
];

const loops: Goals = [
  // Loops in registers, of which each step is a launch or more elsewhere.
  [/^loops\/(asian-option|lorenz|metropolis)\/later$/, "at most", share("jax", 1 / 5)],
  [/^loops\/(hessian|sample-gradients)\/later$/, "at most", share("jax", 1.1)],
  [/^loops\/.*\/later$/, "at most", (f, id) => least(f.peer("torch", id), f.peer("jax", id))],
];

// By the subject of a record; the first line whose pattern matches a figure's id is its goal.
const goals: Readonly<Record<string, Goals>> = {
  "tasks-cpu": tasks,
  "tasks-cuda": tasks,
  "loops-cpu": loops,
  "loops-cuda": loops,
  "custom-cpu": custom,
  "custom-cuda": custom,
  "custom-wasm": custom,
  "tensors-cuda": [
    [/^tensors\/matmul-(float32|float16|bfloat16)-(4096|8192)$/, "at least", share("torch", 0.95)],
    [/^tensors\/(argsort|sort|topk)$/, "at most", share("torch", 2)],
    [/^tensors\/cumsum/, "at most", share("torch", 1 / 0.9)],
  ],
  "linalg-cuda": [[/^linalg\//, "at most", share("torch", 1 / 0.9)]],
  "linalg-cpu": [[/^linalg\//, "at most", share("numpy", 1 / 0.9)]],
  "tensors-cpu": [
    [/^tensors\/matmul-float(32|64)/, "at least", share("numpy", 0.9)],
    [/^tensors\/k-means$/, "at most", share("numpy", 1)],
    [/^tensors\/life$/, "at most", share("numpy", 2)],
  ],
  cuda: [
    [/^host\/add$/, "at most", (f, id) => least(f.ours("host/raw") + 1, half("torch")(f, id))],
    [/^host\/add-out$/, "at most", (f) => f.ours("host/raw") + 0.6],
    [/^host\/graph$/, "at most", () => 1],
    [/^host\/recording$/, "at most", () => 0.1],
    [/^first\/zeta-cold$/, "at most", (f, id) => least(200, half("torch")(f, id))],
    [/^first\/.*-cold$/, "at most", half("torch")],
    [/^first\/.*-disk$/, "at most", () => 0.5],
    [/^first\/start$/, "at most", () => 0.8],
    [/^first\/memory$/, "at most", () => 4],
    [/^bandwidth\/transposed$/, "at least", (f) => 0.8 * f.ours("bandwidth/copy")],
    [memoryBound, "at least", (f) => 0.95 * f.ours("bandwidth/copy")],
    [/^bandwidth\/(?!copy)/, "at least", (f, id) => f.peer("torch", id)],
  ],
  cpu: [
    [/^host\/add(-scalar)?$/, "at most", () => 1.5],
    [/^host\/recording$/, "at most", () => 0.1],
    [/^bandwidth\/(sin|exp|log|tanh)$/, "at least", (f, id) => 4 * f.peer("numpy", id)],
    [memoryBound, "at least", (f, id) => f.peer("numpy", id)],
    [/^bandwidth\/transposed$/, "at least", (f, id) => f.peer("numpy", id)],
  ],
  "programs-cpu": [
    [
      /^programs\/(chain|bias-gelu|softmax.*|layernorm|mse|black-scholes)$/,
      "at most",
      (f, id) => f.peer("torch.compile", id),
    ],
  ],
  overhead: [
    [/^import$/, "at most", () => 100],
    // A launch on a GPU costs more than everything before it; there the added cost counts.
    [/^host\/add(-scalar)?$/, "at most", (f) => Math.max(1.5, f.ours("host/raw") + 1)],
  ],
  kernel: [
    [/^kernel\/ready$/, "at most", () => 1200],
    [/^kernel\/cell$/, "at most", () => 15],
    [/^kernel\/complete/, "at most", () => 20],
    [/^kernel\/heartbeat/, "at most", () => 50],
  ],
};

/** The goal of a figure; undefined if there is none, or if its reference was not measured. */
function goalOf(subject: string, id: string, figures: Figures): Limit | undefined {
  const found = goals[subject]?.find(([pattern]) => pattern.test(id));
  if (!found) return undefined;
  const [, side, goal] = found;
  const bound = goal(figures, id);
  return Number.isNaN(bound) ? undefined : { bound, side };
}
