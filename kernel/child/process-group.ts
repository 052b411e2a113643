// Ends the programs that cells started: the process group, and the processes that left it.
import { readdirSync, readFileSync } from "node:fs";
import { cellMark } from "../../runtime/base/env.js";
import type { DetachedNote } from "./channel.js";

/** Ends a process group; a missing one is not an error. */
export function endGroup(leader: number): void {
  end(-leader);
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has ended
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
    return namesIn("/proc")
      .filter((name) => {
        if (!/^\d+$/.test(name)) return false;
        const mark = environmentOf(name).find((pair) => pair.startsWith(start));
        return mark !== undefined && !this.staying.has(mark.slice(cellMark.length + 1));
      })
      .map(Number);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** As `name=value`; empty if the process is another user's, or has ended. */
function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return [];
  }
}
