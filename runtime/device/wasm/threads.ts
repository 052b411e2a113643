// The worker threads. They are started when launches worth sharing have taken as long as a start, wait for jobs in the
// shared memory, and are abandoned if a launch is interrupted, for example an endless functor.

import { clearImmediate, setImmediate } from "node:timers";
import type { MessagePort, Worker } from "node:worker_threads";
import { threads } from "../../base/builtins.js";
import { libraryFile } from "../../base/files.js";
import { trapError, trapMessage, type WasmCode } from "./code.js";
import { Job, word } from "./job.js";
import { type LinearMemory, stackBytes } from "./linear-memory.js";

/** A worker's data at its start. */
export interface WorkerSetup {
  readonly memory: WebAssembly.Memory;
  readonly job: SharedArrayBuffer;
  readonly port: MessagePort;
  /** Its number, from 1; the main thread is 0. */
  readonly thread: number;
  /** The end of its stack, which grows downwards. */
  readonly stack: number;
}

/** A message to workers: a kernel to load, or one to drop. */
export type ToWorker =
  | { readonly id: number; readonly symbol: string; readonly module: WebAssembly.Module }
  | { readonly id: number };

const spinMs = 0.05;
const startMs = 10;
const oneMillisecond = 1;

interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
  /** The kernels that it has loaded. */
  readonly known: Set<number>;
}

/** The threads that share launches. */
export class Threads {
  #job: Job;
  readonly #stacks: readonly number[];
  #threads: Thread[] = [];
  #busy = false;
  #aloneMs = 0;

  constructor(
    readonly memory: LinearMemory,
    readonly count: number,
  ) {
    this.#job = Job.for(count);
    this.#stacks = Array.from({ length: count - 1 }, () => memory.allocate(stackBytes) + stackBytes);
  }

  /** True if a launch of some milliseconds should be shared: the threads run, or starting them now pays off. */
  arePaidBy(launchMs: number): boolean {
    if (this.#threads.length === 0) this.#aloneMs += launchMs;
    return this.#threads.length > 0 || this.#aloneMs >= startMs;
  }

  /** Runs elements [begin, end) of a kernel in chunks on all threads; returns when all are done. */
  run(code: WasmCode, block: number, begin: number, end: number, chunk: number): void {
    if (this.#busy) this.stop();
    if (this.#threads.length === 0) this.#start();
    for (const { port, known } of this.#threads) {
      if (known.has(code.id)) continue;
      known.add(code.id);
      port.postMessage({ id: code.id, symbol: code.symbol, module: code.module } satisfies ToWorker);
    }
    const job = this.#job;
    const { words } = job;
    this.#busy = true;
    // If this is ended from outside (an interrupted cell), only this block runs, perhaps after the next call of the same
    // turn.
    const whenInterrupted = setImmediate(() => this.stop());
    job.divide(begin, end, chunk, this.count);
    words[word.code] = code.id;
    words[word.block] = block;
    words[word.failed] = 0;
    Atomics.store(words, word.accepting, 1);
    Atomics.add(words, word.generation, 1);
    Atomics.notify(words, word.generation);
    let failure: string | undefined;
    try {
      job.work(code.kernel, 0);
    } catch (error) {
      job.abandon();
      failure = trapMessage(error);
    }
    Atomics.store(words, word.accepting, 0);
    this.#awaitOthers();
    this.#busy = false;
    clearImmediate(whenInterrupted);
    if (failure === undefined && words[word.failed] !== 0) failure = this.#failureOfOthers();
    if (failure !== undefined) throw trapError(code, failure);
  }

  /** Makes the threads drop a kernel. */
  forget(id: number): void {
    for (const { port, known } of this.#threads) {
      if (known.delete(id)) port.postMessage({ id } satisfies ToWorker);
    }
  }

  /** Ends the threads, even while they work. */
  stop(): void {
    for (const { worker, port } of this.#threads) {
      port.close();
      void worker.terminate();
    }
    this.#threads = [];
    // A thread that is ending may still decrement the old job's counter.
    this.#job = Job.for(this.count);
    this.#busy = false;
  }

  #awaitOthers(): void {
    const { words } = this.#job;
    const until = performance.now() + spinMs;
    for (;;) {
      const inside = Atomics.load(words, word.inside);
      if (inside === 0) return;
      if (performance.now() > until) Atomics.wait(words, word.inside, inside, oneMillisecond);
    }
  }

  #failureOfOthers(): string {
    for (const { port } of this.#threads) {
      const message = threads().receiveMessageOnPort(port) as { message: string } | undefined;
      if (message) return message.message;
    }
    return "a thread ended";
  }

  #start(): void {
    this.#threads = this.#stacks.map((stack, i) => {
      const { port1, port2 } = new (threads().MessageChannel)();
      const setup: WorkerSetup = {
        memory: this.memory.memory,
        job: this.#job.shared,
        port: port2,
        thread: i + 1,
        stack,
      };
      const worker = new (threads().Worker)(libraryFile("device/wasm/worker.js"), {
        workerData: setup,
        transferList: [port2],
        name: "jitlab wasm",
        // The process's flags, such as a debugger's port or a loader, do not apply to the worker.
        execArgv: [],
      });
      worker.unref();
      port1.unref();
      return { worker, port: port1, known: new Set() };
    });
  }
}
