// Makes every piece of a cell stoppable by SIGINT with its state kept: its synchronous part, its timers, and the promise
// continuations that follow any callback. All of them run inside a vm script with `breakOnSigint`, which SIGINT ends
// with an exception that no cell can catch. Terminating code anywhere else makes Node 20 abort when asynchronous context
// tracking is on, so the other way to stop code, the watch thread's inspector, is kept for the callbacks of native
// modules, the one place where it is safe.
import { createHook } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import { promisify } from "node:util";
import { Script } from "node:vm";
import { pinned } from "./built-ins.js";
import { type CellContext, currentCell } from "./cell-context.js";
import { GuardWord, guardName, guardState } from "./guard-state.js";

const slotName = Symbol.for("jitlab.guard");
const slots = globalThis as unknown as Record<symbol, () => void>;
const guard = pinned(new Script(`globalThis[Symbol.for("jitlab.guard")]()`, { filename: guardName }));

// Runs the callbacks of process.nextTick and of promises, as Node itself does after each callback.
const { kill, nextTick } = process;
const { apply } = Reflect;
const runQueuedTasks = (process as unknown as { _tickCallback(): void })._tickCallback;

// A signal has surely arrived after this time.
const patienceMs = 50;

/** Records for the watch thread whether SIGINT can end the running code. */
export const guardWord = new GuardWord();

let guarded = false;
// Whether a tick is queued that guards the continuations of the running callback.
let queued = false;

/** Runs `fn`, and the promise continuations that are due after it, so that SIGINT can end them. */
export function interruptible(fn: () => void): void {
  if (guarded) {
    fn();
    return;
  }
  enter();
  guarded = true;
  slots[slotName] = () => {
    guardWord.set(guardState.inside);
    try {
      fn();
      runQueuedTasks();
    } finally {
      leave();
    }
  };
  try {
    guard.runInThisContext({ breakOnSigint: true });
  } finally {
    guarded = false;
    queued = false; // the tick has run, or SIGINT has ended it
    guardWord.set(guardState.outside);
  }
}

function enter(): void {
  while (!guardWord.move(guardState.outside, guardState.moving)) guardWord.waitWhile(guardState.firing, 10);
}

/** Runs the kernel's own work outside of cells to its end, however long an interrupt has to wait for it. */
export function shielded(fn: () => void): void {
  enter();
  try {
    fn();
  } finally {
    guardWord.set(guardState.outside);
  }
}

// A pending signal must arrive here: elsewhere it would end the process. Of code that an import() called, V8 takes the end for
// an error of the import, and what waits for it goes on: the signal is sent again.
function leave(): void {
  for (let waits = 1; !guardWord.move(guardState.inside, guardState.moving); waits++) {
    guardWord.waitWhile(guardState.firing, 1);
    if (waits % patienceMs === 0) kill(process.pid, "SIGINT");
  }
}

/** Runs `fn` to its end: an interrupt that comes meanwhile ends the code around it afterwards. */
export function uninterrupted<T>(fn: () => T): T {
  if (!guarded || guardWord.state === guardState.moving) return fn();
  leave();
  try {
    return fn();
  } finally {
    guardWord.set(guardState.inside);
  }
}

// The second is what SIGINT makes of a read that waits, before it ends the code around it.
const interruptions: ReadonlySet<unknown> = new Set(["ERR_SCRIPT_EXECUTION_INTERRUPTED", "EINTR"]);

// The types of values that code can throw, except undefined.
const types: readonly string[] = ["object", "function", "string", "number", "bigint", "boolean", "symbol"];

/** Whether an error was thrown by SIGINT in `interruptible`. */
export function isInterruption(error: unknown): boolean {
  // Where the code was called by an import(), Node hands on V8's own mark of ended code. It has no type, and reading a property
  // of it ends the process.
  if (error !== undefined && !types.includes(typeof error)) return true;
  try {
    return interruptions.has((error as NodeJS.ErrnoException | undefined)?.code);
  } catch {
    return false; // a proxy of the user's
  }
}

/** Makes timers and promise continuations interruptible from now on. */
export function installInterruption(): void {
  guardContinuations();
  guardTimers();
}

// Before each callback that is not guarded, a tick is queued. Node runs ticks, and then promises, after the callback;
// this tick runs them itself, guarded.
function guardContinuations(): void {
  const tick = () => interruptible(() => undefined);
  const before = () => {
    if (queued || guarded) return;
    queued = true;
    nextTick(tick);
  };
  createHook({ before }).enable();
}

type Callback = (...args: unknown[]) => unknown;
type Timer = (callback: Callback, ...rest: unknown[]) => unknown;

// The timers of an interrupted cell end silently: a loop that sleeps between its turns stops with them. Those of the
// timers module are guarded and no more, because Node itself uses them. The promise form of a timer needs no guard: what
// follows it is a continuation.
function guardTimers(): void {
  const module = timers as unknown as Record<string, Timer>;
  for (const name of ["setTimeout", "setInterval", "setImmediate"]) {
    const original = module[name] as Timer;
    Object.assign(globalThis, { [name]: guardedTimer(name, original, true) });
    module[name] = guardedTimer(name, original, false);
  }
  syncBuiltinESMExports();
}

function guardedTimer(name: string, original: Timer, endsWithCell: boolean): Timer {
  const guarded = (callback: Callback, ...rest: unknown[]): unknown => {
    if (typeof callback !== "function") return original(callback, ...rest); // Node's own complaint
    const cell: CellContext = currentCell();
    const timer = original(
      (...args) => {
        if (!endsWithCell || !cell.cancelled) interruptible(() => void apply(callback, timer, args));
        else if (name === "setInterval") clearInterval(timer as NodeJS.Timeout);
      },
      ...rest,
    );
    return timer;
  };
  const promised = Object.getOwnPropertyDescriptor(original, promisify.custom);
  if (promised) Object.defineProperty(guarded, promisify.custom, promised);
  return Object.defineProperty(guarded, "name", { value: name });
}
