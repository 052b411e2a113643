// The compile service: a worker thread that owns the compilers, and the waiting of the thread that needs a kernel now.
// It makes asynchronous compilers usable from a synchronous operation, and its worker can be given up when a compile is.
import type { CompileOutput, CompileRequest, CompilerSpec } from "../device/device.js";
import type { FromWorker } from "./messages.js";
import { Bell, CompileThread, endedError, errorOf } from "./thread.js";

/** What a compile gave, and the compiler's own time. */
export interface Compiled extends CompileOutput {
  readonly ms: number;
}

interface Running {
  readonly thread: CompileThread;
  readonly bell: Bell;
  /** Requests whose waiting was broken off, by an interrupt say, and that were not answered yet. */
  readonly abandoned: Set<number>;
}

// A compiler that is a library cannot be cancelled; a worker that holds an abandoned request longer than this is given up.
const graceMs = 1000;

let running: Running | undefined;
let lastId = 0;
const aside = new Map<number, (compiled: Compiled) => void>();
let waitingFor: number | undefined;

/** Starts the worker and loads a compiler, without waiting: both are ready earlier for the first kernel. */
export function warm(spec: CompilerSpec): void {
  service().thread.post({ type: "warm", spec });
}

/**
 * Compiles without waiting, and keeps the process alive until that is done. `done` gets the code when the thread is idle or
 * waits for another compile; failures are dropped.
 */
export function compileAside(
  spec: CompilerSpec,
  request: CompileRequest,
  done: (compiled: Compiled) => void,
): void {
  const id = ++lastId;
  aside.set(id, done);
  const { thread } = service();
  thread.keepsAlive = true;
  thread.post({ type: "compile", id, spec, request });
}

/** Compiles, waiting until it is done. Throws CompileError with the compiler's log. */
export function compile(spec: CompilerSpec, request: CompileRequest): Compiled {
  clearAbandoned();
  const id = ++lastId;
  const current = service();
  // Where the wait below is ended from outside (an interrupted cell), not even `finally` runs: the next call sees it here.
  waitingFor = id;
  current.thread.post({ type: "compile", id, spec, request });
  const answer = waitFor(current, id);
  waitingFor = undefined;
  if (answer === undefined) {
    stop();
    throw endedError();
  }
  if ("failure" in answer) throw errorOf(answer.failure);
  return { ...answer.output, ms: answer.ms };
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
  const thread = new CompileThread(bell, () => {
    if (running === made) running = undefined;
  });
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

/** The answer to a request if it is there; answers to abandoned requests are dropped on the way. */
function receive(from: Running, id: number | undefined): FromWorker | undefined {
  for (;;) {
    const answer = from.thread.receive();
    if (!answer) return undefined;
    settle(from, answer);
    if (answer.id === id) return answer;
  }
}

/** Notes an answer that nobody waits for. */
function settle(from: Running, answer: FromWorker): void {
  from.abandoned.delete(answer.id);
  const done = aside.get(answer.id);
  aside.delete(answer.id);
  if (aside.size === 0) from.thread.keepsAlive = false;
  if (done && "output" in answer) done({ ...answer.output, ms: answer.ms });
}

/** Makes the way free where an earlier wait was broken off: cancels its compile, or gives the worker up. */
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
