// What runs on this machine, as /proc tells it.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The processes that work in a folder or have it in their command lines. */
export function processesOf(folder: string): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
      return command.includes(folder) || readlinkSync(`/proc/${name}/cwd`).startsWith(folder);
    } catch {
      return false; // it has ended meanwhile
    }
  });
}

/** Whether a process runs; one that has ended may wait for its parent. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
