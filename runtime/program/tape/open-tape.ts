// Opens tapes. A job that an interrupt ended leaves its tape open; the next job starts without it.

import { closeSinks, openSink, sendTo } from "../../launch/sink.js";
import { Tape } from "./tape.js";

let closing = false;

/** Defers the operations of the running job on a tape. */
export function openTape(tape: Tape): void {
  sendTo(tape);
  if (closing) return;
  closing = true;
  queueMicrotask(() => {
    closing = false;
    if (openSink() instanceof Tape) closeSinks();
  });
}
