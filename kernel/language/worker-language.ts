// The language worker as the kernel's main thread holds it: requests become messages, and a worker that is ended in the
// middle of its work is replaced by one that knows the same declarations.
import { Worker } from "node:worker_threads";
import type { Language } from "./language.js";
import type { Answer, Method, Request, WorkerData } from "./messages.js";
import { initialState, type LanguageState } from "./service-state.js";

/** A pending call was given up because the worker was interrupted or died. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Starts the language service of a notebook in the folder `cwd`. */
export function startLanguage(cwd: string = process.cwd()): Language {
  return new WorkerLanguage(cwd);
}

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

class WorkerLanguage implements Language {
  readonly #pending = new Map<number, Pending>();
  #state: LanguageState = initialState;
  #worker: Worker | undefined;
  #nextId = 0;
  #closed = false;

  constructor(readonly cwd: string) {
    this.#worker = this.#start();
  }

  readonly convert: Language["convert"] = (...args) => this.#request("convert", args);
  readonly complete: Language["complete"] = (...args) => this.#request("complete", args);
  readonly inspect: Language["inspect"] = (...args) => this.#request("inspect", args);
  readonly isComplete: Language["isComplete"] = (...args) => this.#request("isComplete", args);
  readonly forget: Language["forget"] = (...args) => this.#request("forget", args);
  readonly reset: Language["reset"] = (...args) => this.#request("reset", args);
  readonly typecheck: Language["typecheck"] = (...args) => this.#request("typecheck", args);

  interrupt(): void {
    if (this.#closed) return;
    const ended = this.#worker;
    this.#worker = this.#start();
    this.#giveUp(new Interrupted("The language service was interrupted."));
    void ended?.terminate();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#giveUp(new Interrupted("The language service was closed."));
    await this.#worker?.terminate();
  }

  #request<T>(method: Method, args: readonly unknown[]): Promise<T> {
    if (this.#closed) return Promise.reject(new Interrupted("The language service is closed."));
    const id = this.#nextId++;
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker ??= this.#start();
      this.#worker.postMessage({ id, method, args } as Request);
    });
  }

  #start(): Worker {
    const workerData: WorkerData = { cwd: this.cwd, state: this.#state };
    // The checker makes much short-lived data: a larger young generation halves the start.
    const worker = new Worker(new URL("./worker.js", import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
    });
    worker.on("message", (answer: Answer) => this.#answered(answer));
    worker.on("error", (error) => this.#died(worker, error));
    worker.on("exit", () => this.#died(worker, new Error("it ended by itself")));
    return worker;
  }

  #answered({ id, value, error, state }: Answer): void {
    if (state) this.#state = state;
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error) pending?.reject(error);
    else pending?.resolve(value as never);
  }

  // Out of memory, for example: the calls fail, and the next one starts a new worker.
  #died(worker: Worker, error: Error): void {
    if (this.#closed || worker !== this.#worker) return;
    this.#worker = undefined;
    this.#giveUp(new Interrupted(`The language service failed: ${error.message}`));
  }

  #giveUp(error: Error): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
  }
}
