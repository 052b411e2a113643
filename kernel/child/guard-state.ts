// The child's main thread state for interrupts: a word of memory shared with the watch thread. Node replaces its handler of
// SIGINT whenever guarded code starts or ends, and a signal in between is lost or ends the process; so the signal is sent
// only while this word marks it as safe, and blocks the main thread there.

/** The name of the script that all of a cell's code runs under; frames below it in a stack belong to the kernel. */
export const guardName = "jitlab:guard";

// Cells may replace Atomics.
const { compareExchange, load, notify, store, wait } = Atomics;

/** The states of the shared word. */
export const guardState = {
  /** In the kernel's own or Node's code, which must not end; SIGINT would reach Node's own listener. */
  outside: 0,
  /** Entering or leaving guarded code, or in a part of it that must not end. */
  moving: 1,
  /** In guarded code, which SIGINT ends. */
  inside: 2,
  /** The watch thread is sending SIGINT; the main thread waits. */
  firing: 3,
  /** In a callback of native code, which only the inspector can end. */
  callback: 4,
} as const;

/**
 * The shared memory: the state, up to which of the parent's messages an interrupt reaches, and the numbers of the last
 * interrupts that were asked for and seen. A cell whose message arrives after the interrupt that was meant for it must not run.
 */
export class GuardWord {
  private readonly words: Int32Array;

  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(16)) {
    this.words = new Int32Array(memory);
  }

  get state(): number {
    return load(this.words, 0);
  }

  /** Moves from one state to another; false if another thread was faster. */
  move(from: number, to: number): boolean {
    return compareExchange(this.words, 0, from, to) === from;
  }

  set(state: number): void {
    store(this.words, 0, state);
    notify(this.words, 0);
  }

  /** Sleeps while the state lasts, at most for some milliseconds. */
  waitWhile(state: number, milliseconds: number): void {
    wait(this.words, 0, state, milliseconds);
  }

  /** The number of the last message that is to be interrupted. */
  get target(): number {
    return load(this.words, 1);
  }

  /** The number of the last interrupt. */
  get asked(): number {
    return load(this.words, 2);
  }

  /** Notes an interrupt of the messages up to a target. */
  ask(interrupt: number, target: number): void {
    store(this.words, 1, target);
    store(this.words, 2, interrupt);
  }

  /** True from an interrupt until the main thread's event loop has seen it. */
  get pending(): boolean {
    return load(this.words, 3) < this.asked;
  }

  /** Notes that the event loop has seen the interrupts up to this one. */
  acknowledge(interrupt: number): void {
    store(this.words, 3, interrupt);
  }
}
