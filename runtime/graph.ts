// Graphs: the launches of a function, recorded once and queued again as one. Nothing runs while they are recorded. A graph
// keeps the memory and the code that its launches use, so that a replay is safe whatever became of the tensors since.
import type { ComposedWork, Device } from "./device/device.js";
import { JitlabError } from "./errors.js";
import type { Kernel } from "./kernel.js";
import type { View } from "./view.js";

/** Replays the launches of a recorded function and returns the value that it gave, whose tensors then hold new elements. */
export interface Graph<T> {
  (): T;
  /** How many kernels one replay launches. */
  readonly launches: number;
  /** Frees what the graph keeps; it cannot be replayed any more. */
  dispose(): void;
}

/** What a graph needs of a kernel. */
export type Launchable = Pick<Kernel, "block" | "program" | "clock" | "keep">;

interface Step {
  readonly kernel: Launchable;
  readonly work: number;
  /** The argument block as it was when the launch was recorded. */
  readonly bytes: Uint8Array;
}

/** A graph while its launches are recorded: dispatch hands them in here instead of running them. */
export class GraphRecorder {
  readonly steps: Step[] = [];
  device: Device | undefined;
  readonly #kept = new Set<unknown>();
  readonly #releases: (() => void)[] = [];

  /** Records a launch whose arguments are in the kernel's block. */
  add(kernel: Launchable, device: Device, work: number, views: readonly View[]): void {
    this.device ??= device;
    if (device !== this.device) {
      throw new JitlabError(
        "mixed-devices",
        `graph: the function launches on ${this.device.name} and on ${device.name}.`,
        "Record one graph for each device.",
      );
    }
    this.steps.push({ kernel, work, bytes: kernel.block.bytes.slice() });
    for (const owner of [kernel, ...views]) {
      if (this.#kept.has(owner)) continue;
      this.#kept.add(owner);
      const release = owner.keep?.();
      if (release) this.#releases.push(release);
    }
  }

  /** Lets go of memory and code. */
  release(): void {
    this.#kept.clear();
    for (const release of this.#releases.splice(0)) release();
  }
}

let open: GraphRecorder | undefined;

/** The graph that is being recorded, if one is. */
export function openGraph(): GraphRecorder | undefined {
  return open;
}

/** Throws `graph-recording` where a graph is being recorded, for what needs elements that are not computed yet. */
export function refuseWhileRecording(what: string): void {
  if (!open) return;
  throw new JitlabError(
    "graph-recording",
    `${what} needs elements, but nothing has run while jl.graph records.`,
    "Read the result after a replay: const step = jl.graph(() => ...); step().item().",
  );
}

/**
 * Records the launches of `fn`, which runs once without any of them being done, and returns a function that does them all:
 * one call of the driver on a GPU. Tensors that `fn` reads or writes are read and written at each replay, scalars keep the
 * values that they had, and so do random numbers. Write new inputs with `x.copy_(...)`.
 *
 * @example const step = jl.graph(() => x.mul_(0.9).add_(y)); for (let i = 0; i < 100; i++) step();
 */
export function graph<T>(fn: () => T): Graph<T> {
  if (typeof fn !== "function") {
    throw new JitlabError(
      "bad-argument",
      "graph: what to record is a function.",
      "jl.graph(() => x.add(y)).",
    );
  }
  if (open) {
    throw new JitlabError(
      "graph-recording",
      "graph: another graph is being recorded.",
      "Record one after the other.",
    );
  }
  const recorder = new GraphRecorder();
  open = recorder;
  let value: T;
  try {
    value = fn();
    if (value instanceof Promise) {
      throw new JitlabError(
        "graph-async",
        "graph: the function is asynchronous.",
        "Record a function without await.",
      );
    }
  } catch (error) {
    recorder.release();
    throw error;
  } finally {
    open = undefined;
  }
  return replayer(recorder, value);
}

// The composed work of graphs that were dropped without dispose().
const dropped = new FinalizationRegistry<ComposedWork>((work) => work.release());

function replayer<T>(recorder: GraphRecorder, value: T): Graph<T> {
  const { steps, device } = recorder;
  const queue = () => {
    for (const { kernel, work, bytes } of steps) {
      kernel.block.bytes.set(bytes);
      kernel.program.launch(kernel.block, work);
    }
  };
  let composed = steps.length > 0 ? device?.compose?.(queue) : undefined;
  let disposed = false;
  const replay = (): T => {
    if (disposed) {
      throw new JitlabError(
        "disposed-graph",
        "This graph was disposed of.",
        "Record it again with jl.graph(fn).",
      );
    }
    if (composed) composed.launch();
    else queue();
    for (const { kernel } of steps) kernel.clock.launches++;
    return value;
  };
  const dispose = (): void => {
    if (disposed) return;
    disposed = true;
    dropped.unregister(replay);
    composed?.release();
    composed = undefined;
    recorder.release();
  };
  if (composed) dropped.register(replay, composed, replay);
  return Object.assign(replay, { launches: steps.length, dispose });
}
