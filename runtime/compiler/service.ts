// The compile service: a worker thread that owns the compilers, and the waiting of the thread that needs a kernel now. It
// makes asynchronous compilers usable from a synchronous operation. A cancelled compile may abandon its worker.

import type { Look } from "../cache/remote/remote-cache.js";
import { remoteSettings } from "../cache/remote/settings.js";
import { report } from "../cache/report.js";
import type { StoredModule } from "../cache/store.js";
import type { CompileOutput, CompileRequest, CompilerSpec } from "../device/device.js";
import { announce } from "./announcement.js";
import { endedError, errorOf } from "./failure.js";
import type { FromWorker, ToWorker } from "./messages.js";
import type { Found } from "./race.js";
import { Bell, CompileThread } from "./thread.js";

/** The result of a compile and the compiler's duration. */
export interface Compiled extends CompileOutput {
  readonly ms: number;
}

/** A kernel that was compiled here or fetched from the shared cache. */
export type Obtained = Compiled | Found;

interface Running {
  readonly thread: CompileThread;
  /** Cancelled requests without an answer. */
  readonly abandoned: Set<number>;
}

// A compiler library cannot be cancelled; a worker that runs an abandoned request longer than this is abandoned.
const graceMs = 1000;

/** Rung by all compiler threads of this process. */
export const bell = new Bell();
let running: Running | undefined;
let lastId = 0;
/** Receives the answer to a request, or undefined if the thread ended before. */
type Answered = (answer: FromWorker | undefined) => void;
const pending = new Map<number, Answered>();
let waitingFor: number | undefined;

/** Starts the worker and loads a compiler, without waiting, to save the first kernel that time. */
export function warm(spec: CompilerSpec): void {
  service().thread.post({ type: "warm", spec });
}

/**
 * Fetches or compiles without waiting, and keeps the process alive until that is done. `done` receives the code when the
 * thread is idle or waits for another compile; failures are dropped.
 */
export function obtainAside(
  spec: CompilerSpec,
  request: CompileRequest,
  key: string,
  done: (obtained: Obtained) => void,
): void {
  postAside({ type: "compile", id: ++lastId, spec, request, key }, (answer) => {
    if (answer === undefined) return;
    if ("found" in answer) done(answer);
    else if ("output" in answer) done({ ...answer.output, ms: answer.ms });
  });
}

/** Compiles one of `beside` texts at once; {@link waitUntil} waits for `done`. Returns a function that cancels it. */
export function begin(
  spec: CompilerSpec,
  request: CompileRequest,
  beside: number,
  done: Answered,
): () => void {
  clearAbandoned();
  const current = service();
  const id = ++lastId;
  pending.set(id, done);
  current.thread.post({ type: "compile", id, spec, request, beside });
  return () => {
    if (pending.has(id)) abandon(current, id);
  };
}

/** Ends the processes that compile beside the worker. */
export function endProcesses(): void {
  running?.thread.post({ type: "end-processes" });
}

/** Stores a compiled module in the shared cache, if there is one, without waiting. */
export function share(stored: StoredModule): void {
  if (remoteSettings()) postAside({ type: "share", id: ++lastId, stored }, () => undefined);
}

/** Looks up keys in the shared cache: for each a module, who compiles it, or undefined without an answer. */
export function look(keys: readonly string[]): readonly Look[] {
  if (!remoteSettings() || keys.length === 0) return keys.map(() => undefined);
  const answer = ask({ type: "look", id: ++lastId, keys });
  return "looks" in answer ? answer.looks : keys.map(() => undefined);
}

/** Compiles, waiting until it is done. Throws CompileError with the compiler's log. */
export function compile(spec: CompilerSpec, request: CompileRequest): Compiled {
  const answer = askAloud({ type: "compile", id: ++lastId, spec, request });
  if ("output" in answer) return { ...answer.output, ms: answer.ms };
  throw endedError();
}

