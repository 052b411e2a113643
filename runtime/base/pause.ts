// A pause of a thread that waits for another process or a device: its event loop stands still meanwhile.
const word = new Int32Array(new SharedArrayBuffer(4));

/** Waits so many milliseconds, also parts of one. */
export function pause(ms: number): void {
  Atomics.wait(word, 0, 0, ms);
}
