// What an interrupt leaves half done. It ends running code between any two calls, and no `finally` of that code runs; so state
// that belongs to the running code, such as an open recording, is also reset here.

const resets: (() => void)[] = [];

/** Registers a function that resets such a state. */
export function atInterruption(reset: () => void): void {
  resets.push(reset);
}

/** Resets what interrupted code had opened. A host that interrupts code calls it before it runs other code. */
export function endInterrupted(): void {
  for (const reset of resets) reset();
}
