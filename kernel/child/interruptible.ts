// Makes every piece of a cell stoppable by SIGINT with its state kept: its synchronous part, its timers, and the promise
// continuations that follow any callback. All of them run inside a vm script with `breakOnSigint`, which SIGINT ends
// with an exception that no cell can catch. Terminating code anywhere else makes Node abort when asynchronous context
// tracking is on, so the other way to stop code, the watch thread's inspector, is kept for the callbacks of native
// modules, the one place where it is safe.
import { AsyncResource, createHook, executionAsyncResource } from "node:async_hooks";
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
const { setImmediate: soon } = timers;
const { apply } = Reflect;
const runQueuedTasks = (process as unknown as { _tickCallback(): void })._tickCallback;

// A signal has surely arrived after this time.
const patienceMs = 50;

/** Records for the watch thread whether SIGINT can end the running code. */
export const guardWord = new GuardWord();

let guarded = false;
// Whether a tick is queued that guards the continuations of the running callback.
let queued = false;

/** Runs `fn`, and unless told otherwise the promise continuations that are due after it, so that SIGINT can end them. */
export function interruptible(fn: () => void, continues = true): void {
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
      if (continues) runQueuedTasks();
    } finally {
      leave();
    }
  };
  try {
    guard.runInThisContext({ breakOnSigint: true });
  } finally {
    guarded = false;
    if (continues) queued = false; // the tick has run, or SIGINT has ended it
    guardWord.set(guardState.outside);
  }
}

function enter(): void {
  const { outside, callback, moving, firing } = guardState;
  while (!guardWord.move(outside, moving) && !guardWord.move(callback, moving))
    guardWord.waitWhile(firing, 10);
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
  // Of code that native code called, such as a hook of a file's handle, Node hands on V8's own mark of ended code before the
  // guarded code has ended. From Node 22 on, even asking for its type ends the process.
  if (guarded && guardWord.state === guardState.firing) return true;
  // Where the code was called by an import(), Node hands on V8's own mark of ended code. It has no type, and reading a property
  // of it ends the process.
  if (error !== undefined && !types.includes(typeof error)) return true;
  try {
    return interruptions.has((error as NodeJS.ErrnoException | undefined)?.code);
  } catch {
    return false; // a proxy of the user's
  }
}

/** Makes timers and promise continuations interruptible from now on, but not what can only load once as a whole. */
export function installInterruption(): void {
  guardNativeModules();
  guardFetch();
  guardContinuations();
  guardTimers();
  guardTicks();
  guardResources();
}

// Before each callback that is not guarded, a tick is queued. Node runs ticks, and then promises, after the callback;
// this tick runs them itself, guarded. The inspector may end the callback itself, but only where Node's native code has begun
// it: what Node's JavaScript notes of a tick, a timer or an AsyncResource stays when code ends, and Node aborts.
function guardContinuations(): void {
  const tick = () => interruptible(() => undefined);
  let open: number | undefined; // the callback that the inspector may end
  let inner: number | undefined; // a scope of JavaScript in it, where it may not
  const before = (id: number) => {
    if (guarded) return;
    const native = isNative(executionAsyncResource());
    if (open !== undefined && inner === undefined && guardWord.state === guardState.outside) {
      open = undefined; // the inspector has ended it
      queued = false;
    }
    if (queued) {
      if (native || open === undefined || inner !== undefined) return;
      inner = id;
      become(guardState.callback, guardState.outside);
      return;
    }
    queued = true;
    nextTick(tick);
    inner = undefined;
    open = native ? id : undefined;
    if (native) become(guardState.outside, guardState.callback);
  };
  const after = (id: number) => {
    if (guarded) return;
    if (id === inner) {
      inner = undefined;
      become(guardState.outside, guardState.callback);
    } else if (id === open) {
      open = undefined;
      become(guardState.callback, guardState.outside);
    }
  };
  createHook({ before, after }).enable();
}

// Waits for the watch thread; where that ended the callback, the state stays.
function become(from: number, to: number): void {
  while (!guardWord.move(from, to) && guardWord.state !== to) guardWord.waitWhile(guardState.firing, 10);
}

const Timeout = timerClass(timers.setTimeout);
const Immediate = timerClass(timers.setImmediate);
const ofPromises = Promise; // cells may replace the global

function timerClass(start: (callback: () => void) => unknown): abstract new () => object {
  const timer = start(() => undefined) as NodeJS.Timeout;
  clearTimeout(timer);
  clearImmediate(timer as unknown as NodeJS.Immediate);
  return timer.constructor as abstract new () => object;
}

// Handles whose callbacks run no code of a cell.
const ownHandles = pinned(new WeakSet<object>());

/** Lets the callbacks of one of the kernel's own handles run to their end: a message that they read would be lost. */
export function keepCallbacks(handle: object): void {
  ownHandles.add(handle);
}

// A tick is known by its two properties.
function isNative(resource: object): boolean {
  if (ownHandles.has(resource)) return false;
  if (resource instanceof Timeout || resource instanceof Immediate || resource instanceof ofPromises)
    return false;
  return !(resource instanceof AsyncResource || ("callback" in resource && "args" in resource));
}

let isSettling = false;

/** Until the event loop turns, an interrupted cell queues no more ticks: a chain of them would not let it turn. */
export function settleTicks(): void {
  isSettling = true;
  soon(() => {
    isSettling = false;
  });
}

function guardTicks(): void {
  process.nextTick = (callback: Callback, ...args: unknown[]): void => {
    if (!isSettling || !currentCell().cancelled) nextTick(callback, ...args);
  };
}

// A scope that a callback of native code opens must close, so the code in it is guarded, and the inspector leaves it alone.
function guardResources(): void {
  const { prototype } = AsyncResource;
  const { runInAsyncScope } = prototype;
  prototype.runInAsyncScope = function (
    this: AsyncResource,
    fn: Callback,
    receiver?: unknown,
    ...args: unknown[]
  ) {
    if (guarded || typeof fn !== "function") return apply(runInAsyncScope, this, [fn, receiver, ...args]);
    let result: unknown;
    const run = () => interruptible(() => (result = apply(fn, receiver, args)), false);
    apply(runInAsyncScope, this, [run]);
    return result;
  } as typeof runInAsyncScope;
}

// A native module that starts in code that has ended finds that all its calls fail, and ends the process.
function guardNativeModules(): void {
  const { dlopen } = process;
  process.dlopen = (...args) => uninterrupted(() => apply(dlopen, process, args));
}

// The first call loads Node's client of HTTP, as any use of Headers does.
function guardFetch(): void {
  const { fetch: original } = globalThis;
  globalThis.fetch = function fetch(...args) {
    uninterrupted(() => globalThis.Headers);
    return original(...args);
  };
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
