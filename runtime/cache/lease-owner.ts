// Who holds a lease. A thread is identified by its number and its start time, because the system reuses numbers.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** One thread of one process, as named in a lease. */
export interface LeaseOwner {
  readonly host: string;
  readonly pid: number;
  /** Start time of the thread in the kernel's clock ticks, and its system number: `123456/4711`. */
  readonly start: string;
}

let own: LeaseOwner | undefined;

/** This thread. */
export function self(): LeaseOwner {
  own ??= { host: hostname(), pid: process.pid, start: ownThread() };
  return own;
}

/**
 * True while a lease's thread may be compiling: it is alive, and neither it nor a program that its process started is
 * stopped. The calling thread is not compiling, so its own lease was left by an interrupt. Threads of other hosts cannot be
 * checked.
 */
export function mayCompile({ host, pid, start }: LeaseOwner): boolean {
  if (host !== self().host) return true;
  if (pid === self().pid && start === self().start) return false;
  const [time, thread] = start.split("/");
  const status = statusOf(`${pid}/task/${thread}`);
  return status !== undefined && status.start === time && isRunning(status) && !hasStoppedProgram(pid);
}

function ownThread(): string {
  try {
    const path = readlinkSync("/proc/thread-self");
    return `${statusOf(path)?.start}/${path.slice(path.lastIndexOf("/") + 1)}`;
  } catch {
    return "";
  }
}

interface Status {
  readonly state: string;
  readonly start: string;
}

function statusOf(path: string): Status | undefined {
  try {
    const stat = readFileSync(`/proc/${path}/stat`, "utf8");
    // The second field is the program's name in parentheses and may contain spaces; the start time is field 22.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", start: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

// Stopped, traced, or dead: a zombie waits for its parent to collect it.
const isRunning = ({ state }: Status) => !/[TtZX]/.test(state);
const isStopped = ({ state }: Status) => /[Tt]/.test(state);

/** True if a compiler, or another program that the process started, is stopped. */
function hasStoppedProgram(pid: number): boolean {
  return programsOf(pid).some((child) => {
    const status = statusOf(String(child));
    return status !== undefined && (isStopped(status) || hasStoppedProgram(child));
  });
}

function programsOf(pid: number): number[] {
  try {
    const tasks = `/proc/${pid}/task`;
    return readdirSync(tasks).flatMap((thread) =>
      readFileSync(`${tasks}/${thread}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
