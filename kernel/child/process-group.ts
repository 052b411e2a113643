// Ends the programs that cells started: the process group, and the processes that left it.
import { readdirSync, readFileSync } from "node:fs";
import { cellMark } from "../../runtime/base/env.js";
import type { DetachedNote } from "./channel.js";

/** Ends a process group; a missing one is not an error. */
export function endGroup(leader: number): void {
  end(-leader);
}

const end = (pid: number) => signal(pid, "SIGKILL");

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it has ended
  }
}

// The fields of /proc/PID/stat behind the program's name.
const stat = { group: 2, started: 19 };

/** The time since the system's start in clock ticks, as {@link interruptMissedPrograms} takes it. */
export function ticksSinceBoot(): number {
  try {
    const [seconds] = readFileSync("/proc/uptime", "latin1").split(" ");
    return Math.floor(Number(seconds) * 100);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Sends SIGINT to the programs of this process's group that the group's signal at that time missed: those that have started since,
 * and those that it would have ended. A shell that is about to become a program takes the signal in its place.
 */
export function interruptMissedPrograms(ticks: number): void {
  for (const pid of processes()) {
    const fields = statOf(pid);
    if (pid === process.pid || Number(fields[stat.group]) !== process.pid) continue;
    if (Number(fields[stat.started]) >= ticks || endsBySignal(pid)) signal(pid, "SIGINT");
  }
}

/**
 * What cells started outside of the process group and ends with the process that runs the cells: programs started with
 * `detached`, and those that left by themselves, as `setsid` does. The latter are found in /proc by the mark that they inherit;
 * on a system without it, or with an environment of their own, they go on.
 */
export class DetachedPrograms {
  private readonly leaders = new Set<number>();
  private readonly staying = new Set<string>();

  /** `mark` is the value of {@link cellMark} for what the cells start, or how it begins. */
  constructor(private readonly mark: string) {}

  note({ pid, mark, state }: DetachedNote): void {
    if (state === "ends") this.leaders.add(pid);
    else this.leaders.delete(pid);
    if (state === "stays") this.staying.add(mark);
  }

  /** Ends all of them, but not this process. */
  end(): void {
    for (const leader of this.leaders) endGroup(leader);
    this.leaders.clear();
    const seen = new Set([process.pid]);
    for (;;) {
      // Again, for processes that they started meanwhile.
      const found = this.marked().filter((pid) => !seen.has(pid));
      if (found.length === 0) return;
      for (const pid of found) {
        seen.add(pid);
        end(pid);
      }
    }
  }

  private marked(): number[] {
    const start = `${cellMark}=${this.mark}`;
    return processes().filter((pid) => {
      const mark = environmentOf(pid).find((pair) => pair.startsWith(start));
      return mark !== undefined && !this.staying.has(mark.slice(cellMark.length + 1));
    });
  }
}

/** All processes; none on a system without /proc. */
function processes(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Whether SIGINT ends a process: it neither ignores nor handles it. */
function endsBySignal(pid: number): boolean {
  const masks = fileOf(pid, "status").matchAll(/^Sig(?:Ign|Cgt):.*(\w)$/gm);
  return [...masks].every(([, lowest]) => (Number.parseInt(lowest as string, 16) & 2) === 0);
}

/** The fields of a stat behind the name, which may have spaces; empty if the process has ended. */
export function statOf(process: number | string): string[] {
  const text = fileOf(process, "stat");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

/** As `name=value`; empty if the process is another user's, or has ended. */
function environmentOf(pid: number): string[] {
  return fileOf(pid, "environ").split("\0");
}

/** The text of a file of a process, or of a thread by its path in /proc; empty if it has ended, or on a system without /proc. */
export function fileOf(process: number | string, name: string): string {
  try {
    return readFileSync(`/proc/${process}/${name}`, "latin1");
  } catch {
    return "";
  }
}
