// The properties of the host's processor that the system reports.
import { readFileSync } from "node:fs";

/** The value of a name in /proc/cpuinfo; undefined if it is missing. */
export function processorFact(name: string): string | undefined {
  return new RegExp(`^(?:${name})\\s*:\\s*(.*)$`, "m").exec(information())?.[1];
}

/** The model of the processor, or its architecture where the system does not tell it. */
export function processorModel(): string {
  return processorFact("model name") ?? process.arch;
}

let read: string | undefined;

function information(): string {
  try {
    read ??= readFileSync("/proc/cpuinfo", "utf8");
  } catch {
    // No /proc.
    read = "";
  }
  return read;
}
