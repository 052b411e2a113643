// Compiles several texts at once. The service's worker takes as many as the compiler runs beside each other there, and
// passes further ones to processes if the compiler's threads hold each other up; else a worker thread compiles each of them.
// Starting either takes longer than most texts. They end with the pool.

import type { JitlabError } from "../base/errors.js";
import type { CompileRequest, CompilerSpec } from "../device/device.js";
import { endedError, errorOf } from "./failure.js";
import type { FromWorker } from "./messages.js";
import { begin, bell, type Compiled, endProcesses, waitUntil } from "./service.js";
import { CompileThread } from "./thread.js";

/** One finished compile: its submitted id and its result. */
export type Outcome =
  | { readonly id: number; readonly compiled: Compiled }
  | { readonly id: number; readonly error: JitlabError };

interface Seat {
  thread: CompileThread;
  /** The id of its current compile. */
  busy: number | undefined;
}

/** Compilers for a number of texts, at most `textsAtOnce` of them in the service's thread, the others in threads or processes. */
export class CompilePool {
  /** The compiles that the service's worker has taken: functions that cancel them, and their outcomes. */
  readonly #shared = new Map<number, () => void>();
  readonly #done: Outcome[] = [];
  readonly #mostShared: number;
  readonly #seats: (Seat | undefined)[];

  constructor(
    readonly size: number,
    textsAtOnce: number,
    readonly further: CompilerSpec["further"],
  ) {
    this.#mostShared = further === "processes" ? size : Math.min(size, textsAtOnce);
    this.#seats = new Array<Seat | undefined>(size - this.#mostShared).fill(undefined);
  }

  /** True if it can take a text. */
  get hasIdle(): boolean {
    return this.#shared.size < this.#mostShared || this.#seats.some((seat) => seat?.busy === undefined);
  }

  /** True if it is compiling. */
  get isBusy(): boolean {
    return this.#shared.size > 0 || this.#seats.some((seat) => seat?.busy !== undefined);
  }

  /** Submits a text, if it can take one. */
  submit(id: number, spec: CompilerSpec, request: CompileRequest): void {
    if (this.#shared.size < this.#mostShared) {
      const cancel = begin(spec, request, this.size, (answer) => this.#done.push(outcomeOf(id, answer)));
      this.#shared.set(id, cancel);
      return;
    }
    const place = this.#seats.findIndex((seat) => seat?.busy === undefined);
    const seat = this.#seats[place] ?? { thread: new CompileThread(bell), busy: undefined };
    this.#seats[place] = seat;
    seat.busy = id;
    seat.thread.post({ type: "compile", id, spec, request });
  }

  /** Waits for the next compile to finish. */
  next(): Outcome {
    let outcome: Outcome | undefined;
    waitUntil(() => {
      outcome = this.#take();
      return outcome !== undefined;
    });
    return outcome as Outcome;
  }

  /** Ends all compiles. */
  stop(): void {
    for (const cancel of this.#shared.values()) cancel();
    if (this.further === "processes") endProcesses();
    for (const seat of this.#seats) seat?.thread.stop();
    this.#shared.clear();
    this.#seats.fill(undefined);
  }

  #take(): Outcome | undefined {
    const outcome = this.#done.shift();
    if (outcome) this.#shared.delete(outcome.id);
    return outcome ?? this.#takeFromSeats();
  }

  #takeFromSeats(): Outcome | undefined {
    for (const [place, seat] of this.#seats.entries()) {
      if (seat?.busy === undefined) continue;
      const { hasEnded } = seat.thread;
      const answer = seat.thread.receive();
      const id = seat.busy;
      if (answer) seat.busy = undefined;
      else if (hasEnded) this.#seats[place] = undefined;
      else continue;
      return outcomeOf(id, answer);
    }
    return undefined;
  }
}

/** The outcome in a worker's answer, or in its end. */
function outcomeOf(id: number, answer: FromWorker | undefined): Outcome {
  if (answer && "failure" in answer) return { id, error: errorOf(answer.failure) };
  if (answer && "output" in answer) return { id, compiled: { ...answer.output, ms: answer.ms } };
  return { id, error: endedError() };
}
