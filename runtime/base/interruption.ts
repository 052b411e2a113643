// Resets state after an interrupt, which ends running code between any two calls without running its `finally`: state of
// the running code, such as an open recording, registers its reset here.

const resets: (() => void)[] = [];

/** Registers a function that resets such a state. */
export function atInterruption(reset: () => void): void {
  resets.push(reset);
}

/** Resets what interrupted code had opened. A host that interrupts code calls it before it runs other code. */
export function endInterrupted(): void {
  for (const reset of resets) reset();
}
