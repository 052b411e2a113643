// One worker thread of compilers, seen from the thread that wants code. Several threads may ring one bell, so that waiting
// for the first of them is one wait.

import { closeSync, openSync, realpathSync } from "node:fs";
import type { MessagePort, Worker } from "node:worker_threads";
import { threads } from "../base/builtins.js";
import { CompileError, JitlabError } from "../base/errors.js";
import { libraryFile } from "../base/files.js";
import type { RemoteSettings } from "../cache/remote/settings.js";
import type { Failure, FromWorker, ToWorker, WorkerSetup } from "./messages.js";

// How often a waiting thread looks whether those that it waits for are still there.
const lookMs = 200;

/** Wakes a thread that waits for others. */
export class Bell {
  readonly #rings: Int32Array;

  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.#rings = new Int32Array(memory);
  }

  /** How often it rang; read before looking for what is waited for. */
  get count(): number {
    return Atomics.load(this.#rings, 0);
  }

  /** Sleeps until it has rung after the moment that `count` was read; not for long, because a dead thread rings no bell. */
  wait(count: number): void {
    Atomics.wait(this.#rings, 0, count, lookMs);
  }

  /** Wakes the sleeper. */
  ring(): void {
    Atomics.add(this.#rings, 0, 1);
    Atomics.notify(this.#rings, 0);
  }
}

/** A running worker thread. It does not keep the process alive. */
export class CompileThread {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #probe: MessagePort;
  readonly #probeAnswers: boolean;

  /** Starts a thread that rings the bell; `ended` is called when the thread has ended and the event loop runs. */
  constructor(bell: Bell, ended: () => void = () => undefined, remote?: RemoteSettings) {
    const messages = new (threads().MessageChannel)();
    const probes = new (threads().MessageChannel)();
    const started = new Bell();
    const setup: WorkerSetup = {
      port: messages.port2,
      probe: probes.port2,
      bell: bell.memory,
      started: started.memory,
      remote,
    };
    this.#port = messages.port1;
    this.#probe = probes.port1;
    // Node's documentation does not say what postMessage returns: whether the other end is there. A Node that returns
    // something else tells nothing.
    this.#probeAnswers = isDelivered(this.#probe);
    this.#worker = inExistingFolder(
      () => startWorker(setup),
      () => {
        while (started.count === 0 && !this.hasEnded) started.wait(0);
      },
    );
    this.#worker.on("error", ended);
    this.#worker.on("exit", ended);
    this.#worker.unref();
    this.#port.unref();
    this.#probe.unref();
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

  /**
   * True where the thread ended, however early and for whatever reason; its answers have come before. A thread that is busy
   * in a native call has not ended.
   */
  get hasEnded(): boolean {
    return this.#probeAnswers && !isDelivered(this.#probe);
  }

  /** Ends the thread. */
  stop(): void {
    this.#port.close();
    this.#probe.close();
    void this.#worker.terminate();
  }
}

/** Whether a port has another end. Nobody reads the message; a thread's death closes its end. */
function isDelivered(port: MessagePort): boolean {
  return (port.postMessage(null) as unknown) === true;
}

// Of a thread and of what it starts. A thread that has too few ends without a word.
const descriptorsNeeded = 24;

function checkDescriptors(): void {
  const opened: number[] = [];
  try {
    while (opened.length < descriptorsNeeded) opened.push(openSync("/dev/null", "r"));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

function startWorker(setup: WorkerSetup): Worker {
  try {
    if (process.platform !== "win32") checkDescriptors();
    return new (threads().Worker)(libraryFile("compiler/worker.js"), {
      workerData: setup,
      transferList: [setup.port, setup.probe],
      name: "jitlab compiler",
      // The flags of the process, such as a debugger's port or a loader, are not the worker's.
      execArgv: [],
    });
  } catch (error) {
    throw new JitlabError(
      "compiler-failed",
      `The compile service's worker thread did not start: ${error instanceof Error ? error.message : String(error)}.`,
      "The process may have reached its limit of threads, of open files (`ulimit -n`) or of memory.",
    );
  }
}

/**
 * Starts a thread, in a working directory that exists: Node's threads fail in one that was removed. The process then has
 * another one until the thread has started.
 */
function inExistingFolder(start: () => Worker, wait: () => void): Worker {
  if (existsWorkingDirectory() || !threads().isMainThread) return start();
  const removed = openSync(".", "r");
  process.chdir("/");
  try {
    const worker = start();
    wait();
    return worker;
  } finally {
    process.chdir(`/proc/self/fd/${removed}`);
    closeSync(removed);
  }
}

/** Asks the system: `process.cwd()` gives what it gave before. */
function existsWorkingDirectory(): boolean {
  try {
    realpathSync.native(".");
    return true;
  } catch {
    return false;
  }
}

/** An error that crossed the threads. */
export function errorOf({ code, what, help, log, source }: Failure): JitlabError {
  return log === undefined
    ? new JitlabError(code, what, help)
    : new CompileError(what, log, help, [], source);
}

/** What to tell where a thread ended before it answered. */
export function endedError(): JitlabError {
  return new JitlabError(
    "compiler-failed",
    "The compile service's worker thread ended before it answered.",
    "Try again. The machine may be out of memory, or the working directory was removed: `process.chdir` to another one.",
  );
}
