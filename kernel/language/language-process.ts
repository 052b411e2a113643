// The main process's side of the language process: calls become messages, and a process that was killed, or that ended when
// idle, is replaced by one with the same declarations.
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { environmentWith, tunables } from "../../runtime/base/env.js";
import type { Language } from "./language.js";
import type { Answer, Method, Opening, Request } from "./messages.js";
import { initialState, type LanguageState } from "./service-state.js";
import { languageFlags, makeSnapshot, usableSnapshot } from "./snapshot-file.js";

/** A pending call ended because the process was interrupted. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** A pending call ended because the process died. */
export class LanguageFailure extends Error {
  override readonly name = "LanguageFailure";
}

/** Starts the language service of a notebook in the folder `cwd`; its process ends after this idle time. */
export function startLanguage(cwd: string = process.cwd(), idleAfterMs = languageIdleMs): Language {
  return new LanguageProcess(cwd, idleAfterMs);
}

interface Pending {
  readonly request: Request;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

const program = fileURLToPath(new URL("main.js", import.meta.url));
const keptErrors = 10_000;
// A snapshot takes seconds to make, so only a kernel that runs this long makes one.
const snapshotAfterMs = 30_000;
/** The process is most of an idle kernel's memory; the next request starts another, which takes a fraction of a second. */
export const languageIdleMs = 3 * 60_000;

class LanguageProcess implements Language {
  readonly #pending = new Map<number, Pending>();
  #state: LanguageState = initialState;
  #process: ChildProcess | undefined;
  #nextId = 0;
  #closed = false;
  #making: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(
    readonly cwd: string,
    readonly idleAfterMs: number,
  ) {
    this.#start();
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
    this.#end();
    this.#giveUp(new Interrupted("The language service was interrupted."));
    this.#start();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#making);
    clearTimeout(this.#idle);
    this.#end();
    this.#giveUp(new Interrupted("The language service was closed."));
  }

  #request<T>(method: Method, args: Request["args"]): Promise<T> {
    if (this.#closed) return Promise.reject(new Interrupted("The language service is closed."));
    const request = { id: this.#nextId++, method, args };
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(request.id, { request, resolve, reject });
      clearTimeout(this.#idle);
      if (this.#process) this.#process.send(request);
      else this.#start();
    });
  }

  // Also sends pending requests, made while there was no process.
  #start(snapshots = true): void {
    const snapshot = snapshots ? usableSnapshot() : undefined;
    const words = snapshot === undefined ? [program] : ["--snapshot-blob", snapshot, "language"];
    const child = spawn(process.execPath, [...languageFlags, ...words], {
      cwd: this.cwd,
      // Otherwise each of V8's threads keeps memory of its own, about ten megabytes in all. With large pages, where the system
      // has them, reading the snapshot takes two thirds of the processor's time.
      env: environmentWith({
        MALLOC_ARENA_MAX: "1",
        GLIBC_TUNABLES: tunables("glibc.malloc.hugetlb=1"),
        // Node reads all of them when it starts, a tenth of a second, and this process opens no connection.
        NODE_EXTRA_CA_CERTS: "",
      }),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      serialization: "advanced",
    });
    this.#process = child;
    if (snapshot === undefined) this.#makeSnapshotLater();
    let answered = false;
    let errors = "";
    child.stderr?.on("data", (data: Buffer) => {
      errors = (errors + data.toString()).slice(-keptErrors);
    });
    child.on("message", (answer: Answer) => {
      answered = true;
      this.#answered(answer);
    });
    child.on("error", () => undefined); // its end is reported once
    child.once("close", (code, signal) => {
      if (this.#closed || child !== this.#process) return;
      this.#process = undefined;
      // The snapshot is damaged, or this Node refuses it.
      if (snapshot !== undefined && !answered) {
        rmSync(snapshot, { force: true });
        this.#start(false);
      } else this.#giveUp(failure(signal ?? `status ${code}`, errors));
    });
    child.send({ state: this.#state } satisfies Opening);
    for (const { request } of this.#pending.values()) child.send(request);
    this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    if (this.#pending.size === 0) this.#idle = setTimeout(() => this.#end(), this.idleAfterMs).unref();
  }

  #end(): void {
    const child = this.#process;
    this.#process = undefined;
    child?.kill("SIGKILL");
  }

  #answered({ id, value, error, state }: Answer): void {
    if (state) this.#state = state;
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error) pending?.reject(error);
    else pending?.resolve(value as never);
    this.#endWhenIdle();
  }

  // Out of memory, for example: the calls fail, and the next one starts a new process.
  #giveUp(error: Error): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
  }

  // The next start profits; without a snapshot it is as slow as this one.
  #makeSnapshotLater(): void {
    this.#making ??= setTimeout(() => void makeSnapshot().catch(() => undefined), snapshotAfterMs).unref();
  }
}

function failure(how: string, errors: string): LanguageFailure {
  // V8's native stack follows, which does not help the user.
  const why = /heap out of memory/.test(errors)
    ? "It ran out of memory over this cell: split the cell, or read its data from a file."
    : errors.trim();
  return new LanguageFailure(
    `The language service ended with ${how}; the variables are unchanged. ${why}`.trim(),
  );
}
