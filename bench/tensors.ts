// Functions of whole tensors (indexing, scans, order, statistics, products) beside torch and NumPy, case by case in turns.
// peer_tensors.py holds the same cases.
import type { DTypeName } from "../runtime/base/dtype.js";
import type { Device } from "../runtime/device/device.js";
import { releaseMemory } from "../runtime/device/memory.js";
import * as jl from "../runtime/index.js";
import { type Bench, inTurns, isChosen, markedMilliseconds } from "./trial.js";

type T = jl.Tensor;

/** A case beside the peers. */
export interface Case {
  readonly name: string;
  /** Makes the arguments and returns one call. */
  readonly prepare: (n: number) => () => unknown;
  /** Floating-point operations of a call, where the figure is their rate. */
  readonly operations?: number;
}

const whole = (n: number): T => jl.rand([n]);
const rows = (n: number): T => jl.rand([n / 1024, 1024]);
const below = (limit: number, shape: readonly number[]): T =>
  jl
    .rand(shape)
    .mul(limit)
    .to("int64")
    .clamp(0, limit - 1);
const small = (n: number): T => below(1000, [n]).to("int32");

/** A case over arguments that are made once. */
export function on<A extends [] | readonly jl.Tensor[]>(
  name: string,
  make: (n: number) => A,
  call: (...args: A) => unknown,
): Case {
  return {
    name,
    prepare: (n) => {
      const args = make(n);
      return () => call(...args);
    },
  };
}

function life(): () => T {
  const board = jl.rand([1024, 1024]).lt(0.3).to("uint8");
  const around = [-1, 0, 1].flatMap((i) => [-1, 0, 1].map((j) => [i, j] as const)).filter(([i, j]) => i || j);
  return () => {
    let cells: T = board;
    for (let step = 0; step < 10; step++) {
      const near = around.map((shift): T => cells.roll(shift, [0, 1])).reduce((sum, next) => sum.add(next));
      cells = near
        .eq(3)
        .logicalOr(cells.eq(1).logicalAnd(near.eq(2)))
        .to("uint8");
    }
    return cells;
  };
}

function kMeans(): () => T {
  const points: T = jl.rand([200_000, 16]);
  return () => {
    let centers: T = points.narrow(0, 0, 32).clone();
    for (let step = 0; step < 5; step++) {
      const squares = points.mul(points).sum(1, { keepdim: true });
      const distance = squares.sub(points.matmul(centers.T).mul(2)).add(centers.mul(centers).sum(1));
      const nearest: T = distance.argmin(1);
      const sums = jl.zeros([32, 16]).indexAdd(0, nearest, points);
      centers = sums.div(nearest.bincount({ minlength: 32 }).clamp(1).unsqueeze(1));
    }
    return centers;
  };
}

function product(dtype: DTypeName, edge: number): Case {
  const make = (): [T, T] => [jl.randn([edge, edge]).to(dtype), jl.randn([edge, edge]).to(dtype)];
  return {
    ...on(`matmul-${dtype}-${edge}`, make, (a, b) => a.matmul(b)),
    operations: 2 * edge ** 3,
  };
}

