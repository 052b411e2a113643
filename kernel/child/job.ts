// Processes of a job, which a launcher such as mpirun has started. The process that runs the cells takes part in it.
import { env } from "../../runtime/base/env.js";
import { isLaunched } from "../../runtime/base/launchers.js";

/** Milliseconds that a process may take for its exit, and `alone` outside of a job: the processes of a job exit together. */
export function exitPatience(alone: number): number {
  return isLaunched() ? 600_000 : alone;
}

/**
 * The descriptor over which MPICH's launcher talks to this process, for a process that is started from here: further entries of its
 * stdio, of which the first has the number `place`, and variables of its environment.
 */
export function launcherPipe(place: number): { stdio: number[]; environment: Record<string, string> } {
  const descriptor = env("mpichPipe");
  if (descriptor === undefined) return { stdio: [], environment: {} };
  return { stdio: [descriptor], environment: { PMI_FD: `${place}` } };
}
