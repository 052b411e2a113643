// Graphs: the launches of a function, recorded once and queued again as one. Nothing runs while they are recorded. A graph
// keeps the memory and the code that its launches use, so that a replay is safe even after its tensors are gone.

import { isRevoked, JitlabError } from "../base/errors.js";
import { atInterruption } from "../base/interruption.js";
import type { ComposedWork, Device } from "../device/device.js";
import type { LaunchConfig } from "../device/loaded-code.js";
import type { Storage } from "../device/storage.js";
import type { View } from "../geometry/view.js";
import { isRecording, type Launchable, timedLaunch, timedReplay } from "./launch-recorder.js";
import { atOnce, isBatched, isDifferentiated } from "./sink.js";

/** Replays the launches of a recorded function and returns its value, whose tensors then hold new elements. */
export interface Graph<T> {
  (): T;
  /** How many kernels one replay launches. */
  readonly launches: number;
  /** Frees the memory and code of the graph, which then cannot be replayed. */
  dispose(): void;
}

/** A kernel that a graph keeps loaded. */
interface Owned extends Launchable {
  keep(): () => void;
}

interface Step {
  readonly kernel: Owned;
  readonly config: LaunchConfig;
  /** The argument block at the time of recording. */
  readonly block: Uint8Array;
  /** Bytes that it reads and writes. */
  readonly bytes: number;
}

/** A graph during recording: it receives launches instead of the device. */
export class GraphRecorder {
  readonly steps: Step[] = [];
  /** What the launches write. */
  readonly written = new Set<Storage>();
  readonly #kept = new Set<unknown>();
  readonly #releases: (() => void)[] = [];

  /** Records a launch whose arguments are in the kernel's block. */
  add(
    kernel: Owned,
    config: LaunchConfig,
    outputs: readonly View[],
    inputs: readonly View[],
    bytes: number,
  ): void {
    this.steps.push({
      kernel,
      config: { ...config, grid: [...config.grid] },
      block: kernel.block.bytes.slice(),
      bytes,
    });
    for (const { storage } of outputs) if (storage) this.written.add(storage);
    for (const owner of [kernel, ...[...outputs, ...inputs].map(({ storage }) => storage)]) {
      if (owner === undefined || this.#kept.has(owner)) continue;
      this.#kept.add(owner);
      this.#releases.push(owner.keep());
    }
  }

  /** Releases memory and code. */
  release(): void {
    this.#kept.clear();
    for (const release of this.#releases.splice(0)) release();
  }
}

let open: GraphRecorder | undefined;
atInterruption(() => {
  open?.release();
  open = undefined;
});

/** The graph that is being recorded, if one is. */
export function openGraph(): GraphRecorder | undefined {
  return open;
}

/** Runs launches at once, even while a graph is being recorded. */
export function unrecorded<T>(run: () => T): T {
  const before = open;
  open = undefined;
  try {
    return run();
  } finally {
    open = before;
  }
}

/** Runs the launches that compute elements, whatever is open. */
export function computing<R>(run: () => R): R {
  return atOnce(() => unrecorded(run));
}

/** Throws `graph-recording` while a graph is being recorded, for operations that need computed elements. */
export function refuseWhileRecording(what: string): void {
  if (!open) return;
  throw new JitlabError(
    "graph-recording",
    `${what} needs elements, but nothing has run while jl.graph records.`,
    "Read the result after a replay: const step = jl.graph(() => ...); step().item().",
  );
}

/** Launches that a graph repeats have no derivative, and what they write would count as unchanged. */
function refuseInDerivative(): void {
  if (isBatched()) {
    throw new JitlabError(
      "bad-vmap",
      "graph: a function that runs for all lanes of vmap can neither record nor replay a graph.",
      "Record the whole: jl.graph(() => jl.vmap(f)(x)).",
    );
  }
  if (!isDifferentiated()) return;
  throw new JitlabError(
    "no-derivative",
    "graph: a function that is differentiated can neither record nor replay a graph.",
    "Compile it instead: jl.compile(jl.valueAndGrad(f)).",
  );
}

/**
 * Runs `fn` once, recording its launches instead of running them, and returns a function that replays them: one call of the
 * driver on a GPU. Each replay reads and writes the same tensors as `fn`; scalars and random numbers keep their recorded
 * values. Write new inputs with `x.copy_(...)`.
 *
 * @example jl.graph(() => jl.ones([2]).add(1))().toArray() // [2, 2]
 */
export function graph<T>(fn: () => T): Graph<T> {
  if (typeof fn !== "function" || isRevoked(fn)) {
    throw new JitlabError(
      "bad-argument",
      "graph: the argument is not a function.",
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
  refuseInDerivative();
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

// Frees the device's graph objects of graphs that became unreachable without dispose().
const dropped = new FinalizationRegistry<ComposedWork>((work) => work.release());

/** Steps that are queued as one: on one device, or a single one that spans several. */
interface Part {
  readonly steps: readonly Step[];
  /** Undefined where the device has no such work. */
  readonly work: ComposedWork | undefined;
}

/** Steps by device, between those that span several devices. */
function partsOf(steps: readonly Step[]): readonly Step[][] {
  const parts: Step[][] = [];
  const open = new Map<Device, Step[]>();
  for (const step of steps) {
    const { device, code } = step.kernel;
    const own = code.spansDevices ? undefined : open.get(device);
    if (own) {
      own.push(step);
      continue;
    }
    const part = [step];
    parts.push(part);
    if (code.spansDevices) open.clear();
    else open.set(device, part);
  }
  return parts;
}

function each(steps: readonly Step[], run: (step: Step) => void): void {
  for (const step of steps) {
    step.kernel.block.bytes.set(step.block);
    run(step);
  }
}

function queue(steps: readonly Step[]): void {
  each(steps, ({ kernel, config }) => kernel.code.launch(kernel.block, config));
}

function replayer<T>(recorder: GraphRecorder, value: T): Graph<T> {
  const { steps, written } = recorder;
  let parts = partsOf(steps).map((own): Part => {
    const [{ kernel }] = own as [Step];
    return {
      steps: own,
      work: kernel.code.spansDevices ? undefined : kernel.device.compose?.(() => queue(own)),
    };
  });
  let disposed = false;
  const replay = (): T => {
    if (disposed) {
      throw new JitlabError(
        "disposed-graph",
        "This graph was disposed of.",
        "Record it again with jl.graph(fn).",
      );
    }
    refuseInDerivative();
    for (const storage of written) storage.writing();
    if (isRecording()) {
      for (const { steps, work } of parts) {
        if (!work || !timedReplay(steps, work))
          each(steps, ({ kernel, config, bytes }) => timedLaunch(kernel, config, undefined, bytes));
      }
      return value;
    }
    for (let i = 0; i < parts.length; i++) {
      const { steps, work } = parts[i] as Part;
      if (work) work.launch();
      else queue(steps);
    }
    for (const { kernel } of steps) kernel.clock.launches++;
    return value;
  };
  const dispose = (): void => {
    if (disposed) return;
    disposed = true;
    dropped.unregister(replay);
    for (const { work } of parts) work?.release();
    parts = [];
    recorder.release();
  };
  for (const { work } of parts) if (work) dropped.register(replay, work, replay);
  return Object.assign(replay, { launches: steps.length, dispose });
}