const cases: readonly Case[] = [
  on(
    "index-select",
    (n) => [rows(n), below(n / 1024, [n / 1024])],
    (x, i) => x.indexSelect(0, i),
  ),
  on(
    "gather",
    (n) => [rows(n), below(1024, [n / 1024, 1024])],
    (x, i) => x.gather(1, i),
  ),
  on(
    "take",
    (n) => [whole(n), below(n, [n])],
    (x, i) => x.take(i),
  ),
  on(
    "scatter-add",
    (n) => [below(1000, [n]), whole(n)],
    (i, x) => jl.zeros([1000]).scatterAdd(0, i, x),
  ),
  on(
    "scatter-add-wide",
    (n) => [below(n, [n]), whole(n)],
    (i, x) => jl.zeros([x.size]).scatterAdd(0, i, x),
  ),
  on(
    "index-add",
    (n) => [below(1000, [n / 256]), jl.rand([n / 256, 256])],
    (i, x) => jl.zeros([1000, 256]).indexAdd(0, i, x),
  ),
  on(
    "argmin-rows",
    (n) => [rows(n)],
    (x) => x.argmin(1),
  ),
  on(
    "cumsum",
    (n) => [whole(n)],
    (x) => x.cumsum(0),
  ),
  on(
    "cumsum-rows",
    (n) => [rows(n)],
    (x) => x.cumsum(1),
  ),
  on(
    "sort",
    (n) => [whole(n)],
    (x) => x.sort(),
  ),
  on(
    "sort-rows",
    (n) => [rows(n)],
    (x) => x.sort(1),
  ),
  on(
    "argsort",
    (n) => [whole(n)],
    (x) => x.argsort(),
  ),
  on(
    "topk",
    (n) => [whole(n)],
    (x) => x.topk(100),
  ),
  on(
    "topk-rows",
    (n) => [rows(n)],
    (x) => x.topk(10),
  ),
  on(
    "unique",
    (n) => [small(n)],
    (x) => x.unique(),
  ),
  on(
    "bincount",
    (n) => [small(n)],
    (x) => x.bincount({ minlength: 1000 }),
  ),
  on(
    "histc",
    (n) => [whole(n)],
    (x) => x.histc(100, 0, 1),
  ),
  on(
    "masked-select",
    (n) => [whole(n)],
    (x) => x.maskedSelect(x.gt(0.5)),
  ),
  on(
    "nonzero",
    (n) => [whole(n).gt(0.5)],
    (x) => x.nonzero(),
  ),
  on(
    "median",
    (n) => [whole(n)],
    (x) => x.median(),
  ),
  on(
    "logsumexp",
    (n) => [rows(n)],
    (x) => x.logsumexp(1),
  ),
  on(
    "var-rows",
    (n) => [rows(n)],
    (x) => x.var(1),
  ),
  on(
    "softmax-rows",
    (n) => [rows(n)],
    (x) => x.softmax(1),
  ),
  on(
    "norm-rows",
    (n) => [rows(n)],
    (x) => x.norm({ dim: 1 }),
  ),
  on(
    "max-rows-indices",
    (n) => [rows(n)],
    (x) => x.max(1, { indices: true }),
  ),
  { name: "life", prepare: life },
  { name: "k-means", prepare: kMeans },
  ...[512, 1024, 2048, 4096, 8192].flatMap((edge) =>
    (["float32", "float64", "float16", "bfloat16"] as const).map((dtype) => product(dtype, edge)),
  ),
];

// A just-in-time compiled caller is slower in its first calls, and so is a pool of memory that has not found its size.
const warmUpMs = 250;
// How long one case is repeated, here and in peers.py.
const budgetMs = 300;

/** Frees a call's results at once, as the peers do: their languages count references. */
function release(result: unknown): void {
  if (result instanceof jl.Tensor) result.dispose();
  else for (const each of Object.values(result as object)) release(each);
}

/** Milliseconds of one call: the best of rounds, on a GPU of five calls each. */
function milliseconds(device: Device, run: () => unknown): number {
  const call = () => release(run());
  const calls = device.target.kind === "cuda" ? 5 : 1;
  const warm = performance.now() + warmUpMs;
  do call();
  while (performance.now() < warm);
  device.synchronize();
  const rounds: number[] = [];
  const began = performance.now();
  while (rounds.length < 3 || performance.now() - began < budgetMs) {
    rounds.push(markedMilliseconds(device, call, calls));
  }
  return Math.min(...rounds);
}

/** The chosen cases, or all. */
export async function tensors(bench: Bench): Promise<void> {
  await measureCases(bench, "tensors", cases);
}

/** The chosen ones of some cases, of which the peers have a subject. */
export async function measureCases(bench: Bench, subject: string, all: readonly Case[]): Promise<void> {
  const { device, isGpu, options } = bench;
  const log2 = options.log2 ?? (isGpu ? 26 : 22);
  for (const { name, prepare, operations } of all) {
    // Large products take a processor minutes.
    if (!isChosen(bench, name) || (!isGpu && (operations ?? 0) > 2e10)) continue;
    const unit = operations === undefined ? "ms" : isGpu ? "TFLOP/s" : "GFLOP/s";
    let call: (() => unknown) | undefined;
    await inTurns(bench, {
      trial: { id: `${subject}/${name}`, title: name, unit },
      turns: options.turns ?? 1,
      ours: () => {
        call ??= prepare(2 ** log2);
        return milliseconds(device, call);
      },
      request: [subject, name, log2, budgetMs / 1e3],
      join: (times) => Math.min(...times),
      figure: (ms) => (operations === undefined ? ms : operations / (ms / 1e3) / (isGpu ? 1e12 : 1e9)),
      ratio: "speed of",
    });
    releaseMemory();
  }
}
