// The source position where an operation of a compiled function was called. Taking a stack costs microseconds, so this is
// done only for new operations on a path.
import { libraryScripts } from "../../base/user-frames.js";

// Nearly all operations have fewer functions of the library above them than the first of these; derivatives in other sinks have
// more. Every function of a stack costs time, and a second stack more.
const depths = [18, 100];
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
  Error.stackTraceLimit = depth;
  // To look at a whole stack and to write it out takes longer than the rest of a new operation.
  Error.prepareStackTrace = (error, sites) => {
    const site = sites.find(isOutside);
    if (site === undefined) return "";
    return prepareStackTrace ? prepareStackTrace(error, [site]) : `    at ${placeOf(site)}`;
  };
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

/** A site's place, as in a stack. */
function placeOf(site: NodeJS.CallSite): string {
  return `${site.getFileName()}:${site.getLineNumber()}:${site.getColumnNumber()}`;
}
