// The source position where an operation of a compiled function was called. Taking a stack costs microseconds, so this is
// done only for new operations on a path.
import { libraryScripts } from "../base/files.js";

// More functions than the library has above any of its operations.
const depth = 25;
const inner = [libraryScripts, "node:"];

/** The innermost call site outside of the library: a file's name, line and column; empty if there is none. */
export function callSite(): string {
  const { stackTraceLimit, prepareStackTrace } = Error;
  const write = prepareStackTrace ?? written;
  Error.stackTraceLimit = depth;
  // To write out a whole stack takes longer than the rest of a new operation.
  Error.prepareStackTrace = (error, sites) => write(error, sites.filter(isOutside));
  const { stack } = new Error();
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  const first = /^ +at .*$/m.exec(stack ?? "")?.[0] ?? "";
  return /([^/\\(\s]+:\d+:\d+)\)?$/.exec(first)?.[1] ?? "";
}

function isOutside(site: NodeJS.CallSite): boolean {
  const file = site.getFileName() ?? "";
  return !inner.some((start) => file.startsWith(start)) && site.getLineNumber() !== null;
}

/** A stack as V8 writes it. */
function written(error: Error, sites: readonly NodeJS.CallSite[]): string {
  return [error, ...sites].join("\n    at ");
}
