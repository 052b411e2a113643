// Programs that cells start with `detached` lead their own process group, so ending this process's group does not reach
// them. Each is reported so that it is ended too, unless the cell calls `unref()`, as in Node.
import { ChildProcess, type SpawnOptions } from "node:child_process";
import type { DetachedNote } from "./channel.js";

type Spawn = (this: ChildProcess, options: SpawnOptions) => unknown;

/** Calls `note` with each detached program that must end with this process, and again when that changes. */
export function watchDetached(note: (note: DetachedNote) => void): void {
  const prototype = ChildProcess.prototype as unknown as {
    spawn: Spawn;
    unref: (this: ChildProcess) => void;
  };
  const { spawn, unref } = prototype;
  const detached = new WeakSet<ChildProcess>();
  const forget = (child: ChildProcess) => {
    if (detached.delete(child) && child.pid !== undefined) note({ pid: child.pid, endsWithUs: false });
  };
  prototype.spawn = function (options) {
    const status = spawn.call(this, options);
    if (options.detached && this.pid !== undefined) {
      detached.add(this);
      note({ pid: this.pid, endsWithUs: true });
      this.once("exit", () => forget(this));
    }
    return status;
  };
  prototype.unref = function () {
    forget(this);
    unref.call(this);
  };
}
