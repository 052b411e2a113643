// jl.compile: a function of tensors whose operations are deferred while it runs and computed in few kernels at its end.

import { types } from "node:util";
import { checkFunction, optionsOf } from "../base/arguments.js";
import { JitlabError, show } from "../base/errors.js";
import { atInterruption } from "../base/interruption.js";
import { donateTo } from "../device/donated.js";
import type { Storage } from "../device/storage.js";
import { openGraph } from "../launch/graph.js";
import type { KernelRequest } from "../launch/obtain.js";
import {
  atOnce,
  beneathCasts,
  isBatched,
  isDeferred,
  isDifferentiated,
  openCasts,
  openObserver,
  openSink,
  passesTape,
  type Sink,
  sendTo,
  undeferred,
} from "../launch/sink.js";
import type { ResultClass } from "../program/operations/slot.js";
import { Collector } from "../program/schedule/collect.js";
import { describe, type Program } from "../program/schedule/description.js";
import type { Backend, PlanOptions } from "../program/schedule/options.js";
import { hasOtherNumbers } from "../program/schedule/run.js";
import { callSite } from "../program/tape/call-site.js";
import { giveBack } from "../program/tape/earlier-values.js";
import { ExplainedBreak } from "../program/tape/evaluations.js";
import { openTape } from "../program/tape/open-tape.js";
import { type CompileReport, Programs } from "../program/tape/programs.js";
import { Tape } from "../program/tape/tape.js";
import { verifiesAll } from "../program/tape/verification.js";
import { keepStream } from "../tensor/random.js";
import { Tensor } from "../tensor/tensor.js";
import { tensorsWithin } from "../tensor/tree.js";
import { HostTime } from "./host-time.js";
import { Replays, type Watch } from "./replay.js";

/** Options of compile. */
export interface CompileOptions {
  /** The name in messages and reports; default: the function's own, or where it was compiled. */
  readonly name?: string;
  /** True: reading elements before the function ends is the error `graph-break`. */
  readonly fullGraph?: boolean;
  /** `fused` (the default): in few kernels; `steps`: deferred, one kernel per operation; `eager`: not deferred. */
  readonly backend?: Backend;
  /** False: intermediate results inside a kernel are not rounded to half types, and a*b + c may be rounded once. */
  readonly exact?: boolean;
  /** The positions of arguments whose memory goes to results: their tensors cannot be used after the call. */
  readonly donate?: readonly number[];
  /**
   * True: the function does the same whenever its arguments are equal, so that most calls need not run it. Some run it and
   * compare; a difference is the error `replay-diverged`.
   */
  readonly replay?: boolean;
  /**
   * True: each operation also runs as a separate call, and a result with other bits is the error `not-equal`. Calls take the time
   * and memory of both, and are not replayed.
   */
  readonly verify?: boolean;
}

/** The methods of a compiled function. */
export interface CompiledFunction {
  /** Calls, programs with their operations and kernels, misses and breaks as text. */
  report(): CompileReport;
  /** The last call: operations, kernels, traffic, memory; undefined before the first call. */
  program(): Program | undefined;
}

const backends: readonly Backend[] = ["fused", "steps", "eager"];

/**
 * A function of fn's type that computes the same in fewer kernels, bit for bit. fn runs at every call; its operations are
 * deferred until it ends, or until elements are read.
 *
 * @example jl.compile((x) => x.mul(2).add(1))(jl.arange(3)).toArray() // [1, 3, 5]
 */
