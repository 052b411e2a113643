// The source position where an operation of a compiled function was called. Taking a stack costs microseconds, so this is
// done only for new operations on a path.
import { libraryScripts } from "../../base/user-frames.js";

// Most operations have fewer functions of the library above them than the first of these, nearly all than the second; derivatives in
// other sinks have more. Every function of a stack costs time.
const depths = [12, 25, 100];
const inner = [libraryScripts, "node:"];

/** The innermost call site outside of the library: a file's name, line and column; empty if there is none. */
export function callSite(): string {
  for (const depth of depths) {
    const site = siteWithin(depth);
    if (site !== "") return site;
  }
  return "";
}

function siteWithin(depth: number): string {
  const { stackTraceLimit, prepareStackTrace } = Error;
  const write = prepareStackTrace ?? written;
  Error.stackTraceLimit = depth;
  // To look at a whole stack and to write it out takes longer than the rest of a new operation.
  Error.prepareStackTrace = (error, sites) => write(error, innermost(sites));
  const { stack } = new Error();
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  const first = /^ +at .*$/m.exec(stack ?? "")?.[0] ?? "";
  return /([^/\\(\s]+:\d+:\d+)\)?$/.exec(first)?.[1] ?? "";
}

/** The innermost site outside of the library, alone. */
function innermost(sites: readonly NodeJS.CallSite[]): NodeJS.CallSite[] {
  const site = sites.find(isOutside);
  return site ? [site] : [];
}

function isOutside(site: NodeJS.CallSite): boolean {
  const file = site.getFileName() ?? "";
  return !inner.some((start) => file.startsWith(start)) && site.getLineNumber() !== null;
}

/** A stack as V8 writes it. */
function written(error: Error, sites: readonly NodeJS.CallSite[]): string {
  return [error, ...sites].join("\n    at ");
}
