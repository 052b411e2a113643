// Operations that do not wait for the end of a compiled function: they pass the open tapes.

import { atInterruption } from "../../base/interruption.js";
import { unrecorded } from "../../launch/graph.js";
import { openSink, type Sink, sendingTo } from "../../launch/sink.js";

// Whether code runs that passes an open tape.
let passes = false;

atInterruption(() => {
  passes = false;
});

/**
 * True in code that passes an open tape. No other tape may be opened there: an operation that is deferred on one tape cannot be
 * numbered by another one, which the first goes on after.
 */
export function passesTape(): boolean {
  return passes;
}

/** True if operations that a sink receives are deferred, also beneath one that keeps derivatives. */
function isDeferring(sink: Sink | undefined): boolean {
  return sink?.keeps === "operations" || (sink?.keeps === "derivatives" && isDeferring(sink.outer));
}

/** Runs a function whose operations run on the device at once, as without tapes; those of an explained function are collected. */
export function undeferred<A extends unknown[], T>(run: (...args: A) => T, ...args: A): T {
  const before = openSink();
  let beneath = before;
  while (beneath?.keeps === "operations") beneath = beneath.outer;
  const passed = passes;
  passes ||= isDeferring(before);
  try {
    return sendingTo(beneath, () => run(...args));
  } finally {
    passes = passed;
  }
}

/** Runs the launches that compute elements, whatever is open. */
export function atOnce(run: () => void): void {
  const before = openSink();
  let beneath: Sink | undefined = before;
  while (beneath?.keeps !== undefined) beneath = beneath.outer;
  sendingTo(beneath, () => unrecorded(run));
}
