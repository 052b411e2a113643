// Tells a host, such as a notebook's kernel, that a thread waits for compilers. The host puts a function under a symbol, because
// it is there before the library is loaded.

/** A wait for compilers, each time that the waiting thread wakes. */
export interface Waiting {
  /** The kernels that this process has obtained from compilers so far. */
  readonly answered: number;
  /** The kernels that are being compiled. */
  readonly open: number;
  /** How long the thread slept. */
  readonly milliseconds: number;
}

const slot = Symbol.for("jitlab.waiting");

/** Calls the host's function, if there is one. */
export function noteWaiting(waiting: Waiting): void {
  (globalThis as { [slot]?: (waiting: Waiting) => void })[slot]?.(waiting);
}
