// `npm run bench:functions`: every operation of one or two floating numbers beside torch, dtype by dtype and in turns of a few
// launches, so that whatever else the machine does falls on both alike. peer_functions.py makes torch's launches.

import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { type DTypeName, dtypes } from "../runtime/base/dtype.js";
import { median } from "../runtime/base/median.js";
import { releaseMemory } from "../runtime/device/memory.js";
import * as jl from "../runtime/index.js";
import { getDevice } from "../runtime/launch/devices.js";
import { ops } from "../runtime/ops/index.js";
import { type Op, planOf } from "../runtime/ops/op.js";
import { throughputUnit } from "./bandwidth.js";
import { describeMachine } from "./machine.js";
import { Peer } from "./peer-process.js";
import { installedPeers } from "./peers.js";
import { formatRun, type PeerFigure, writeRun } from "./report.js";
import { progress, type Trial } from "./trial.js";

const script = fileURLToPath(new URL("../../bench/peer_functions.py", import.meta.url));
const results = fileURLToPath(new URL("../../bench/results", import.meta.url));

const program = new Command("bench:functions")
  .argument("[names...]", "operations; without one all that torch has")
  .option("--device <name>", "cpu or cuda", "cpu")
  .option("--dtypes <names>", "their floating dtypes, with commas between them")
  .option("--log2 <n>", "log2 of the number of float32 elements; 28 on a GPU, 22 elsewhere")
  .option("--turns <n>", "how often the two take turns", "5")
  .option("--seconds <n>", "after which no further operation is begun", "3600")
  .option("--out <folder>", "where to write the result; one of all operations goes to bench/results");
program.parse();
const options = program.opts<{
  device: string;
  dtypes?: string;
  log2?: string;
  turns: string;
  seconds: string;
  out?: string;
}>();
jl.setDevice(options.device);
const device = getDevice();
const isGpu = device.target.kind === "cuda";
const log2 = Number(options.log2 ?? (isGpu ? 28 : 22));
const launches = isGpu ? 5 : 3;
const chosen = (options.dtypes ?? (isGpu ? "float32,float16,bfloat16,float64" : "float32,float64")).split(
  ",",
) as DTypeName[];
const folder = options.out ?? (program.args.length === 0 ? results : undefined);

/** Torch's names of operations, unless they are ours in snake case. */
const names: Readonly<Record<string, string>> = { rsub: "rsub", angle: "angle", relu6: "relu6" };
const torchName = (name: string): string =>
  names[name] ?? name.replace(/[A-Z0-9]+/g, (part) => (/[A-Z]/.test(part) ? `_${part.toLowerCase()}` : part));

/** Of these torch gives the tensor itself. */
const views = ["conj", "positive", "real"];
const wanted = Object.entries(ops as Record<string, Op>).filter(
  ([name, op]) =>
    op.arity < 3 &&
    !op.operands &&
    !views.includes(name) &&
    (program.args.length === 0 || program.args.includes(name)),
);

const { torch } = await installedPeers(device);
const peer = new Peer("torch", script, [device.target.kind, String(log2), String(launches)]);
if (!(await peer.ready())) throw new Error("python3 has no torch to measure beside.");
// V8 compiles the code of a launch meanwhile, which PyTorch has compiled: it counts where a launch takes 20 us. Other operands
// than those to come would not do, because V8 compiles for what it has seen. A GPU's
// clock does not count that code, so small ones do there.
for (const end = performance.now() + 2000; performance.now() < end; releaseMemory()) {
  for (const dtype of chosen) {
    for (const name of ["add", "neg"] as const) {
      const { call, inputs, out } = prepared(name, ops[name], dtype, isGpu ? 8 : countOf(dtype));
      for (let i = 0; i < 100; i++) call(...inputs, { out });
    }
  }
}
const began = performance.now();
const trials: Trial[] = [];
const figures: PeerFigure[] = [];
for (const dtype of chosen) {
  for (const [name, op] of wanted) {
    if (performance.now() - began > Number(options.seconds) * 1e3) continue;
    if (!("refuse" in planOf(op, dtypes[dtype]))) await measure(name, op, dtype);
  }
}
peer.end();
const run = {
  subject: `functions-${device.target.kind}`,
  machine: { ...describeMachine(device), elements: `2^${log2} of four bytes` },
  peers: { torch: torch ?? "" },
  trials,
  figures,
} as const;
process.stdout.write(formatRun(run));
if (folder !== undefined) progress(`written to ${writeRun(run, folder)}`);

async function measure(name: string, op: Op, dtype: DTypeName): Promise<void> {
  const id = `functions/${name}/${dtype}`;
  const [low, high] = op.domain;
  const line = [torchName(name), dtype, low, high, op.arity].join(" ");
  // Its first launch makes the tensors, or says that torch lacks the operation.
  if (Number.isNaN(await peer.measure(line))) return;
  progress(id);
  const count = countOf(dtype);
  const unit = throughputUnit(device);
  try {
    const { call, inputs, out } = prepared(name, op, dtype, count);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let turn = 0; turn < Number(options.turns); turn++) {
      ours.push(milliseconds(() => call(...inputs, { out })));
      theirs.push(await peer.measure(line));
    }
    const bytes = count * (op.arity * dtypes[dtype].bytes + out.dtype.bytes);
    const rate = (ms: number) => bytes / (ms * (isGpu ? 1e9 : 1e6));
    const [own, other] = [median(ours), median(theirs)];
    figures.push({ peer: "torch", id, value: rate(other) });
    trials.push({
      id,
      title: `${name}, ${dtype}`,
      unit,
      ours: rate(own),
      detail: { "of torch": other / own },
    });
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    trials.push({ id, title: `${name}, ${dtype}`, unit, failure });
  } finally {
    releaseMemory();
  }
}

/** The number of elements of a measured tensor. */
function countOf(dtype: DTypeName): number {
  return Math.floor((2 ** log2 * 4) / Math.max(4, dtypes[dtype].bytes));
}

/** An operation, with operands of its domain and an output. */
function prepared(name: string, { arity, domain: [low, high] }: Op, dtype: DTypeName, count: number) {
  const draw = () =>
    jl
      .rand([count])
      .mul(high - low)
      .add(low)
      .to(dtype);
  const inputs = Array.from({ length: arity }, draw);
  const call = (jl as unknown as Record<string, (...given: unknown[]) => jl.Tensor>)[name];
  if (call === undefined) throw new Error(`There is no function ${name}.`);
  return { call, inputs, out: call(...inputs) };
}

/** Milliseconds of one launch: of several in a row on a GPU, the best of several on a processor. */
function milliseconds(call: () => unknown): number {
  if (isGpu) {
    const start = device.mark();
    for (let i = 0; i < launches; i++) call();
    return device.mark().since(start) / launches;
  }
  const times = Array.from({ length: launches }, () => {
    const start = performance.now();
    call();
    return performance.now() - start;
  });
  return Math.min(...times);
}
