// One worker thread of compilers, seen from the thread that wants code. Several threads may ring one bell, so that waiting
// for the first of them is one wait.

import type { MessagePort, Worker } from "node:worker_threads";
import { threads } from "../builtins.js";
import { CompileError, JitlabError } from "../errors.js";
import { libraryFile } from "../files.js";
import type { Failure, FromWorker, ToWorker, WorkerSetup } from "./messages.js";

/** Rings whenever a thread has answered or ended: a count of both, and a flag for each thread that ended. */
export class Bell {
  readonly #words: Int32Array;

  constructor(readonly memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  /** A bell for a number of threads. */
  static for(threads: number): Bell {
    return new Bell(new SharedArrayBuffer(4 * (1 + threads)));
  }

  /** How often it rang; read before looking for what is waited for. */
  get count(): number {
    return Atomics.load(this.#words, 0);
  }

  /** Sleeps until it has rung after the moment that `count` was read, or the time is over. */
  wait(count: number, timeoutMs?: number): void {
    Atomics.wait(this.#words, 0, count, timeoutMs);
  }

  /** Wakes the sleeper. */
  ring(): void {
    Atomics.add(this.#words, 0, 1);
    Atomics.notify(this.#words, 0);
  }

  /** Marks a thread as ended, and wakes the sleeper. */
  end(thread: number): void {
    Atomics.store(this.#words, 1 + thread, 1);
    this.ring();
  }

  /** Lets another thread take the place of one that ended. */
  reopen(thread: number): void {
    Atomics.store(this.#words, 1 + thread, 0);
  }

  /** True for a thread that ended by itself. */
  hasEnded(thread: number): boolean {
    return Atomics.load(this.#words, 1 + thread) !== 0;
  }
}

/** A running worker thread. It does not keep the process alive. */
export class CompileThread {
  readonly #worker: Worker;
  readonly #port: MessagePort;

  constructor(
    private readonly bell: Bell,
    private readonly place: number,
    ended: () => void = () => undefined,
  ) {
    const { port1, port2 } = new (threads().MessageChannel)();
    const setup: WorkerSetup = { port: port2, bell: bell.memory, place };
    this.#worker = new (threads().Worker)(libraryFile("compile/worker.js"), {
      workerData: setup,
      transferList: [port2],
      name: "jitlab compiler",
      // The flags of the process, such as a debugger's port or a loader, are not the worker's.
      execArgv: [],
    });
    this.#port = port1;
    this.#worker.on("error", ended);
    this.#worker.on("exit", ended);
    this.#worker.unref();
    port1.unref();
  }

  /** Sends a message. */
  post(message: ToWorker): void {
    this.#port.postMessage(message);
  }

  /** Whether the process waits for this thread's answers before it ends. */
  set keepsAlive(keeps: boolean) {
    if (keeps) this.#port.ref();
    else this.#port.unref();
  }

  /** Hands over the answers that come while this thread is idle, which {@link receive} therefore does not see. */
  listen(answered: (answer: FromWorker) => void): void {
    this.#port.on("message", answered);
    this.#port.unref();
  }

  /** The next answer, if one has come. */
  receive(): FromWorker | undefined {
    return (threads().receiveMessageOnPort(this.#port) as { message: FromWorker } | undefined)?.message;
  }

  /** True where the thread ended by itself; its answers have come before. */
  get hasEnded(): boolean {
    return this.bell.hasEnded(this.place);
  }

  /** Ends the thread. */
  stop(): void {
    this.#port.close();
    void this.#worker.terminate();
  }
}

/** An error that crossed the threads. */
export function errorOf({ code, what, help, log }: Failure): JitlabError {
  return log === undefined ? new JitlabError(code, what, help) : new CompileError(what, log, help);
}

/** What to tell where a thread ended before it answered. */
export function endedError(): JitlabError {
  return new JitlabError(
    "compiler-failed",
    "The compile service's worker thread ended before it answered.",
    "Try again.",
  );
}
