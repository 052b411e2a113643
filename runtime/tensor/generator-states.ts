// Where generators of their own were before a function drew from them, for those that undo its draws.
import { atInterruption } from "../base/interruption.js";

interface Movable<S> {
  go(state: S): void;
}

let open: Map<object, () => void> | undefined;
atInterruption(() => {
  open = undefined;
});

/** Notes where a generator is, before it goes on. */
export function noteState<S>(generator: Movable<S>, state: S): void {
  if (open?.has(generator) === false) open.set(generator, () => generator.go(state));
}

/** Runs a function, which gets one that takes the generators it drew from back to where they were. */
export function undoingDraws<R>(run: (undo: () => void) => R): R {
  const [before, own] = [open, new Map<object, () => void>()];
  open = own;
  try {
    return run(() => {
      for (const undo of own.values()) undo();
    });
  } finally {
    open = before;
    for (const [generator, undo] of own) if (before?.has(generator) === false) before.set(generator, undo);
  }
}
