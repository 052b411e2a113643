// Every operation of one or two floating-point operands beside torch, dtype by dtype and in turns of a few launches.
import { type DTypeName, dtypes } from "../runtime/base/dtype.js";
import { median } from "../runtime/base/units.js";
import type { Device } from "../runtime/device/device.js";
import { releaseMemory } from "../runtime/device/memory.js";
import * as jl from "../runtime/index.js";
import { ops } from "../runtime/ops/index.js";
import { type Op, planOf } from "../runtime/ops/op.js";
import { throughputUnit } from "./bandwidth.js";
import { type Bench, inTurns, markedMilliseconds } from "./trial.js";

/** PyTorch's name of an operation: ours in snake case. */
const torchName = (name: string): string =>
  name === "relu6"
    ? name
    : name.replace(/[A-Z0-9]+/g, (part) => (/[A-Z]/.test(part) ? `_${part.toLowerCase()}` : part));

/** Of these PyTorch gives the tensor itself. */
const views = ["conj", "positive", "real"];

/** The chosen operations, or all, in each dtype that they take. */
export async function functions(bench: Bench): Promise<void> {
  const { isGpu, options } = bench;
  const log2 = options.log2 ?? (isGpu ? 28 : 22);
  const chosen = (options.dtypes ??
    (isGpu ? ["float32", "float16", "bfloat16", "float64"] : ["float32", "float64"])) as DTypeName[];
  const wanted = Object.entries(ops as Record<string, Op>).filter(
    ([name, op]) =>
      op.arity < 3 &&
      !op.operands &&
      !views.includes(name) &&
      (options.names.length === 0 || options.names.includes(name)),
  );
  warmUp(chosen, isGpu, log2);
  for (const dtype of chosen) {
    for (const [name, op] of wanted) {
      if ("refuse" in planOf(op, dtypes[dtype])) continue;
      await measure(bench, name, op, dtype, log2);
      releaseMemory();
    }
  }
}

/**
 * V8 compiles the code of a launch, which PyTorch has compiled: it counts where a launch takes 20 us. Other operands than those to
 * come would not do, because V8 compiles for what it has seen. A GPU's clock does not count that code, so small ones do there.
 */
function warmUp(chosen: readonly DTypeName[], isGpu: boolean, log2: number): void {
  for (const end = performance.now() + 2000; performance.now() < end; releaseMemory()) {
    for (const dtype of chosen) {
      for (const name of ["add", "neg"] as const) {
        const { call, inputs, out } = prepared(name, ops[name], dtype, isGpu ? 8 : countOf(dtype, log2));
        for (let i = 0; i < 100; i++) call(...inputs, { out });
      }
    }
  }
}

async function measure(bench: Bench, name: string, op: Op, dtype: DTypeName, log2: number): Promise<void> {
  const { device, isGpu } = bench;
  const launches = isGpu ? 5 : 3;
  const [low, high] = op.domain;
  const request = ["functions", torchName(name), dtype, low, high, op.arity, log2, launches];
  // Its first launch makes the tensors, or says that PyTorch lacks the operation.
  for (const peer of bench.peers) if ((await peer.ask(...request)).value === undefined) return;
  const count = countOf(dtype, log2);
  let launch: (() => unknown) | undefined;
  let bytes = 0;
  await inTurns(bench, {
    trial: { id: `functions/${name}/${dtype}`, title: `${name}, ${dtype}`, unit: throughputUnit(device) },
    turns: bench.options.turns ?? 5,
    ours: () => {
      if (launch === undefined) {
        const { call, inputs, out } = prepared(name, op, dtype, count);
        launch = () => call(...inputs, { out });
        bytes = count * (op.arity * dtypes[dtype].bytes + out.dtype.bytes);
      }
      return milliseconds(device, launch, launches);
    },
    request,
    join: median,
    figure: (ms) => bytes / (ms * (isGpu ? 1e9 : 1e6)),
    ratio: "of",
  });
}

/** The number of elements of a measured tensor. */
function countOf(dtype: DTypeName, log2: number): number {
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
function milliseconds(device: Device, launch: () => unknown, launches: number): number {
  if (device.target.kind === "cuda") return markedMilliseconds(device, launch, launches);
  const times = Array.from({ length: launches }, () => {
    const start = performance.now();
    launch();
    return performance.now() - start;
  });
  return Math.min(...times);
}
