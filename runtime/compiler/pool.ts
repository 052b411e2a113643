// Several compiler worker threads for a batch of work; each compiles one text at a time. The pool ends with the work.

import type { JitlabError } from "../base/errors.js";
import type { CompileRequest, CompilerSpec } from "../device/device.js";
import type { Compiled } from "./service.js";
import { Bell, CompileThread, endedError, errorOf } from "./thread.js";

/** One finished compile: its submitted id and its result. */
export type Outcome =
  | { readonly id: number; readonly compiled: Compiled }
  | { readonly id: number; readonly error: JitlabError };

interface Seat {
  thread: CompileThread;
  /** The id of its current compile. */
  busy: number | undefined;
}

/** A number of threads; each starts with its first text. */
export class CompilePool {
  readonly #bell = new Bell();
  readonly #seats: (Seat | undefined)[];

  constructor(size: number) {
    this.#seats = new Array<Seat | undefined>(size).fill(undefined);
  }

  /** True if a thread is idle. */
  get hasIdle(): boolean {
    return this.#seats.some((seat) => seat?.busy === undefined);
  }

  /** True if a thread is compiling. */
  get isBusy(): boolean {
    return this.#seats.some((seat) => seat?.busy !== undefined);
  }

  /** Submits a text to an idle thread. */
  submit(id: number, spec: CompilerSpec, request: CompileRequest): void {
    const place = this.#seats.findIndex((seat) => seat?.busy === undefined);
    const seat = this.#seats[place] ?? { thread: new CompileThread(this.#bell), busy: undefined };
    this.#seats[place] = seat;
    seat.busy = id;
    seat.thread.post({ type: "compile", id, spec, request });
  }

  /** Waits for the next compile to finish. */
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

  /** Ends all threads, even while they compile. */
  stop(): void {
    for (const seat of this.#seats) seat?.thread.stop();
    this.#seats.fill(undefined);
  }

  #outcomeOf(seat: Seat, place: number): Outcome | undefined {
    if (seat.busy === undefined) return undefined;
    const { hasEnded } = seat.thread;
    const answer = seat.thread.receive();
    const id = seat.busy;
    if (answer) {
      seat.busy = undefined;
      if ("failure" in answer) return { id, error: errorOf(answer.failure) };
      if ("output" in answer) return { id, compiled: { ...answer.output, ms: answer.ms } };
    }
    if (!hasEnded) return undefined;
    this.#seats[place] = undefined;
    return { id, error: endedError() };
  }
}
