// Ends code as an interrupt does: between any two of its calls, and without its `finally` blocks.
import { Script } from "node:vm";
import { endInterrupted } from "../../dist/runtime/base/interruption.js";

const slots = globalThis as unknown as { endedCode: () => void };
const script = new Script("endedCode()");

/** Runs code that does not end, ends it, and resets what it had opened. */
export function ended(endless: () => void, afterMs = 20): void {
  slots.endedCode = endless;
  try {
    script.runInThisContext({ timeout: afterMs });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
  }
  endInterrupted();
}

/** Code that does not end. */
export function spin(): never {
  for (;;);
}
