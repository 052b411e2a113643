// The goals, some of them fixed and some relative to the peers or to the machine in the same run.
import { availableParallelism } from "node:os";
import type { DeviceKind } from "../runtime/device/kinds.js";

/** A bound on a figure, in the figure's unit. */
export interface Limit {
  readonly bound: number;
  readonly side: "at most" | "at least";
}

/** Looks up figures of the same run; NaN for a missing one. */
export interface Figures {
  ours(id: string): number;
  peer(peer: string, id: string): number;
}

/**
 * The subject of a benchmark: a device, functions of whole tensors on it, every operation on it, what users write for it,
 * one call's host time, the notebook kernel, the cache of kernels, that of several machines, compiling many, or many
 * notebook kernels at once.
 */
export type Subject =
  | DeviceKind
  | `custom-${DeviceKind}`
  | `tensors-${DeviceKind}`
  | "programs-cpu"
  | `tuning-${DeviceKind}`
  | `functions-${DeviceKind}`
  | "overhead"
  | "kernel"
  | "cache"
  | "precompile"
  | "nvrtc"
  | "remote"
  | "classroom";

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

// The first line whose pattern matches a figure's id is its goal.
const goals: Readonly<Partial<Record<Subject, Goals>>> = {
  "custom-cpu": custom,
  "custom-cuda": custom,
  "custom-wasm": custom,
  "tensors-cuda": [
    [/^tensors\/matmul-(float32|float16|bfloat16)-(4096|8192)$/, "at least", share("torch", 0.95)],
    [/^tensors\/(argsort|sort|topk)$/, "at most", share("torch", 2)],
    [/^tensors\/cumsum/, "at most", share("torch", 1 / 0.9)],
  ],
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
  remote: [
    [/^remote\/together$/, "at most", () => 1.1],
    [/^remote\/fault-/, "at most", () => 50],
  ],
  classroom: [
    [/^classroom\/storm$/, "at most", () => 60],
    [/^classroom\/compiles$/, "at most", () => 1],
    [/^classroom\/(awake|idle)$/, "at most", () => 150],
    [/^classroom\/wake$/, "at most", () => 500],
  ],
  overhead: [
    [/^import$/, "at most", () => 100],
    // A launch on a GPU costs more than everything before it; there the added cost counts.
    [/^host\/add(-scalar)?$/, "at most", (f) => Math.max(1.5, f.ours("host/raw") + 1)],
  ],
  wasm: [
    [/^first\/.*-cold$/, "at most", () => 1500],
    [/^first\/.*-disk$/, "at most", () => 5],
    [/^next\/compile$/, "at most", () => 200],
    [memoryBound, "at least", (f, id) => 0.9 * f.peer("cpu", id)],
    [/^bandwidth\/transposed$/, "at least", (f, id) => 0.9 * f.peer("cpu", id)],
  ],
  kernel: [
    [/^kernel\/ready$/, "at most", () => 1200],
    [/^kernel\/cell$/, "at most", () => 15],
    [/^kernel\/complete/, "at most", () => 20],
    [/^kernel\/heartbeat/, "at most", () => 50],
  ],
  cache: [
    [/^cache\/fetch-daily$/, "at most", () => 0.1],
    [/^cache\/fetch-daily-p99$/, "at most", () => 0.3],
    [/^cache\/put$/, "at most", () => 1],
    [/^cache\/open$/, "at most", () => 20],
  ],
  precompile: [[/^precompile\/cuda-gain$/, "at least", () => availableParallelism() / 2]],
};

/** The goal of a figure; undefined if there is none, or if its reference was not measured. */
export function goalOf(subject: Subject, id: string, figures: Figures): Limit | undefined {
  const found = goals[subject]?.find(([pattern]) => pattern.test(id));
  if (!found) return undefined;
  const [, side, goal] = found;
  const bound = goal(figures, id);
  return Number.isNaN(bound) ? undefined : { bound, side };
}
