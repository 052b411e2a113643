// One compiler worker thread, seen from the requesting thread. Several workers may ring one bell, so that one wait covers
// all of them.

import { closeSync, openSync, realpathSync } from "node:fs";
import type { MessagePort, Worker } from "node:worker_threads";
import { threads } from "../base/builtins.js";
import { libraryFile } from "../base/files.js";
import type { RemoteSettings } from "../cache/remote/settings.js";
import { startError } from "./failure.js";
import type { FromWorker, ToWorker } from "./messages.js";
import type { WorkerSetup } from "./worker-setup.js";

// How often a waiting thread checks that its workers are alive.
const lookMs = 200;

/** Wakes a waiting thread. */
export class Bell {
  readonly #rings: Int32Array;

  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.#rings = new Int32Array(memory);
  }

  /** How often it rang; read before checking for answers. */
  get count(): number {
    return Atomics.load(this.#rings, 0);
  }

  /** Sleeps until it rings after `count` was read; with a timeout, because a dead thread does not ring. */
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
    // Undocumented in Node: postMessage returns whether the other end exists. Other return values are ignored.
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

  /** Whether the process waits for this thread's answers before ending. */
  set keepsAlive(keeps: boolean) {
    if (keeps) this.#port.ref();
    else this.#port.unref();
  }

  /** Receives answers that arrive while this thread is idle; {@link receive} does not see those. */
  listen(answered: (answer: FromWorker) => void): void {
    this.#port.on("message", answered);
    this.#port.unref();
  }

  /** The next answer, if one has arrived. */
  receive(): FromWorker | undefined {
    return (threads().receiveMessageOnPort(this.#port) as { message: FromWorker } | undefined)?.message;
  }

  /** True if the thread ended, for any reason; its answers have arrived before. A thread in a native call has not ended. */
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

/** Whether a port has another end. The message is never read; a thread's death closes its end. */
function isDelivered(port: MessagePort): boolean {
  return (port.postMessage(null) as unknown) === true;
}

// File descriptors of a thread and its programs. With too few, a thread ends silently.
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
      // The process's flags, such as a debugger's port or a loader, do not apply to the worker.
      execArgv: [],
    });
  } catch (error) {
    throw startError("compile service's worker thread", error);
  }
}

/**
 * Starts a thread, in an existing working directory, because Node's threads fail in a removed one. The process uses another
 * one until the thread has started.
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

/** Asks the system, because `process.cwd()` is cached. */
export function existsWorkingDirectory(): boolean {
  try {
    realpathSync.native(".");
    return true;
  } catch {
    return false;
  }
}
