// Errors that cross from a worker to the thread that waits for it, as plain data.
import { CompileError, JitlabError } from "../base/errors.js";
import type { Failure } from "./messages.js";

/** A worker's answer to an error; `source` is the text that it compiled. */
export function failureOf(error: unknown, source: string | undefined): Failure {
  if (error instanceof JitlabError) {
    const { code, what, help } = error;
    if (!(error instanceof CompileError)) return { code, what, help };
    // The error's text ends with the log, which the constructor adds again in the other thread.
    const { log } = error;
    return { code, what: log === "" ? what : what.slice(0, -log.length - 1), help, log, source };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: "compiler-failed", what: `The compiler failed unexpectedly: ${text}`, help: "" };
}

/** The error that a worker met. */
export function errorOf({ code, what, help, log, source }: Failure): JitlabError {
  return log === undefined
    ? new JitlabError(code, what, help)
    : new CompileError(what, log, help, [], source);
}

/** The error for a worker that ended before it answered. */
export function endedError(worker = "compile service's worker thread"): JitlabError {
  return new JitlabError(
    "compiler-failed",
    `The ${worker} ended before it answered.`,
    "Try again. The machine may be out of memory, or the working directory was removed: `process.chdir` to another one.",
  );
}

/** The error for a worker that the system does not start. */
export function startError(worker: string, error: unknown): JitlabError {
  return new JitlabError(
    "compiler-failed",
    `The ${worker} did not start: ${error instanceof Error ? error.message : String(error)}.`,
    "The process may have reached its limit of threads, of open files (`ulimit -n`) or of memory.",
  );
}
