// Throughput of large tensors: bytes to move, each input and output counted once, over device time. The device's copy in the
// same run is the reference.
import { median } from "../runtime/base/units.js";
import type { Device } from "../runtime/device/device.js";
import { releaseMemory } from "../runtime/device/memory.js";
import * as jl from "../runtime/index.js";
import { askPeers, attempt, type Bench, deviceMilliseconds, inTurns, type Trial } from "./trial.js";

const turns = 7;
const launchesPerTurn = 4;

/** A custom functor, which the peers have too: what PyTorch's documentation shows for its jiterator. */
export const axpy = "template <typename T> T axpy(T x, T y, T alpha = 1) { return -x + alpha * y; }";

/** A chain that eager libraries run as four kernels. */
const chain = "template <typename T> T chain(T x) { return sin(sin(x)) * T(2) + x; }";

/** log2 of the number of elements. */
export function sizeOn(device: Device): number {
  return device.target.kind === "cuda" ? 28 : 24;
}

/** One thing to measure: its bytes per element of the full size, so that peers' times are counted alike. */
interface Case {
  readonly name: string;
  readonly title: string;
  readonly bytes: number;
}

const unary = [
  ...(["digamma", "lgamma", "i0", "ndtr", "ndtri", "erf", "erfc", "erfcx", "erfinv", "gelu"] as const),
  ...(["sin", "tan", "asin", "atan", "exp", "log", "tanh"] as const),
];

/** What is measured, here and in peers.py. */
const cases: readonly Case[] = [
  { name: "copy", title: "device copy (the driver's or the C library's)", bytes: 8 },
  { name: "copy-kernel", title: "copy by a kernel", bytes: 8 },
  { name: "add", title: "add", bytes: 12 },
  { name: "mul", title: "mul", bytes: 12 },
  { name: "neg", title: "neg", bytes: 8 },
  { name: "sqrt", title: "sqrt", bytes: 8 },
  { name: "where", title: "where", bytes: 13 },
  { name: "jit", title: "jit function of two tensors", bytes: 12 },
  { name: "row", title: "add a row", bytes: 8 },
  { name: "column", title: "add a column", bytes: 8 },
  { name: "jit-column", title: "jit function of a matrix and a column", bytes: 8 },
  { name: "scalar", title: "add a scalar", bytes: 8 },
  { name: "mixed", title: "add float16 to float32", bytes: 10 },
  { name: "half", title: "add, float16", bytes: 6 },
  { name: "compare", title: "compare to bool", bytes: 9 },
  { name: "block", title: "add blocks of columns", bytes: 6 },
  { name: "stride2", title: "add every second element (sectors of 32 bytes)", bytes: 10 },
  { name: "transposed", title: "add a transposed matrix", bytes: 12 },
  { name: "chain", title: "sin(sin(x)) * 2 + x", bytes: 8 },
  { name: "gcd", title: "gcd, int32", bytes: 12 },
  { name: "zeta", title: "zeta", bytes: 12 },
  { name: "atan2", title: "atan2", bytes: 12 },
  { name: "hypot", title: "hypot", bytes: 12 },
  ...unary.map((name) => ({ name, title: name, bytes: 8 })),
];

const onGpus = "copy jit jit-column gcd zeta digamma lgamma i0 ndtri erfcx".split(" ");

/** The cases for processors. */
const processorCases: readonly Case[] = cases.filter(({ name }) => !onGpus.includes(name));

/** The unit of throughput, by the device's order of magnitude. */
export function throughputUnit(device: Device): "TB/s" | "GB/s" {
  return device.target.kind === "cuda" ? "TB/s" : "GB/s";
}

/** The throughput of a case that took some milliseconds. */
function throughput(device: Device, name: string, milliseconds: number): number {
  const bytes = (cases.find((candidate) => candidate.name === name)?.bytes ?? 0) * 2 ** sizeOn(device);
  return bytes / (milliseconds * (throughputUnit(device) === "TB/s" ? 1e9 : 1e6));
}

