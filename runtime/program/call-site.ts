// The source position where an operation of a compiled function was called. Taking a stack costs microseconds, so this is
// done only for new operations on a path.
import { libraryScripts } from "../base/files.js";

/** The innermost call site outside of the library: a file's name, line and column; empty if there is none. */
export function callSite(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 15;
  const lines = (new Error().stack ?? "").split("\n").slice(1);
  Error.stackTraceLimit = limit;
  const outside = lines.find((line) => !line.includes(libraryScripts));
  return /([^/\\(\s]+:\d+:\d+)\)?$/.exec(outside ?? "")?.[1] ?? "";
}
