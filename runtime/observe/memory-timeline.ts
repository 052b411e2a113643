// jl.memoryTimeline: the memory of a function's call, and what using, donate and checkpoint save of it, each measured by another call.
import { type CompiledFunction, type CompileOptions, compile } from "../api/compile.js";
import { checkFunction, checkSynchronous } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import { atInterruption } from "../base/interruption.js";
import { collectMemory, liveBytes } from "../device/memory.js";
import { checkpoint } from "../grad/custom.js";
import { gradients } from "../grad/gradients.js";
import { recordings } from "../grad/recorder.js";
import { tensor } from "../tensor/create.js";
import { keepStream } from "../tensor/random.js";
import type { Tensor } from "../tensor/tensor.js";
import { isFloat, mapTree, tensorsIn, tensorsWithin } from "../tensor/tree.js";
import {
  type MemoryTimeline,
  type MemoryTraceOptions,
  type OpenMemoryTrace,
  traceMemory,
} from "./memory-trace.js";
import { refuseInside } from "./observer.js";

/** What one change of the code saves. */
export interface MemorySaving {
  /**
   * `using`: garbage is freed at once; the bytes are the peak. `donate`: the arguments' memory goes to results of the
   * compiled function; the peak. `checkpoint`: what a gradient through the function keeps for its backward pass; not for functions
   * that take derivatives themselves.
   */
  readonly by: "using" | "donate" | "checkpoint";
  /** The bytes without the change, and with it. */
  readonly before: number;
  readonly after: number;
}

/** What {@link memoryTimeline} finds. */
export interface MemoryReport {
  /** A call as it is, with the garbage that it leaves. */
  readonly timeline: MemoryTimeline;
  /** A call whose garbage is freed before each block. */
  readonly live: MemoryTimeline;
  /** Of a compiled function: the peak of its plan, beyond its arguments. */
  readonly plannedBytes: number | undefined;
  /** The changes that save a hundredth of the peak or more, the largest saving first. */
  readonly savings: readonly MemorySaving[];
}

type Fn = (...args: unknown[]) => unknown;

/** A trace that is open, and what is reachable until its end. */
let open: { readonly trace: OpenMemoryTrace; held: readonly unknown[] } | undefined;

atInterruption(close);

/**
 * The memory that a call of a function takes, by line, and what the call would take with `using`, with donated arguments, and in a
 * gradient with `jl.checkpoint`. The function runs several times on copies of the arguments, each time with the same random numbers.
 *
 * @example jl.memoryTimeline((x) => x.add(1), jl.ones([262144])).live.lines.length // 1
 */
export function memoryTimeline<F extends (...args: never[]) => unknown>(
  fn: F,
  ...args: Parameters<F>
): MemoryReport {
  checkFunction("memoryTimeline", "what to run", fn);
  refuseInside("memoryTimeline");
  const once = fn as never as Fn;
  const restore = keepStream();
  const copies = () => {
    restore();
    return mapTree(args, (x) => x.clone(), true) as unknown[];
  };
  // Before a call counts kernels are compiled, and programs are planned.
  const help = "Load data before, and pass it as an argument.";
  const before = recordings();
  checkSynchronous("memoryTimeline", once(...copies()), "bad-argument", help);
  const takesDerivatives = recordings() > before;
  const asOnce = keepStream();
  const plannedBytes = (fn as Partial<CompiledFunction>).program?.()?.peak.program;
  const timeline = traced(once, copies());
  const live = traced(once, copies(), { collect: true });
  const peak = (options: CompileOptions) => {
    const run = compile(once, options);
    run(...copies());
    return taken(traced(run, copies(), { collect: true }));
  };
  const donate = args.flatMap((one, i) => (tensorsIn(one).length > 0 ? [i] : []));
  const savings = [
    { by: "using", before: taken(timeline), after: taken(live) } as const,
    ...measured("donate", () => [peak({}), peak({ donate })]),
    ...measured("checkpoint", () =>
      takesDerivatives ? [0, 0] : [kept(once, copies()), kept(checkpoint(once), copies())],
    ),
  ]
    .filter(({ before, after }) => after < before - leastSaving * taken(live))
    .sort((a, b) => b.before - b.after - (a.before - a.after));
  asOnce();
  return { timeline, live, plannedBytes, savings };
}

// Of the peak.
const leastSaving = 0.01;

function traced(run: Fn, args: unknown[], options?: MemoryTraceOptions): MemoryTimeline {
  collectMemory();
  open = { trace: traceMemory(options), held: args };
  try {
    open.held = [args, run(...args)];
    return open.trace.stop();
  } finally {
    close();
  }
}

function close(): void {
  open?.trace.stop();
  open = undefined;
}

function taken({ startBytes, peakBytes }: MemoryTimeline): number {
  return peakBytes - startBytes;
}

/** What a gradient through a function keeps when its backward pass begins. */
function kept(run: Fn, args: unknown[]): number {
  collectMemory();
  const start = liveBytes();
  let bytes = 0;
  const loss = () => {
    const total = totalOf(run(...args));
    collectMemory();
    bytes = liveBytes() - start;
    return total;
  };
  gradients(loss, args);
  return bytes;
}

function totalOf(value: unknown): Tensor {
  const floats = tensorsWithin(value).filter(isFloat);
  return floats.map((x) => x.sum()).reduce((a, b) => a.add(b), tensor(0));
}

/** Nothing for functions that cannot be compiled or differentiated. */
function measured(by: MemorySaving["by"], run: () => readonly [number, number]): MemorySaving[] {
  try {
    const [before, after] = run();
    return [{ by, before, after }];
  } catch (error) {
    if (error instanceof JitlabError) return [];
    throw error;
  }
}
