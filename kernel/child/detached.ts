// Programs that cells start with `detached` lead their own process group, so ending this process's group does not reach
// them. Each is reported so that it is ended too, unless the cell calls `unref()`, as in Node. Each has a mark of its own.
import { ChildProcess, type SpawnOptions } from "node:child_process";
import { cellMark } from "../../runtime/base/env.js";
import type { DetachedNote } from "./channel.js";

/** The arguments of `spawn`. */
interface NormalOptions extends SpawnOptions {
  envPairs?: string[];
}

type Spawn = (this: ChildProcess, options: NormalOptions) => unknown;

/**
 * Calls `note` with each detached program that must end with this process, and again when that changes. `mark` is that of
 * the other programs.
 */
export function watchDetached(mark: string, note: (note: DetachedNote) => void): void {
  const prototype = ChildProcess.prototype as unknown as {
    spawn: Spawn;
    unref: (this: ChildProcess) => void;
  };
  const { spawn, unref } = prototype;
  const marks = new WeakMap<ChildProcess, string>();
  let count = 0;
  const forget = (child: ChildProcess, state: "ended" | "stays") => {
    const own = marks.get(child);
    if (marks.delete(child) && child.pid !== undefined) note({ pid: child.pid, mark: own ?? "", state });
  };
  prototype.spawn = function (options) {
    if (!options.detached) return spawn.call(this, options);
    const own = `${mark}.${++count}`;
    const others = (options.envPairs ?? []).filter((pair) => !pair.startsWith(`${cellMark}=`));
    const status = spawn.call(this, { ...options, envPairs: [...others, `${cellMark}=${own}`] });
    if (this.pid !== undefined) {
      marks.set(this, own);
      note({ pid: this.pid, mark: own, state: "ends" });
      this.once("exit", () => forget(this, "ended"));
    }
    return status;
  };
  prototype.unref = function () {
    forget(this, "stays");
    unref.call(this);
  };
}
