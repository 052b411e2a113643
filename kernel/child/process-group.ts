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

/** The time since the system's start in clock ticks, as {@link interruptLaterPrograms} takes it. */
export function ticksSinceBoot(): number {
  try {
    const [seconds] = readFileSync("/proc/uptime", "latin1").split(" ");
    return Math.floor(Number(seconds) * 100);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Sends SIGINT to the programs of this process's group that have started since then: the group's signal came too early for them. */
export function interruptLaterPrograms(ticks: number): void {
  for (const pid of processes()) {
    const fields = statOf(pid);
    if (Number(fields[stat.group]) !== process.pid || Number(fields[stat.started]) < ticks) continue;
    if (pid !== process.pid) signal(pid, "SIGINT");
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

/** The fields of a process's stat behind its name, which may have spaces; empty if it has ended. */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

/** As `name=value`; empty if the process is another user's, or has ended. */
function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return [];
  }
}
