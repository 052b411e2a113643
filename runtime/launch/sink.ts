// The seam between operations and the device. Operations and the memory of new tensors go to the open sink; without one, operations run
// at once. A sink that defers returns ordinary tensors whose storage is pending. What code must know of the open sinks it asks
// with a function over their chain, so that any sink may stand between two others.

import type { DTypeName } from "../base/dtype.js";
import { atInterruption } from "../base/interruption.js";
import type { Device } from "../device/device.js";
import { allocate } from "../device/memory.js";
import type { Storage } from "../device/storage.js";
import type { View } from "../geometry/view.js";
import type { ListedKernel, MakeOutput } from "./calls.js";
import type { LaunchOperation, Operation } from "./operation.js";

/** The receiver of operations. */
export interface Sink {
  /**
   * What it is to the functions over the chain: a `tape` defers operations, a `recorder` keeps what their derivatives need, a `list`
   * keeps kernels of operations that never run, `lanes` passes on operations for all lanes, `casts` is a {@link Casts}, and `observer` an
   * {@link Observer}. Other names mean nothing to them.
   */
  readonly name: string;
  /** The sink beneath, which receives what this one passes on. */
  readonly outer: Sink | undefined;
  /** Takes an operation: returns its results, fresh or given ones. Undefined: it runs at once, past all sinks. */
  take<V extends View>(operation: Operation, make: MakeOutput<V>): readonly V[] | undefined;
  /** Uninitialized memory for a tensor that is written next. */
  storage(device: Device, bytes: number): Storage;
}

/** Gives functions of the library operands in another dtype. It is above all other sinks: those that are opened later go beneath it. */
export interface Casts extends Sink {
  /** The name of the dtype of products. */
  readonly dtype: DTypeName;
  /** Calls a function, known by its name, on operands in its dtype; the sink beneath is open meanwhile. */
  call<A extends readonly unknown[], R>(name: string, fn: (...args: A) => R, args: A): R;
  /** Runs operations on the sink beneath. */
  beneath<R>(run: () => R): R;
  /** The same function, whose operands are cast above the sink that is open when it is called. */
  around<F extends (...args: never[]) => unknown>(fn: F): F;
}

/** Sees each operation and its elements, so that nothing above it is deferred or replayed. */
export interface Observer extends Sink {
  readonly name: "observer";
  /** True: the operations of a derivative are separate, not one kernel. */
  readonly isSeparate: boolean;
  /** What is done later for an operation that it sees now, such as its derivative. */
  belonging<A extends unknown[]>(name: string, run: (...args: A) => void): (...args: A) => void;
  /** Runs the parts of an operation, which have its name. */
  composing<R>(name: string, run: () => R): R;
}

// What sees the operations of all code, beneath other sinks.
let base: Observer | undefined;
let open: Sink | undefined;
// Whether code runs that passes the open tapes.
let passes = false;
// The innermost function whose results count as constants.
let region: object | undefined;
atInterruption(() => {
  open = base;
  passes = false;
  region = undefined;
});

/** The open sink; undefined while operations run at once. */
export function openSink(): Sink | undefined {
  return open;
}

/** Opens a sink, or sends operations to the device again; returns the previous sink. */
export function sendTo(sink: Sink | undefined): Sink | undefined {
  const before = open;
  open = sink;
  return before;
}

/** Runs operations with this sink open, or on the device without one. */
export function sendingTo<A extends unknown[], R>(
  sink: Sink | undefined,
  run: (...args: A) => R,
  ...args: A
): R {
  const before = sendTo(sink);
  try {
    return run(...args);
  } finally {
    sendTo(before);
  }
}

/** Runs operations on the device, whatever is open: those that no sink may take, such as a kept table or a search by the host. */
export function atOnce<A extends unknown[], R>(run: (...args: A) => R, ...args: A): R {
  return sendingTo(undefined, run, ...args);
}

/** Closes all sinks that a job left open. */
export function closeSinks(): void {
  open = base;
}

/** Sets what sees the operations of all code from now on; returns what did before. */
export function observeAll(observer: Observer | undefined): Observer | undefined {
  const before = base;
  if (open === before) open = observer;
  base = observer;
  return before;
}

/** Makes launches, which the open sink may note, or list instead; returns what they have written. */
export function launching(operation: LaunchOperation): readonly View[] {
  return open?.take(operation, noOutput) ?? atOnce(operation.run);
}

