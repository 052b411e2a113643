// The detail of errors, set by %xmode: IPython's modes, as far as they apply to JavaScript.

/** With the cell's lines; with frames only; with the frames of the kernel and of Node too; the error alone. */
export type ErrorMode = "Context" | "Plain" | "Verbose" | "Minimal";

let mode: ErrorMode = "Context";

/** The current mode. */
export function errorMode(): ErrorMode {
  return mode;
}

/** Changes the mode. */
export function setErrorMode(chosen: ErrorMode): void {
  mode = chosen;
}
