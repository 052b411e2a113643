// jl.compile: a function of tensors whose operations are deferred while it runs and computed in few kernels at its end.

import { types } from "node:util";
import { checkFunction, optionsOf } from "../base/arguments.js";
import { JitlabError, show } from "../base/errors.js";
import type { Storage } from "../device/storage.js";
import { isView } from "../geometry/view.js";
import { openGraph } from "../launch/graph.js";
import type { KernelRequest } from "../launch/obtain.js";
import { openSink, sendTo } from "../launch/sink.js";
import { callSite } from "../program/call-site.js";
import { Collector } from "../program/collector.js";
import type { Program } from "../program/description.js";
import type { Backend, Manner } from "../program/plan.js";
import { type CompileReport, Programs } from "../program/programs.js";
import { ExplainedBreak, Tape, undeferred } from "../program/tape.js";

import { keepStream } from "../tensor/random.js";

/** How a function is compiled. */
export interface CompileOptions {
  /** The name in messages and reports; default: the function's own, or where it was compiled. */
  readonly name?: string;
  /** True: a look at elements before the function ends is the error `graph-break`. */
  readonly fullGraph?: boolean;
  /** `fused` (the default): in few kernels; `steps`: deferred, one kernel for each operation; `eager`: as it is. */
  readonly backend?: Backend;
  /** False: what stays inside a kernel is not rounded to half types, and a*b + c may be rounded once. */
  readonly exact?: boolean;
}

/** What a compiled function has beside its call. */
export interface CompiledFunction {
  /** Calls, programs with their operations and kernels, misses and breaks in words. */
  report(): CompileReport;
  /** What the last call ran: operations, kernels, traffic, memory; undefined before the first one. */
  program(): Program | undefined;
}

const backends: readonly Backend[] = ["fused", "steps", "eager"];

/**
 * A function of fn's own type that computes the same in fewer kernels, bit for bit. fn runs at every call; its operations
 * are deferred until it ends, or until somebody looks at elements.
 *
 * @example jl.compile((x) => x.mul(2).add(1))(jl.arange(3)).toArray() // [1, 3, 5]
 */
// biome-ignore lint/suspicious/noExplicitAny: a function of any arguments
export function compile<F extends (...args: any[]) => unknown>(
  fn: F,
  given?: CompileOptions,
): F & CompiledFunction {
  checkFunction("compile", "what to compile", fn);
  const options = optionsOf("compile", given);
  const { name = fn.name || placeName(), fullGraph = false, backend = "fused", exact = true } = options;
  if (!backends.includes(backend)) {
    throw new JitlabError(
      "bad-argument",
      `compile: the backend ${show(backend)} is unknown.`,
      `Use one of ${backends.map((one) => `"${one}"`).join(", ")}.`,
    );
  }
  const programs = new Programs(name, backend, fullGraph, exact);
  const compiled = function (this: unknown, ...args: unknown[]): unknown {
    // Inside another compiled function the outer tape takes the operations; a graph records launches as they come.
    const outer = openSink();
    programs.calls++;
    if (backend === "eager" || outer instanceof Tape || openGraph()) return fn.apply(this, args);
    return onTape(new Tape(programs, outer), () => fn.apply(this, args));
  };
  Object.defineProperty(compiled, "name", { value: name });
  bodies.set(compiled, { fn, name, backend, exact });
  return Object.assign(compiled as unknown as F, {
    report: () => programs.report(),
    program: () => programs.last(),
  });
}

/** What a function without a name is called: `compiled at train.ts:14:20`. */
function placeName(): string {
  const place = callSite();
  return place === "" ? "compiled" : `compiled at ${place}`;
}

/** What compiled functions run. */
const bodies = new WeakMap<object, Manner & { fn: (...args: never[]) => unknown; name: string }>();

/** The kernels that a call of a compiled function would launch, and where they end if not with the function. */
export interface CompiledKernels {
  readonly kernels: readonly KernelRequest[];
  readonly note: string | undefined;
}

/**
 * The kernels of a call of a compiled function; undefined for any other value. The function runs, nothing is launched, and
 * what it wrote and drew is as it was. It ends where it needs elements.
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
  const tape = new Tape(programs, new Collector(), ({ slot }, requests) => {
    kernels.push(...requests);
    const where = slot.place === "" ? "" : ` of ${slot.place}`;
    note = `${body.name} needs the elements of a result of ${slot.name}${where}: what follows depends on them.`;
  });
  const restore = keepStream();
  const before = sendTo(tape);
  try {
    const result = body.fn(...(args as never[]));
    sendTo(before);
    kernels.push(...tape.discard(storagesIn(result)));
  } catch (error) {
    sendTo(before);
    tape.discard([]);
    if (!(error instanceof ExplainedBreak)) throw error;
  } finally {
    sendTo(before);
    restore();
  }
  return { kernels, note };
}

/** Operations that are being deferred; see {@link openProgram}. */
export interface OpenProgram {
  /** Ends the deferring, computes the tensors in `results` and what was written, and tells what ran. */
  compute(results: unknown): Program;
}

/**
 * Defers the operations of the running job from here on: a part of it that is no function, such as a cell. `exact` is the
 * option of {@link compile}.
 */
export function openProgram(name: string, exact = true): OpenProgram {
  const programs = new Programs(name, "fused", false, exact);
  const tape = new Tape(programs, openSink());
  sendTo(tape);
  closeLater();
  return {
    compute(results) {
      sendTo(tape.outer);
      tape.finish(storagesIn(results));
      return programs.last() as Program;
    },
  };
}

/**
 * Runs a part of a compiled function undeferred.
 *
 * @example jl.eager(() => jl.ones([2]).add(1)).toArray() // [2, 2]
 */
export function eager<T>(fn: () => T): T {
  checkFunction("eager", "what to run", fn);
  return undeferred(fn);
}

function onTape<T>(tape: Tape, run: () => T): T {
  sendTo(tape);
  closeLater();
  let result: T;
  try {
    result = run();
  } catch (error) {
    sendTo(tape.outer);
    tape.finish([]);
    throw error;
  }
  sendTo(tape.outer);
  tape.finish(storagesIn(result));
  return result;
}

let closing = false;

/** Closes a tape that an interrupt left open, before the next job runs. */
function closeLater(): void {
  if (closing) return;
  closing = true;
  queueMicrotask(() => {
    closing = false;
    if (openSink() instanceof Tape) sendTo(undefined);
  });
}

/** The storages of the tensors in a result: itself, or in arrays, maps, sets and the fields of objects. */
function storagesIn(result: unknown): Storage[] {
  // Most functions return one tensor.
  if (!types.isProxy(result) && isView(result)) return result.storage ? [result.storage] : [];
  const storages: Storage[] = [];
  const seen = new Set<object>();
  const rest: unknown[] = [result];
  for (let value = rest.pop(); value !== undefined || rest.length > 0; value = rest.pop()) {
    if (typeof value !== "object" || value === null || seen.has(value) || types.isProxy(value)) continue;
    seen.add(value);
    if (isView(value)) {
      if (value.storage) storages.push(value.storage);
    } else if (value instanceof Map) {
      for (const [key, one] of value) rest.push(key, one);
    } else if (value instanceof Set || Array.isArray(value)) {
      for (const one of value) rest.push(one);
    } else if (!ArrayBuffer.isView(value)) {
      // A getter's code is not run; what it gives is computed when somebody looks.
      for (const key of Object.keys(value)) rest.push(Object.getOwnPropertyDescriptor(value, key)?.value);
    }
  }
  return storages;
}
