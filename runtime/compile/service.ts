// The compile service: a worker thread that owns the compilers, and the waiting of the thread that needs a kernel now.
// It makes asynchronous compilers usable from a synchronous operation, and its worker can be given up when a compile is.
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { CompileOutput, CompileRequest, CompilerSpec } from "../device/device.js";
import { CompileError, JitlabError } from "../errors.js";
import { type Failure, type FromWorker, type ToWorker, type WorkerSetup, workerEnded } from "./messages.js";

/** What a compile gave, and the compiler's own time. */
export interface Compiled extends CompileOutput {
  readonly ms: number;
}

interface Running {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly answers: Int32Array;
  /** Requests whose waiting was broken off, by an interrupt say, and that were not answered yet. */
  readonly abandoned: Set<number>;
}

// A compiler that is a library cannot be cancelled; a worker that holds an abandoned request longer than this is given up.
const graceMs = 1000;

let running: Running | undefined;
let lastId = 0;
let waitingFor: number | undefined;

/** Starts the worker and loads a compiler, without waiting: both are ready earlier for the first kernel. */
export function warm(spec: CompilerSpec): void {
  post(service(), { type: "warm", spec });
}

/** Compiles, waiting until it is done. Throws CompileError with the compiler's log. */
export function compile(spec: CompilerSpec, request: CompileRequest): Compiled {
  clearAbandoned();
  const id = ++lastId;
  const current = service();
  // Where the wait below is ended from outside (an interrupted cell), not even `finally` runs: the next call sees it here.
  waitingFor = id;
  post(current, { type: "compile", id, spec, request });
  const answer = waitFor(current, id);
  waitingFor = undefined;
  if (answer === undefined) {
    stop();
    throw new JitlabError(
      "compiler-failed",
      "The compile service's worker thread ended before it answered.",
      "Try again.",
    );
  }
  if ("failure" in answer) throw errorOf(answer.failure);
  return { ...answer.output, ms: answer.ms };
}

/** Ends the worker thread; the next compile starts another. */
export function stop(): void {
  const current = running;
  running = undefined;
  waitingFor = undefined;
  if (!current) return;
  current.port.close();
  void current.worker.terminate();
}

function service(): Running {
  if (running) return running;
  const { port1, port2 } = new MessageChannel();
  const shared = new SharedArrayBuffer(4);
  const setup: WorkerSetup = { port: port2, answers: shared };
  const worker = new Worker(new URL("./worker.js", import.meta.url), {
    workerData: setup,
    transferList: [port2],
    name: "jitlab compiler",
    // The flags of the process, such as a debugger's port or a loader, are not the worker's.
    execArgv: [],
  });
  const made: Running = { worker, port: port1, answers: new Int32Array(shared), abandoned: new Set() };
  const forget = () => {
    if (running === made) running = undefined;
  };
  worker.on("error", forget);
  worker.on("exit", forget);
  // Neither the thread nor the channel keeps the process alive.
  worker.unref();
  port1.unref();
  running = made;
  return made;
}

function post(to: Running, message: ToWorker): void {
  to.port.postMessage(message);
}

function waitFor(from: Running, id: number): FromWorker | undefined {
  for (;;) {
    const seen = Atomics.load(from.answers, 0);
    const answer = receive(from, id);
    if (answer) return answer;
    if (seen === workerEnded) return undefined;
    Atomics.wait(from.answers, 0, seen);
  }
}

/** The answer to a request if it is there; answers to abandoned requests are dropped on the way. */
function receive(from: Running, id: number | undefined): FromWorker | undefined {
  for (;;) {
    const received = receiveMessageOnPort(from.port) as { message: FromWorker } | undefined;
    if (!received) return undefined;
    from.abandoned.delete(received.message.id);
    if (received.message.id === id) return received.message;
  }
}

/** Makes the way free where an earlier wait was broken off: cancels its compile, or gives the worker up. */
function clearAbandoned(): void {
  const current = running;
  if (!current || waitingFor === undefined) return;
  current.abandoned.add(waitingFor);
  waitingFor = undefined;
  for (const id of current.abandoned) post(current, { type: "cancel", id });
  const until = performance.now() + graceMs;
  while (current.abandoned.size > 0 && performance.now() < until) {
    const seen = Atomics.load(current.answers, 0);
    receive(current, undefined);
    if (current.abandoned.size > 0) Atomics.wait(current.answers, 0, seen, graceMs);
  }
  if (current.abandoned.size > 0) stop();
}

function errorOf({ code, what, help, log }: Failure): JitlabError {
  return log === undefined ? new JitlabError(code, what, help) : new CompileError(what, log, help);
}
