// The end of a process group: a process and all that it started, unless that left the group.
import type { DetachedNote } from "./channel.js";

/** Ends a process group; a missing one is not an error. */
export function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // it has ended
  }
}

/** The groups that cells started and that end with the process that runs the cells. */
export class DetachedGroups {
  private readonly leaders = new Set<number>();

  note({ pid, endsWithUs }: DetachedNote): void {
    if (endsWithUs) this.leaders.add(pid);
    else this.leaders.delete(pid);
  }

  end(): void {
    for (const leader of this.leaders) endGroup(leader);
    this.leaders.clear();
  }
}
