// What the main thread of the child is doing, as far as an interrupt must know: a word of memory that it shares with the
// watch thread. Node replaces its handler of SIGINT whenever guarded code starts or ends, and a signal in between is lost
// or ends the process; so the signal is sent only while this word says that it is safe, and holds the main thread there.

/** The states of the shared word. */
export const guardState = {
  /** Outside guarded code; SIGINT would reach Node's own listener. */
  outside: 0,
  /** Entering or leaving guarded code. */
  moving: 1,
  /** In guarded code, which SIGINT ends. */
  inside: 2,
  /** The watch thread is sending SIGINT; nobody moves. */
  firing: 3,
} as const;

/** The shared memory: the state, and whether an interrupt waits for the main thread's event loop. */
export class GuardWord {
  private readonly words: Int32Array;

  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(8)) {
    this.words = new Int32Array(memory);
  }

  get state(): number {
    return Atomics.load(this.words, 0);
  }

  /** Moves from one state to another; false where another thread was faster. */
  move(from: number, to: number): boolean {
    return Atomics.compareExchange(this.words, 0, from, to) === from;
  }

  set(state: number): void {
    Atomics.store(this.words, 0, state);
    Atomics.notify(this.words, 0);
  }

  /** Sleeps while the state lasts, at most for some milliseconds. */
  waitWhile(state: number, milliseconds: number): void {
    Atomics.wait(this.words, 0, state, milliseconds);
  }

  /** True from an interrupt outside guarded code until the event loop has seen it. */
  get pending(): boolean {
    return Atomics.load(this.words, 1) !== 0;
  }

  set pending(value: boolean) {
    Atomics.store(this.words, 1, value ? 1 : 0);
  }
}