// biome-ignore lint/suspicious/noExplicitAny: a function of any arguments
export function compile<F extends (...args: any[]) => unknown>(
  fn: F,
  given?: CompileOptions,
): F & CompiledFunction {
  checkFunction("compile", "what to compile", fn);
  const options = optionsOf("compile", given, [
    "name",
    "fullGraph",
    "backend",
    "exact",
    "donate",
    "replay",
    "verify",
  ]);
  const { name = fn.name || placeName(), fullGraph = false, backend = "fused", exact = true } = options;
  const donate = checkedPositions(options.donate ?? []);
  if (!backends.includes(backend)) {
    throw new JitlabError(
      "bad-argument",
      `compile: the backend ${show(backend)} is unknown.`,
      `Use one of ${backends.map((one) => `"${one}"`).join(", ")}.`,
    );
  }
  const { verify = false } = options;
  if (verify && !exact) {
    throw new JitlabError(
      "bad-argument",
      "compile: verify compares bits, which exact: false does not keep.",
      "Leave out one of the two.",
    );
  }
  const programs = new Programs(name, backend, fullGraph, exact, true, donate, verify);
  const time = new HostTime();
  const replays = options.replay ? new Replays(programs) : undefined;
  const run = (body: Body, self: unknown, args: unknown[], casts: string | undefined): unknown => {
    // Inside another compiled function the outer tape records the operations, and in a differentiated one what keeps their
    // derivatives; jl.eager there runs them, and a graph records launches directly.
    const outer = openSink();
    programs.calls++;
    if (isWithin(outer) || backend === "eager" || passesTape() || openGraph()) {
      const result = body.apply(self, args);
      for (const storage of donated(programs, args, result)) donateTo(name, storage);
      return result;
    }
    if (replays !== undefined && !verify && !verifiesAll()) return replayed(replays, body, self, args, casts);
    const timed = options.replay || time.isKnown ? undefined : time;
    return onTape(new Tape(programs, outer), body, self, args, undefined, timed);
  };
  const compiled = function (this: unknown, ...args: unknown[]): unknown {
    const casts = openCasts();
    if (casts === undefined) return run(fn as Body, this, args, undefined);
    return casts.beneath(() => run(casts.around(fn as Body), this, args, casts.dtype));
  };
  Object.defineProperty(compiled, "name", { value: name });
  bodies.set(compiled, { fn, name, backend, exact });
  return Object.assign(compiled as unknown as F, {
    report: () => {
      const advice = time.advice(donate);
      return { ...programs.report(), ...(advice === undefined ? {} : { advice }) };
    },
    program: () => programs.last(),
  });
}

/** True if the operations of a function join those of another one, or are seen one by one. */
function isWithin(outer: Sink | undefined): boolean {
  return (
    isDeferred(outer) || isDifferentiated(outer) || isBatched(outer) || openObserver(outer) !== undefined
  );
}

/** The name of a function without a name: `compiled at train.ts:14:20`. */
function placeName(): string {
  const place = callSite();
  return place === "" ? "compiled" : `compiled at ${place}`;
}

/** The bodies of compiled functions. */
const bodies = new WeakMap<object, PlanOptions & { fn: (...args: never[]) => unknown; name: string }>();

/** The kernels that a call of a compiled function would launch, and where they stop if before its end. */
export interface CompiledKernels {
  readonly kernels: readonly KernelRequest[];
  readonly note: string | undefined;
}

// Undoes the writes and draws of the explained function.
let explained: (() => void) | undefined;
atInterruption(() => {
  explained?.();
  explained = undefined;
});

/**
 * The kernels of a call of a compiled function; undefined for any other value. The function runs without launches; its
 * writes and random draws are undone. It stops where it reads elements.
 */
export function kernelsOfCompiled(fn: unknown, args: readonly unknown[]): CompiledKernels | undefined {
  const body = typeof fn === "function" ? bodies.get(fn) : undefined;
  if (body === undefined) return undefined;
  const kernels: KernelRequest[] = [];
  let note: string | undefined;
  const programs = new Programs(
    body.name,
    body.backend === "eager" ? "steps" : body.backend,
    false,
    body.exact,
  );
  const tape = new Tape(programs, new Collector(openSink()), ({ slot }, requests) => {
    kernels.push(...requests);
    const where = slot.place === "" ? "" : ` of ${slot.place}`;
    note = `${body.name} reads elements of a result of ${slot.name}${where}: later operations depend on them.`;
  });
  const restore = keepStream();
  const undo = () => {
    if (tape.written) giveBack(tape.written);
    restore();
  };
  explained = undo;
  const before = sendTo(tape);
  try {
    const result = body.fn(...(args as never[]));
    sendTo(before);
    kernels.push(...tape.requests(storagesIn(result)));
  } catch (error) {
    if (!(error instanceof ExplainedBreak)) throw error;
  } finally {
    sendTo(before);
    undo();
    explained = undefined;
  }
  return { kernels, note };
}