/** Every case: on a GPU with its share of the device's copy, elsewhere in turns with the peers. */
export async function bandwidth(bench: Bench): Promise<void> {
  const { device, isGpu, trials } = bench;
  const launches = prepare(device);
  const unit = throughputUnit(device);
  let copy = Number.NaN;
  for (const { name, title } of isGpu ? cases : processorCases) {
    const id = `bandwidth/${name}`;
    const launch = launches[name] as () => unknown;
    const trial = { id, title, unit };
    const figure = (ms: number) => throughput(device, name, ms);
    if (isGpu) trials.push(attempt(trial, () => figure(deviceMilliseconds(device, launch))));
    else {
      const ours = () => turnMilliseconds(launch);
      const request = ["bandwidth-turn", name, sizeOn(device), launchesPerTurn];
      await inTurns(bench, { trial, turns, ours, request, join: median, figure, ratio: "of" });
    }
    const last = trials.at(-1) as Trial;
    if (name === (isGpu ? "copy" : "copy-kernel")) copy = last.ours ?? copy;
    const share = last.ours === undefined ? {} : { "of the copy": last.ours / copy };
    trials[trials.length - 1] = { ...last, detail: { ...share, ...last.detail } };
  }
  releaseMemory();
  if (!isGpu) return;
  for (const { name } of cases) {
    const id = `bandwidth/${name}`;
    await askPeers(bench, id, ["bandwidth", name, sizeOn(device)], (ms) => throughput(device, name, ms));
  }
}

/** Milliseconds of one launch of a turn, whose first one warms up caches, threads and clocks again. */
function turnMilliseconds(launch: () => unknown): number {
  launch();
  const times = Array.from({ length: launchesPerTurn - 1 }, () => {
    const began = performance.now();
    launch();
    return performance.now() - began;
  });
  return median(times);
}

/** The launches of all cases by name: tensors are made once, and every launch writes into one that is there. */
function prepare(device: Device): Readonly<Record<string, () => unknown>> {
  const count = 2 ** sizeOn(device);
  const edge = Math.sqrt(count);
  const [p, q, out] = [jl.rand([count]), jl.rand([count]), jl.empty([count])];
  const [a, b, matrix] = [p.view(edge, edge), q.view(edge, edge), out.view(edge, edge)];
  const [row, column] = [q.narrow(0, 0, edge), q.narrow(0, 0, edge).view(edge, 1)];
  const half = edge / 2;
  const [left, right] = [a.narrow(1, 0, half), b.narrow(1, half, half)];
  const block = out.narrow(0, 0, count / 2).view(edge, half);
  const [evenP, evenQ, packed] = [p.slice("::2"), q.slice("::2"), out.narrow(0, 0, count / 2)];
  const [ph, qh] = [p.to("float16"), q.to("float16")];
  const outHalf = jl.empty([count], { dtype: "float16" });
  const outBool = jl.empty([count], { dtype: "bool" });
  const [m, n] = [jl.randint(1, 2 ** 30, [count]), jl.randint(1, 2 ** 30, [count])];
  const outInt = jl.empty([count], { dtype: "int32" });
  const above1 = p.add(1);
  const larger = p.lt(q);
  const jitted = jl.jit(axpy);
  const chained = jl.jit(chain);
  return {
    copy: () => device.copy(out.pointer, p.pointer, count * 4),
    "copy-kernel": () => out.copy_(p),
    add: () => p.add(q, { out }),
    mul: () => p.mul(q, { out }),
    neg: () => p.neg({ out }),
    sqrt: () => p.sqrt({ out }),
    where: () => jl.where(larger, p, q, { out }),
    jit: () => jitted(p, q, { out }),
    row: () => a.add(row, { out: matrix }),
    column: () => a.add(column, { out: matrix }),
    "jit-column": () => jitted(a, column, { out: matrix }),
    scalar: () => p.add(1.5, { out }),
    mixed: () => ph.add(q, { out }),
    half: () => ph.add(qh, { out: outHalf }),
    compare: () => p.lt(q, { out: outBool }),
    block: () => left.add(right, { out: block }),
    stride2: () => evenP.add(evenQ, { out: packed }),
    transposed: () => a.add(b.T, { out: matrix }),
    chain: () => chained(p, { out }),
    gcd: () => m.gcd(n, { out: outInt }),
    zeta: () => above1.zeta(q, { out }),
    atan2: () => p.atan2(q, { out }),
    hypot: () => p.hypot(q, { out }),
    ...Object.fromEntries(unary.map((name) => [name, () => p[name]({ out })])),
  };
}
