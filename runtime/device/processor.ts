// What the system tells of the host's processor.
import { readFileSync } from "node:fs";

/** What follows a name on its first line of /proc/cpuinfo; undefined where there is none. */
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
