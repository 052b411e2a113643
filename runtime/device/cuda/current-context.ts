// The current context of this thread; switching is needed only with several GPUs. The driver keeps it per thread, so all copies of
// the library in a thread share this note.
import { check, type Driver } from "./driver.js";

const current = noteOfThread(Symbol.for("jitlab.cuda.current"));

function noteOfThread(name: symbol): { context: number } {
  const notes = globalThis as unknown as Record<symbol, { context: number } | undefined>;
  notes[name] ??= { context: 0 };
  return notes[name];
}

/** Makes a context current. */
export function makeCurrent(cuda: Driver, context: number): void {
  if (current.context === context) return;
  check("cuCtxSetCurrent", cuda.cuCtxSetCurrent(context));
  current.context = context;
}

/** Forgets which context is current, after a library that changes it. */
export function forgetCurrent(): void {
  current.context = 0;
}
