// Who holds a lease: a process is known by its number and its start time, because numbers come again.

import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { threads } from "../builtins.js";

/** One thread of one process, as a lease names it. */
export interface Holder {
  readonly host: string;
  readonly pid: number;
  /** Start time of the process in the kernel's clock ticks, and the thread: `123456/0`. */
  readonly start: string;
}

let own: Holder | undefined;

/** This thread. */
export function self(): Holder {
  own ??= {
    host: hostname(),
    pid: process.pid,
    start: `${startTime(process.pid)}/${threads().threadId}`,
  };
  return own;
}

/**
 * True while the thread that wrote a lease may still be compiling. The thread that asks compiles nothing, so a lease of
 * its own was left behind by an interrupt. Processes of other hosts cannot be seen.
 */
export function isAlive(holder: Holder): boolean {
  if (holder.host !== self().host) return true;
  if (holder.pid === self().pid && holder.start === self().start) return false;
  const time = startTime(holder.pid);
  return time !== undefined && holder.start.startsWith(`${time}/`);
}

function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses and may hold spaces; the start time is field 22.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie compiles nothing: it waits for its parent to notice its death.
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
