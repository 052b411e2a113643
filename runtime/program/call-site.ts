// Where an operation of a compiled function was called, as people find it. Taking a stack costs microseconds, so it is done
// for operations that are new on their path only.

import { libraryFile } from "../base/files.js";

const folder = libraryFile(".");

/** The first call site outside the library that led here: a file's name, line and column; empty where there is none. */
export function callSite(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 15;
  const lines = (new Error().stack ?? "").split("\n").slice(1);
  Error.stackTraceLimit = limit;
  const outside = lines.find((line) => !line.includes(folder.href) && !line.includes(folder.pathname));
  return /([^/\\(\s]+:\d+:\d+)\)?$/.exec(outside ?? "")?.[1] ?? "";
}