/** A program that defers operations; see {@link openProgram}. */
export interface OpenProgram {
  /** Stops deferring, computes the tensors in `results` and all writes, and returns the plans that ran. */
  compute(results: unknown): Program;
}

/**
 * Defers the operations of the running job from here on, for code that is not a function, such as a cell. `exact` is the
 * option of {@link compile}.
 */
export function openProgram(name: string, exact = true): OpenProgram {
  const programs = new Programs(name, "fused", false, exact);
  // What sees all operations sees none of a program.
  const outer = openSink();
  const tape = new Tape(programs, outer === openObserver() ? undefined : outer);
  openTape(tape);
  return {
    compute(results) {
      sendTo(outer);
      tape.finish(storagesIn(results));
      return programs.last() as Program;
    },
  };
}

/** An operation of {@link watchOperations}. */
export interface WatchedOperation {
  /** With dtypes and shapes: `add(float32[3,4], float32[4])`. */
  readonly text: string;
  /** Its source position; empty if unknown. */
  readonly place: string;
  readonly results: readonly Tensor[];
}

/** Runs a function as a verified program, and calls `seen` with the separate call of each operation. */
export function watchOperations<T>(fn: () => T, seen: (operation: WatchedOperation) => void): T {
  checkFunction("watchOperations", "what to run", fn);
  checkFunction("watchOperations", "what to call with each operation", seen);
  const programs = new Programs("watched", "steps", false, true, false, [], true, (slot, made) => {
    const results = made.map((memory, i) => {
      const { dtype, offset, shape, strides } = (slot.results[i] as ResultClass).window;
      return new Tensor(memory, offset * dtype.bytes, shape, strides, dtype);
    });
    seen({ text: describe(slot, String), place: slot.place, results });
  });
  const run = () => onTape(new Tape(programs, openSink()), fn, undefined, []) as T;
  return openSink() === openObserver() ? atOnce(run) : run();
}

/**
 * Runs a part of a compiled function without deferral.
 *
 * @example jl.eager(() => jl.ones([2]).add(1)).toArray() // [2, 2]
 */
export function eager<T>(fn: () => T): T {
  checkFunction("eager", "what to run", fn);
  return beneathCasts(fn, undeferred) as T;
}

function checkedPositions(positions: unknown): readonly number[] {
  if (Array.isArray(positions) && positions.every((at) => Number.isSafeInteger(at) && at >= 0))
    return positions;
  throw new JitlabError(
    "bad-argument",
    `compile: donate cannot be ${show(positions)}.`,
    "List the positions of the arguments to donate, for example donate: [0].",
  );
}

function replayed(
  replays: Replays,
  fn: Body,
  self: unknown,
  args: unknown[],
  casts: string | undefined,
): unknown {
  const { programs } = replays;
  const run = (watch?: Watch) => onTape(new Tape(programs, openSink()), fn, self, args, watch);
  return replays.call([self, casts, ...args], (result) => donated(programs, args, result), run);
}

/** The storages of donated arguments, without those of the result. An async function may still read its arguments. */
function donated({ donate }: Programs, args: readonly unknown[], result: unknown): Storage[] {
  if (donate.length === 0 || types.isPromise(result)) return [];
  const storages = new Set(storagesIn(donate.map((at) => args[at])));
  for (const storage of storagesIn(result)) storages.delete(storage);
  return [...storages];
}

function onTape(
  tape: Tape,
  fn: Body,
  self: unknown,
  args: unknown[],
  watch?: Watch,
  time?: HostTime,
): unknown {
  const began = time && performance.now();
  const { hits } = tape.programs;
  openTape(tape);
  let result: unknown;
  try {
    result = fn.apply(self, args);
  } catch (error) {
    sendTo(tape.outer);
    tape.finish([]);
    throw error;
  }
  sendTo(tape.outer);
  watch?.(tape, result);
  const ended = began && performance.now();
  tape.finish(storagesIn(result), donated(tape.programs, args, result));
  const only = time && tape.only;
  if (only && began && ended && tape.programs.hits > hits)
    time.add(ended - began, performance.now() - ended, hasOtherNumbers(only.plan), args, result);
  return result;
}

type Body = (...args: unknown[]) => unknown;

function storagesIn(result: unknown): Storage[] {
  return tensorsWithin(result).map(({ storage }) => storage);
}
