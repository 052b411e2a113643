// The compile service: a worker thread that owns the compilers, and the waiting of the thread that needs a kernel now. It
// makes asynchronous compilers usable from a synchronous operation. A cancelled compile may abandon its worker.

import type { Look } from "../cache/remote/remote-cache.js";
import { remoteSettings } from "../cache/remote/settings.js";
import { report } from "../cache/report.js";
import type { StoredModule } from "../cache/store.js";
import type { CompileOutput, CompileRequest, CompilerSpec } from "../device/device.js";
import type { FromWorker, ToWorker } from "./messages.js";
import type { Found } from "./race.js";
import { Bell, CompileThread, endedError, errorOf } from "./thread.js";

/** The result of a compile and the compiler's duration. */
export interface Compiled extends CompileOutput {
  readonly ms: number;
}

/** A kernel that was compiled here or fetched from the shared cache. */
export type Obtained = Compiled | Found;

interface Running {
  readonly thread: CompileThread;
  readonly bell: Bell;
  /** Unanswered requests whose wait was interrupted. */
  readonly abandoned: Set<number>;
}

// A compiler library cannot be cancelled; a worker that runs an abandoned request longer than this is abandoned.
const graceMs = 1000;

let running: Running | undefined;
let lastId = 0;
const aside = new Map<number, (answer: FromWorker) => void>();
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
    if ("found" in answer) done(answer);
    else if ("output" in answer) done({ ...answer.output, ms: answer.ms });
  });
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
  const answer = ask({ type: "compile", id: ++lastId, spec, request });
  if ("output" in answer) return { ...answer.output, ms: answer.ms };
  throw endedError();
}

/** Like {@link compile}, unless the shared cache supplies the kernel first. */
export function obtain(spec: CompilerSpec, request: CompileRequest, key: string): Obtained {
  const answer = ask({ type: "compile", id: ++lastId, spec, request, key });
  if ("found" in answer) return answer;
  if ("output" in answer) return { ...answer.output, ms: answer.ms };
  throw endedError();
}

function postAside(message: ToWorker & { readonly id: number }, done: (answer: FromWorker) => void): void {
  aside.set(message.id, done);
  const { thread } = service();
  thread.keepsAlive = true;
  thread.post(message);
}

/** Posts a request and waits for its answer; throws it if it is an error. */
function ask(message: ToWorker & { readonly id: number }): FromWorker {
  clearAbandoned();
  const current = service();
  // If the wait below is ended from outside (an interrupted cell), not even `finally` runs: the next call sees it here.
  waitingFor = message.id;
  current.thread.post(message);
  const answer = waitFor(current, message.id);
  waitingFor = undefined;
  if (answer === undefined) {
    stop();
    throw endedError();
  }
  if ("failure" in answer) throw errorOf(answer.failure);
  return answer;
}

/** Ends the worker thread; the next compile starts another. */
export function stop(): void {
  const current = running;
  running = undefined;
  waitingFor = undefined;
  aside.clear();
  current?.thread.stop();
}

function service(): Running {
  if (running) return running;
  const bell = new Bell();
  const ended = () => {
    if (running === made) running = undefined;
  };
  const thread = new CompileThread(bell, ended, remoteSettings());
  const made: Running = { thread, bell, abandoned: new Set() };
  running = made;
  thread.listen((answer) => settle(made, answer));
  return made;
}

function waitFor(from: Running, id: number): FromWorker | undefined {
  for (;;) {
    const { count } = from.bell;
    const { hasEnded } = from.thread;
    const answer = receive(from, id);
    if (answer) return answer;
    if (hasEnded) return undefined;
    from.bell.wait(count);
  }
}

/** The answer to a request if it is there; answers to abandoned requests are dropped. */
function receive(from: Running, id: number | undefined): FromWorker | undefined {
  for (;;) {
    const answer = from.thread.receive();
    if (!answer) return undefined;
    settle(from, answer);
    if (answer.id === id) return answer;
  }
}

/** Handles an answer to an abandoned request. */
function settle(from: Running, answer: FromWorker): void {
  for (const remark of answer.remarks ?? []) report(...remark);
  from.abandoned.delete(answer.id);
  const done = aside.get(answer.id);
  aside.delete(answer.id);
  if (aside.size === 0) from.thread.keepsAlive = false;
  done?.(answer);
}

/** Cleans up after an interrupted wait: cancels its compile, or abandons the worker. */
function clearAbandoned(): void {
  const current = running;
  if (!current || waitingFor === undefined) return;
  current.abandoned.add(waitingFor);
  waitingFor = undefined;
  for (const id of current.abandoned) current.thread.post({ type: "cancel", id });
  const until = performance.now() + graceMs;
  while (current.abandoned.size > 0 && performance.now() < until) {
    const { count } = current.bell;
    receive(current, undefined);
    if (current.abandoned.size > 0) current.bell.wait(count);
  }
  if (current.abandoned.size > 0) stop();
}
