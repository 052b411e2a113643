// Compiles several texts at once: in the service's thread, for compilers that run beside each other there, or in worker
// threads that end with the work.

import type { JitlabError } from "../base/errors.js";
import type { CompileRequest, CompilerSpec } from "../device/device.js";
import type { FromWorker } from "./messages.js";
import { begin, type Compiled, waitUntil } from "./service.js";
import { Bell, CompileThread, endedError, errorOf } from "./thread.js";

/** One finished compile: its submitted id and its result. */
export type Outcome =
  | { readonly id: number; readonly compiled: Compiled }
  | { readonly id: number; readonly error: JitlabError };

/** What compiles several texts at once. */
export interface Compilers {
  /** True if it can take a text. */
  readonly hasIdle: boolean;
  /** True if it is compiling. */
  readonly isBusy: boolean;
  /** Submits a text under the caller's id. */
  submit(id: number, spec: CompilerSpec, request: CompileRequest): void;
  /** Waits for the next compile to finish. */
  next(): Outcome;
  /** Ends all compiles. */
  stop(): void;
}

/** The service's thread, which has probably loaded the compiler; starting another takes longer than most compiles. */
export class SharedThread implements Compilers {
  readonly #running = new Map<number, () => void>();
  readonly #done: Outcome[] = [];

  constructor(readonly size: number) {}

  get hasIdle(): boolean {
    return this.#running.size < this.size;
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  submit(id: number, spec: CompilerSpec, request: CompileRequest): void {
    const cancel = begin(spec, request, (answer) => this.#done.push(outcomeOf(id, answer)));
    this.#running.set(id, cancel);
  }

  next(): Outcome {
    waitUntil(() => this.#done.length > 0);
    const outcome = this.#done.shift() as Outcome;
    this.#running.delete(outcome.id);
    return outcome;
  }

  stop(): void {
    for (const cancel of this.#running.values()) cancel();
    this.#running.clear();
  }
}

interface Seat {
  thread: CompileThread;
  /** The id of its current compile. */
  busy: number | undefined;
}

/** A number of threads, which compile one text at a time; each starts with its first one. */
export class CompilePool implements Compilers {
  readonly #bell = new Bell();
  readonly #seats: (Seat | undefined)[];

  constructor(size: number) {
    this.#seats = new Array<Seat | undefined>(size).fill(undefined);
  }

  get hasIdle(): boolean {
    return this.#seats.some((seat) => seat?.busy === undefined);
  }

  get isBusy(): boolean {
    return this.#seats.some((seat) => seat?.busy !== undefined);
  }

  submit(id: number, spec: CompilerSpec, request: CompileRequest): void {
    const place = this.#seats.findIndex((seat) => seat?.busy === undefined);
    const seat = this.#seats[place] ?? { thread: new CompileThread(this.#bell), busy: undefined };
    this.#seats[place] = seat;
    seat.busy = id;
    seat.thread.post({ type: "compile", id, spec, request });
  }

  next(): Outcome {
    for (;;) {
      const { count } = this.#bell;
      for (const [place, seat] of this.#seats.entries()) {
        const outcome = seat && this.#outcomeOf(seat, place);
        if (outcome) return outcome;
      }
      this.#bell.wait(count);
    }
  }

  stop(): void {
    for (const seat of this.#seats) seat?.thread.stop();
    this.#seats.fill(undefined);
  }

  #outcomeOf(seat: Seat, place: number): Outcome | undefined {
    if (seat.busy === undefined) return undefined;
    const { hasEnded } = seat.thread;
    const answer = seat.thread.receive();
    const id = seat.busy;
    if (answer) seat.busy = undefined;
    else if (hasEnded) this.#seats[place] = undefined;
    else return undefined;
    return outcomeOf(id, answer);
  }
}

/** The outcome in a worker's answer, or in its end. */
function outcomeOf(id: number, answer: FromWorker | undefined): Outcome {
  if (answer && "failure" in answer) return { id, error: errorOf(answer.failure) };
  if (answer && "output" in answer) return { id, compiled: { ...answer.output, ms: answer.ms } };
  return { id, error: endedError() };
}