/** Like {@link compile}, unless the shared cache supplies the kernel first. */
export function obtain(spec: CompilerSpec, request: CompileRequest, key: string): Obtained {
  const answer = askAloud({ type: "compile", id: ++lastId, spec, request, key });
  if ("found" in answer) return answer;
  if ("output" in answer) return { ...answer.output, ms: answer.ms };
  throw endedError();
}

function postAside(message: ToWorker & { readonly id: number }, done: Answered): void {
  const { thread } = service();
  pending.set(message.id, done);
  thread.keepsAlive = true;
  thread.post(message);
}

/** Like {@link ask}; announces the wait for one kernel. */
function askAloud(message: ToWorker & { readonly id: number }): FromWorker {
  announce(1);
  try {
    return ask(message);
  } finally {
    announce(0, 1);
  }
}

/** Posts a request and waits for its answer; throws it if it is an error. */
function ask(message: ToWorker & { readonly id: number }): FromWorker {
  clearAbandoned();
  const { thread } = service();
  // If the wait below is ended from outside (an interrupted cell), not even `finally` runs: the next call sees it here.
  waitingFor = message.id;
  const got: { answer?: FromWorker | undefined } = {};
  pending.set(message.id, (answer) => {
    got.answer = answer;
  });
  thread.post(message);
  waitUntil(() => "answer" in got);
  waitingFor = undefined;
  if (got.answer === undefined) throw endedError();
  if ("failure" in got.answer) throw errorOf(got.answer.failure);
  return got.answer;
}

/** Receives answers until a condition holds; a request of a thread that ended is answered with undefined. */
export function waitUntil(isOver: () => boolean): void {
  for (;;) {
    const { count } = bell;
    const current = running;
    const hasEnded = current?.thread.hasEnded ?? false;
    if (isOver()) return;
    if (current && receive(current)) continue;
    announce();
    if (hasEnded) stop();
    else bell.wait(count);
  }
}

/** Ends the worker thread; the next compile starts another. */
export function stop(): void {
  const current = running;
  const unanswered = [...pending.values()];
  running = undefined;
  waitingFor = undefined;
  pending.clear();
  current?.thread.stop();
  for (const answered of unanswered) answered(undefined);
}

function service(): Running {
  if (running) return running;
  const ended = () => {
    if (running === made) stop();
  };
  const thread = new CompileThread(bell, ended, remoteSettings());
  const made: Running = { thread, abandoned: new Set() };
  running = made;
  thread.listen((answer) => settle(made, answer));
  return made;
}

/** Handles one answer if there is one. */
function receive(from: Running): boolean {
  const answer = from.thread.receive();
  if (answer) settle(from, answer);
  return answer !== undefined;
}

/** Handles an answer; nobody waits for those to abandoned requests. */
function settle(from: Running, answer: FromWorker): void {
  for (const remark of answer.remarks ?? []) report(...remark);
  from.abandoned.delete(answer.id);
  const answered = pending.get(answer.id);
  pending.delete(answer.id);
  if (pending.size === 0) from.thread.keepsAlive = false;
  answered?.(answer);
}

/** Cancels a request whose answer nobody wants. */
function abandon(from: Running, id: number): void {
  pending.delete(id);
  from.abandoned.add(id);
  from.thread.post({ type: "cancel", id });
}

/** Cleans up after an interrupted wait: a thread that does not answer to the cancelled compiles is replaced. */
function clearAbandoned(): void {
  const current = running;
  if (current && waitingFor !== undefined) abandon(current, waitingFor);
  waitingFor = undefined;
  if (!current || current.abandoned.size === 0) return;
  const until = performance.now() + graceMs;
  while (current.abandoned.size > 0 && performance.now() < until) {
    const { count } = bell;
    while (receive(current));
    if (current.abandoned.size > 0) bell.wait(count);
  }
  if (current.abandoned.size > 0) stop();
}
