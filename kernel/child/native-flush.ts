// Flushes C's stdout, which buffers the text of native code and of kernels on a device: with a pipe, C waits for 4096 bytes.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const koffi = require.resolve("koffi");
let flush: (() => void) | undefined;

/** Flushes C's buffers; does nothing before the first native library is opened. */
export function flushNativeOutput(): void {
  flush ??= makeFlush();
  flush?.();
}

// Loading koffi for this alone would cost every notebook its time.
function makeFlush(): (() => void) | undefined {
  if (!(koffi in require.cache)) return undefined;
  const { load } = require("koffi") as typeof import("koffi");
  const fflush = load(null).func("int fflush(void *stream)");
  return () => void fflush(null);
}