function noOutput(): never {
  throw new Error("A launch names its outputs.");
}

/** True if the open sink lists the kernel of a launch, which then is not made. */
export function lists(name: string, kernel: () => ListedKernel): boolean {
  if (open === undefined || !isListed()) return false;
  const operation = { kind: "launch", name, inputs: none, out: none, kernel, run: () => none } as const;
  return open.take(operation, noOutput) !== undefined;
}

const none: readonly never[] = [];

/** Uninitialized memory for a new tensor. */
export function newStorage(device: Device, bytes: number): Storage {
  return open === undefined ? allocate(device, bytes) : open.storage(device, bytes);
}

/** True if derivatives of what a sink receives may be asked for. */
export function isDifferentiated(sink: Sink | undefined = open): boolean {
  for (let one = sink; one !== undefined; one = one.outer) if (one.name === "recorder") return true;
  return false;
}

/** True if a tape defers what a sink receives. */
export function isDeferred(sink: Sink | undefined = open): boolean {
  for (let one = sink; one !== undefined && one.name !== "list"; one = one.outer)
    if (one.name === "tape") return true;
  return false;
}

/** True if what a sink receives is run for all lanes of a batch. */
export function isBatched(sink: Sink | undefined = open): boolean {
  for (let one = sink; one !== undefined; one = one.outer) if (one.name === "lanes") return true;
  return false;
}

/** The innermost of what sees a sink's operations. */
export function openObserver(sink: Sink | undefined = open): Observer | undefined {
  for (let one = sink; one !== undefined; one = one.outer)
    if (one.name === "observer") return one as Observer;
  return undefined;
}

/** Runs the parts of an operation, which an observer sees under its name. */
export function composing<R>(name: string, run: () => R): R {
  const observer = openObserver();
  return observer ? observer.composing(name, run) : run();
}

/** What is done later for an operation, so that an observer knows for which. */
export function belonging<A extends unknown[]>(name: string, run: (...args: A) => void): typeof run {
  return openObserver()?.belonging(name, run) ?? run;
}

/** True where launches only list their kernels: then there are no elements. */
export function isListed(): boolean {
  return open?.name === "list";
}

/** True if a sink takes operations, apart from casts of their operands. */
export function isTaken(): boolean {
  return (open?.name === "casts" ? open.outer : open) !== undefined;
}

/**
 * The result of `run`; or, where derivatives may be asked for, of `composed`: the same elements by operations whose derivatives are
 * those that the function has.
 */
export function differentiable<R>(run: () => R, composed: () => R): R {
  return isDifferentiated() ? composed() : run();
}

/** True in code that passes the open tapes. No other tape is opened there: the passed one goes on after it, and numbers its operations. */
export function passesTape(): boolean {
  return passes;
}

/** The sink to which one above it passes operations: in code that passes tapes, the first one that is none. */
export function passedTo(sink: Sink | undefined): Sink | undefined {
  let beneath = sink;
  if (passes) while (beneath?.name === "tape") beneath = beneath.outer;
  return beneath;
}

/** Runs a function whose operations pass the open tapes: they run on the device at once, or are listed where nothing runs. */
export function undeferred<A extends unknown[], T>(run: (...args: A) => T, ...args: A): T {
  const passed = passes;
  let beneath = open;
  while (beneath?.name === "tape") beneath = beneath.outer;
  try {
    passes ||= isDeferred();
    return sendingTo(beneath, run, ...args);
  } finally {
    passes = passed;
  }
}

/** Runs operations whose results count as constants where they are differentiated. */
export function constant<T>(run: () => T): T {
  const before = region;
  region = {};
  try {
    return run();
  } finally {
    region = before;
  }
}

/** The innermost running {@link constant}: what was opened in another one sees constants. */
export function constantRegion(): object | undefined {
  return region;
}

/** What casts the operands of functions now. */
export function openCasts(): Casts | undefined {
  return open?.name === "casts" ? (open as Casts) : undefined;
}

/** Opens another sink for a function, beneath the one that casts operands: the function gets to cast them itself. */
export function beneathCasts<F extends (...args: never[]) => unknown, R>(fn: F, run: (fn: F) => R): R {
  const casts = openCasts();
  return casts === undefined ? run(fn) : casts.beneath(() => run(casts.around(fn)));
}
