// Tells the program that runs the library, such as a notebook's kernel, that the calling thread waits for compilers.

/** Receives how many more kernels the thread waits for, and how many of them have ended; both 0 while the wait lasts. */
export type CompileListener = (begun: number, ended: number) => void;

// On the global object: that program may have loaded another copy of the library, or none yet.
const key = Symbol.for("jitlab.compiling");

/** Announces a change, or that a wait still lasts. */
export function announce(begun = 0, ended = 0): void {
  (globalThis as { [key]?: CompileListener })[key]?.(begun, ended);
}
