// Runs a program to its end, with its lines and the time of the first one.
import { spawn } from "node:child_process";
import { environmentWith } from "../runtime/base/env.js";

/** A finished program. */
export interface Finished {
  readonly lines: readonly string[];
  /** Seconds from its start to its first line; NaN without one. */
  readonly firstLineSeconds: number;
  /** Empty on success. */
  readonly failure: string;
}

const patienceMs = 120_000;
const keptStderr = 600;

/** Runs a program, with a timeout (default: two minutes). */
export function runProgram(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  limitMs = patienceMs,
): Promise<Finished> {
  const began = performance.now();
  const child = spawn(command, args, {
    env: environmentWith(environment),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  let output = "";
  let errors = "";
  let firstLineSeconds = Number.NaN;
  child.stdout.on("data", (data: Buffer) => {
    output += data.toString();
    if (Number.isNaN(firstLineSeconds) && output.includes("\n")) {
      firstLineSeconds = (performance.now() - began) / 1000;
    }
  });
  child.stderr.on("data", (data: Buffer) => {
    errors = (errors + data.toString()).slice(-keptStderr);
  });
  return new Promise((resolve) => {
    const finish = (failure: string) =>
      resolve({ lines: output.split("\n").filter((line) => line !== ""), firstLineSeconds, failure });
    child.once("error", (error) => finish(error.message));
    child.once("close", (code, signal) => {
      finish(code === 0 ? "" : `ended with ${signal ?? `status ${code}`}: ${errors.trim()}`);
    });
  });
}
