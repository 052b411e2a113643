// What ran of the kernels that may be tuned: enough of a launch to repeat it on other memory, at any time. The first launches of
// a kernel are looked at, so that later ones pay nothing, and described once nobody waits for them.
import { setImmediate } from "node:timers";
import { atInterruption } from "../base/interruption.js";
import { withStore } from "../cache/current-store.js";
import { leastSize, sizeLimit } from "../codegen/choice.js";
import type { ArgumentBlock, Device, LaunchConfig } from "../device/device.js";
import type { Operand } from "../functor/operand.js";
import { reach } from "../geometry/layout.js";
import { isView, type View } from "../geometry/view.js";
import type { LoadRequest } from "./load-request.js";
import { startRecording } from "./recorder.js";
import { type Run, type RunOperand, runText } from "./run.js";
import type { KernelClock, Launch } from "./timings.js";

/** What is looked at of a loaded kernel. */
interface Runnable {
  readonly device: Device;
  readonly block: ArgumentBlock;
  readonly clock: KernelClock;
  readonly request: LoadRequest;
  elementsOf(config: LaunchConfig): number;
}

const pageBytes = 256;
const mostKept = 500;
const kept = new Map<string, Run>();
/** The names of kept runs, of those that are still to be described too. */
const noted = new Set<string>();
let undescribed: (() => void)[] = [];
let collecting: Map<string, Run> | undefined;
atInterruption(() => {
  collecting = undefined;
});

/** Notes a launch of a kernel that has forms, with the arguments in its block: the first of its size. */
export function noteRun(
  kernel: Runnable,
  config: LaunchConfig,
  outputs: readonly View[],
  inputs: readonly Operand[],
): void {
  if (collecting === undefined && !kernel.clock.sampling) return;
  const elements = kernel.elementsOf(config);
  const upTo = sizeLimit(elements);
  // Small launches take the time that a launch takes, whatever is chosen.
  if (collecting === undefined && upTo === leastSize) return;
  const names = collecting ?? noted;
  const { key } = kernel.clock.identity;
  const name = `${kernel.device.id} ${key} ${upTo}`;
  if (names.has(name) || names.size >= mostKept) return;
  const block = kernel.block.bytes.slice();
  const operands = [...outputs, ...inputs.filter(isView)].map(located);
  if (collecting) {
    collecting.set(name, runOf(kernel, elements, block, operands));
    return;
  }
  noted.add(name);
  if (undescribed.length === 0) setImmediate(describe);
  undescribed.push(() => {
    const run = runOf(kernel, elements, block, operands);
    kept.set(name, run);
    if (kernel.request.isChosen) return;
    const { model, target } = kernel.device;
    const make = () => runText(run);
    withStore((store) => store.tuning.note({ kernel: key, model, upTo, kind: target.kind, make }), undefined);
  });
}

/** Describes the noted runs: the first call of a process would take a fifth longer with it. */
function describe(): void {
  const waiting = undescribed;
  undescribed = [];
  for (const one of waiting) one();
}

type Located = Pick<View, "pointer" | "shape" | "strides" | "dtype">;

/** Where an operand is now. */
function located({ pointer, shape, strides, dtype }: View): Located {
  return { pointer, shape, strides, dtype };
}

function runOf(kernel: Runnable, elements: number, block: Run["block"], views: readonly Located[]): Run {
  const regions: { first: number; last: number; dtype: string }[] = [];
  const spans = views.map(({ pointer, shape, strides, dtype }) => {
    const [low, high] = reach(shape, strides);
    return {
      first: pointer + low * dtype.bytes,
      last: pointer + (high + 1) * dtype.bytes,
      dtype: dtype.name,
    };
  });
  // Operands whose memory meets stay beside each other.
  for (const span of [...spans].sort((a, b) => a.first - b.first)) {
    const before = regions.at(-1);
    if (before && span.first < before.last) before.last = Math.max(before.last, span.last);
    else regions.push({ ...span });
  }
  const operands = spans.map(({ first }, i): RunOperand => {
    const region = regions.findLastIndex((one) => one.first <= first);
    return { region, offset: (views[i] as Located).pointer - (regions[region]?.first ?? 0) };
  });
  return {
    device: kernel.device,
    forms: kernel.request.forms ?? [],
    elements,
    block,
    operands,
    regions: regions.map(({ first, last, dtype }) => ({
      bytes: last - first,
      late: first % pageBytes,
      dtype,
    })),
  };
}

/** What ran in this process. */
export function keptRuns(): readonly Run[] {
  describe();
  return [...kept.values()];
}

/** Calls a function; returns its launches, and those that may be tuned with their memory left out. */
export function collectRuns<T>(call: () => T): {
  readonly value: T;
  readonly launches: readonly Launch[];
  readonly runs: readonly Run[];
} {
  const runs = new Map<string, Run>();
  const recording = startRecording();
  collecting = runs;
  // An interrupt skips what follows.
  queueMicrotask(() => {
    if (collecting !== runs) return;
    collecting = undefined;
    recording.stop();
  });
  try {
    const value = call();
    return { value, launches: recording.stop().launches, runs: [...runs.values()] };
  } finally {
    collecting = undefined;
    recording.stop();
  }
}
